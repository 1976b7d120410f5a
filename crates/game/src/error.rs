use thiserror::Error;

use crate::{Finish, Position};

/// Why a position text is invalid. Rows count from the top of the text, columns from the left, both from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Nothing but blanks.
    #[error("empty position text: expected {expected}")]
    Empty {
        /// The form of a position text of this game.
        expected: &'static str,
    },
    /// The game is not played on a board with this number of rows.
    #[error("{found} rows joined by `/`: expected {expected}")]
    Rows {
        /// Rows in the text.
        found: usize,
        /// Allowed numbers.
        expected: String,
    },
    /// A row is too short or too long.
    #[error("row {row} has {found} characters: expected {expected}")]
    RowLength {
        /// Row from the top.
        row: usize,
        /// Characters in it.
        found: usize,
        /// Characters that it should have.
        expected: usize,
    },
    /// A cell holds something that the game does not know, or does not allow there.
    #[error("row {row}, column {column}: `{found}` found, expected {expected}")]
    Cell {
        /// Row from the top.
        row: usize,
        /// Column from the left.
        column: usize,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: String,
    },
    /// The side to move is missing or unknown.
    #[error("side to move: {found} found, expected {expected}")]
    SideToMove {
        /// What stands there, in quotes, or `nothing`.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
}

/// Why a text is not a legal move in a position. `R` is the reason: the game's own [`Position::Refusal`], or its text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError<R = String> {
    /// The text does not have the form of a move.
    #[error("`{text}` is not a move: expected {expected}")]
    Unreadable {
        /// What was read.
        text: String,
        /// The form of a move of this game.
        expected: &'static str,
    },
    /// The rules refuse it.
    #[error("illegal move {text}: {reason}")]
    Illegal {
        /// The move.
        text: String,
        /// The rule that refuses it.
        reason: R,
    },
}

impl<R> MoveError<R> {
    /// A [`MoveError::Unreadable`] that keeps at most 40 characters of the offending text.
    pub fn unreadable(text: &str, expected: &'static str) -> Self {
        Self::Unreadable { text: crate::text::excerpt(text), expected }
    }
}

impl<R: core::fmt::Display> MoveError<R> {
    /// The same error with the reason in words, for code that knows no particular game.
    pub fn in_words(self) -> MoveError {
        match self {
            Self::Unreadable { text, expected } => MoveError::Unreadable { text, expected },
            Self::Illegal { text, reason } => MoveError::Illegal { text, reason: reason.to_string() },
        }
    }
}

/// The error of [`Position::try_play`]: a move that the rules refuse.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("illegal move {m}: {refusal}")]
pub struct IllegalMove<P: Position> {
    /// The move.
    pub m: P::Move,
    /// The rule that refuses it.
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
        /// How the game finished.
        finish: Finish,
    },
    /// The rules refuse the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove<P>),
}
