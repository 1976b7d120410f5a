//! Positions that a user asks for, by a text and a size.

use game::PositionError;
use thiserror::Error;

use crate::definition::{Game, SizeError};

/// Why there is no such position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPosition {
    /// The game is not played on this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The text is not a position. The error is part of this message and not its source, so that it is printed once.
    #[error("position text: {0}")]
    Text(PositionError),
    /// The position has another size than the one that was asked for.
    #[error("position text: the board has {found} rows, expected {expected}")]
    Rows {
        /// Squares a side of the position.
        found: usize,
        /// The size that was asked for.
        expected: usize,
    },
}

/// The position of a text, or the start position if there is no text.
///
/// # Errors
/// If the text is not a position of the game, or has another size than the requested one.
pub fn position<P: Game>(text: Option<&str>, size: Option<usize>) -> Result<P, NoPosition> {
    let Some(text) = text else { return Ok(P::start(size)?) };
    let position: P = text.parse().map_err(NoPosition::Text)?;
    match (size, P::size(&position)) {
        (Some(expected), found) if expected != found => Err(NoPosition::Rows { found, expected }),
        _ => Ok(position),
    }
}
