//! Where games are played: child processes with deadlines.
