//! The one place where all games are named.
