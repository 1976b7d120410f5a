//! Positions from user input: a text and a size.

use game::PositionError;
use thiserror::Error;

use crate::definition::{Game, SizeError};

/// Errors of [`position`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPosition {
    /// The game is not played on this size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The text is not a position. The error is part of this message and not its source, so that it is printed once.
    #[error("position text: {0}")]
    Text(PositionError),
    /// The position has another size than the requested one.
    #[error("position text: the board has {found} rows, expected {expected}")]
    Rows {
        /// Size of the position, in squares a side.
        found: usize,
        /// Requested size, in squares a side.
        expected: usize,
    },
}

/// Parses a position, or returns the start position if there is no text.
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
