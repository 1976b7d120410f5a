//! Proofs that a side wins from a position of any game, as files that are checked without a search.
//!
//! * A [`Prover`] is a search that determines the winner and the winning moves.
//! * A [`Strategy`] is read from it: one move of the winner for each position that can occur, each with a rank. Ranks
//!   decrease along every line, so that a strategy never cycles.
//! * [`Strategy::write`] writes the strategy as a text file, [`WinFile`] reads such a file, and [`WinFile::check`]
//!   checks it by the reference implementation of the rules only.
//!
//! A proof ignores the history of the game: it has no move limit and no draw by repetition. In a match with such rules,
//! a proven win can still end in a draw.

mod check;
mod file;
mod prover;
mod strategy;

pub use check::{Checked, model_side};
pub use file::{WinError, WinFile, WinHeader, is_win_file};
pub use prover::{EitherSide, Prover};
pub use strategy::{NoStrategy, Strategy};
