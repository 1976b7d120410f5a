use thiserror::Error;

use crate::{Finish, Position};

/// An error in a position text. Rows count from the top of the text, columns from the left, both from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// The text is empty or consists of blanks.
    #[error("empty position text: expected {expected}")]
    Empty {
        /// Format of a position text of this game.
        expected: &'static str,
    },
    /// The game does not support boards with this number of rows.
    #[error("{found} rows joined by `/`: expected {expected}")]
    Rows {
        /// Number of rows in the text.
        found: usize,
        /// Allowed numbers of rows.
        expected: String,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} characters: expected {expected}")]
    RowLength {
        /// Row, from the top.
        row: usize,
        /// Number of characters in the row.
        found: usize,
        /// Required number of characters.
        expected: usize,
    },
    /// A cell holds characters that are unknown or not allowed there.
    #[error("row {row}, column {column}: `{found}` found, expected {expected}")]
    Cell {
        /// Row, from the top.
        row: usize,
        /// Column, from the left.
        column: usize,
        /// Content of the cell.
        found: String,
        /// Allowed contents.
        expected: String,
    },
    /// The side to move is missing or unknown.
    #[error("side to move: {found} found, expected {expected}")]
    SideToMove {
        /// The text in its place, in quotes, or `nothing`.
        found: String,
        /// Allowed texts.
        expected: &'static str,
    },
}

/// An error in the text of a move. `R` is the reason: the game's own [`Position::Refusal`], or its text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError<R = String> {
    /// The text does not have the format of a move.
    #[error("`{text}` is not a move: expected {expected}")]
    Unreadable {
        /// The text.
        text: String,
        /// Format of a move of this game.
        expected: &'static str,
    },
    /// The move is illegal.
    #[error("illegal move {text}: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// The rule that the move breaks.
        reason: R,
    },
}

impl<R> MoveError<R> {
    /// Returns a [`MoveError::Unreadable`] that keeps at most 40 characters of the invalid text.
    pub fn unreadable(text: &str, expected: &'static str) -> Self {
        Self::Unreadable { text: crate::text::excerpt(text), expected }
    }
}

impl<R: core::fmt::Display> MoveError<R> {
    /// Converts the reason to text, for code that is independent of the game.
    pub fn in_words(self) -> MoveError {
        match self {
            Self::Unreadable { text, expected } => MoveError::Unreadable { text, expected },
            Self::Illegal { text, reason } => MoveError::Illegal { text, reason: reason.to_string() },
        }
    }
}

/// A [`Position::Refusal`] for games that do not explain why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it is not one of the legal moves")]
pub struct NoSuchMove;

/// The error of [`Position::try_play`]: an illegal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("illegal move {m}: {refusal}")]
pub struct IllegalMove<P: Position> {
    /// The move.
    pub m: P::Move,
    /// The rule that the move breaks.
    #[source]
    pub refusal: P::Refusal,
}

/// The error of [`Record::try_play`](crate::Record::try_play): a move that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayError<P: Position> {
    /// The game is over.
    #[error("move {m} after the end of the game")]
    Finished {
        /// The move.
        m: P::Move,
        /// Outcome of the game and the rule that ended it.
        finish: Finish,
    },
    /// The move is illegal.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<P>),
}
