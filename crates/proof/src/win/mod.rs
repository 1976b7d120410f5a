//! Wins of one position of any game, as files that are checked without a search.
//!
//! * A [`Prover`] is a search that finds out who wins, and which moves win.
//! * A [`Strategy`] is read from it: one move of the winner for each position that can occur, each with a rank. Ranks
//!   fall along every line, so that a strategy never goes in circles.
//! * [`Strategy::write`] writes it as a text file, [`WinFile`] reads such a file, and [`WinFile::check`] checks it by
//!   the slow rules of `reference` only.
//!
//! The rules are those of positions: no move limit, and no draws by repetition. Where a match has such rules, a proven
//! win can still be drawn there.

mod check;
mod file;
mod prover;
mod strategy;

pub use check::Checked;
pub use file::{WinError, WinFile, WinHeader, is_win_file};
pub use prover::{EitherSide, Prover};
pub use strategy::{NoStrategy, Strategy};
