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

/// Parses a position, or returns the start position if there is no text. A text may also name a start.
///
/// # Errors
/// If the text is not a position of the game, or the position's size differs from the requested size.
pub fn position<P: Game>(text: Option<&str>, size: Option<usize>) -> Result<P, NoPosition> {
    let Some(text) = text else { return Ok(P::start(size)?) };
    if let Some(start) = named(text, size) {
        return Ok(start?);
    }
    let position: P = text.parse().map_err(NoPosition::Text)?;
    match (size, P::size(&position)) {
        (Some(expected), found) if expected != found => Err(NoPosition::Rows { found, expected }),
        _ => Ok(position),
    }
}

/// Returns the start position that a text names: by the name of a start position, a rule set, or both, as in
/// `scrambled-eggs mso`. Returns `None` for any other text.
pub(crate) fn named<P: Game>(text: &str, size: Option<usize>) -> Option<Result<P, SizeError>> {
    let (mut start, mut set) = (None, None);
    for word in text.split_whitespace() {
        match (P::STARTS.iter().find(|name| **name == word), P::RULE_SETS.iter().find(|set| set.name == word)) {
            (found @ Some(_), _) if start.is_none() => start = found,
            (_, found @ Some(_)) if set.is_none() => set = found,
            _ => return None,
        }
    }
    if start.is_none() && set.is_none() {
        return None;
    }
    Some(P::start(size).map(|usual| {
        let start = start.map(|name| P::named_start(name, P::size(&usual))).unwrap_or(usual);
        start.under(set)
    }))
}
