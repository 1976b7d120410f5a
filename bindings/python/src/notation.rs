//! The notation of moves: places joined by one sign in all games, `-` or `:`, with or without a capture.

use core::fmt::Display;

use game::Position;

use crate::encode::MoveOf;
use crate::error::Wrong;

/// Writes a move. Captures are written like other moves, as in the notations of Lines of Action and checkers.
pub(crate) fn written(m: impl Display) -> String {
    m.to_string().replace('x', "-")
}

/// Reads a legal move. Other spellings are accepted, such as `x` for a capture.
///
/// # Errors
/// If the text is not a legal move.
pub(crate) fn read<P: Position>(p: &P, text: &str) -> Result<MoveOf<P>, Wrong> {
    p.read_move(text).map_err(|error| Wrong::value(error.in_words()))
}
