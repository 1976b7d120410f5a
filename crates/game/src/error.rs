use thiserror::Error;

/// Why a position text is not a position. Rows count from the top of the text, columns from the left, both from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PositionError {
    /// Nothing but blanks.
    #[error("empty position text: expected {expected}")]
    Empty {
        /// The form of a position text of this game.
        expected: &'static str,
    },
    /// The number of rows is not one that the game is played on.
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
    /// A cell holds something that the game does not know, or not there.
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

/// Why a text is not a legal move in a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
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
        /// The rule that refuses it, in words.
        reason: String,
    },
}

impl MoveError {
    /// An [`MoveError::Unreadable`] that keeps at most 40 characters of the offending text.
    pub fn unreadable(text: &str, expected: &'static str) -> Self {
        Self::Unreadable { text: crate::text::excerpt(text), expected }
    }
}
