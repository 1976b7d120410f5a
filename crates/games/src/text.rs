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
    /// The text is not a position. The message already contains the [`PositionError`], so the error has no `source`: a
    /// report of the error chain would print it twice.
    #[error("position text: {0}")]
    Text(PositionError),
    /// The size of the position differs from the requested size.
    #[error("position text: the board has {found} rows, expected {expected}")]
    Rows {
        /// Size of the position, in squares per side.
        found: usize,
        /// Requested size, in squares per side.
        expected: usize,
    },
}

/// Parses a position, or returns the start position if there is no text. The name of a start position, one of
/// [`Game::STARTS`], is also a text.
///
/// # Errors
/// If the text is not a position of the game, or the position's size differs from the requested size.
pub fn position<P: Game>(text: Option<&str>, size: Option<usize>) -> Result<P, NoPosition> {
    let Some(text) = text else { return Ok(P::start(size)?) };
    if let Some(name) = P::STARTS.iter().find(|name| **name == text.trim()) {
        return Ok(P::named_start(name, P::size(&P::start(size)?)));
    }
    let position: P = text.parse().map_err(NoPosition::Text)?;
    match (size, P::size(&position)) {
        (Some(expected), found) if expected != found => Err(NoPosition::Rows { found, expected }),
        _ => Ok(position),
    }
}
