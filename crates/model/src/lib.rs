//! Slow second implementations of every game, for checking.
