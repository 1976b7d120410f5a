use core::ops::RangeInclusive;

use thiserror::Error;

use crate::message;
use crate::message::{Explain, Message, plural};
use crate::quote;

/// An error in a position text. Rows count from the top of the text, columns from the left, both from 1.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum PositionError {
    /// The text is empty or consists of blanks.
    Empty {
        /// Format of a position text of this game.
        expected: &'static str,
    },
    /// The game does not support boards with this number of rows.
    Rows {
        /// Number of rows in the text.
        found: usize,
        /// Allowed numbers of rows.
        expected: RangeInclusive<usize>,
    },
    /// A row is too short or too long.
    RowLength {
        /// Row, from the top.
        row: usize,
        /// Number of characters in the row.
        found: usize,
        /// Required number of characters.
        expected: usize,
    },
    /// A cell holds characters that are unknown or not allowed there.
    Cell {
        /// Row, from the top.
        row: usize,
        /// Column, from the left.
        column: usize,
        /// Content of the cell.
        found: String,
        /// Allowed contents.
        expected: Box<Message>,
    },
    /// The side to move is missing or unknown.
    SideToMove {
        /// The text in its place.
        found: Option<String>,
        /// Allowed texts.
        expected: &'static str,
    },
}

impl Explain for PositionError {
    fn message(&self) -> Message {
        match self {
            Self::Empty { expected } => {
                message!("position.empty", "nothing found, expected {expected}", expected = Message::name(expected))
            }
            Self::Rows { found, expected } if expected.start() == expected.end() => {
                message!(
                    "position.rows",
                    "{found} row{s}: expected {expected} rows, joined by `/`",
                    found,
                    expected = expected.end();
                    s = plural(*found)
                )
            }
            Self::Rows { found, expected } => message!(
                "position.row_range",
                "{found} row{s}: expected {least} to {most} rows, joined by `/`",
                found,
                least = expected.start(),
                most = expected.end();
                s = plural(*found)
            ),
            Self::RowLength { row, found, expected } => message!(
                "position.row_length",
                "row {row} has {found} character{s}: expected {expected}",
                row,
                found,
                expected;
                s = plural(*found)
            ),
            Self::Cell { row, column, found, expected } => message!(
                "position.cell",
                "row {row}, column {column}: `{found}` found, expected {expected}",
                row,
                column,
                found,
                expected = &**expected
            ),
            Self::SideToMove { found: Some(found), expected } => message!(
                "position.side",
                "side to move: `{found}` found, expected {expected}",
                found,
                expected = Message::name(expected)
            ),
            Self::SideToMove { found: None, expected } => {
                message!(
                    "position.no_side",
                    "side to move: nothing found, expected {expected}",
                    expected = Message::name(expected)
                )
            }
        }
    }
}

/// An error in the text of a move. `R` is the reason: the game's own
/// [`Refusal`](crate::position::Position::Refusal), or its message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError<R = Message> {
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
        Self::Unreadable { text: quote::excerpt(text), expected }
    }
}

impl<R: Explain> MoveError<R> {
    /// Converts the reason to a message, for code that is independent of the game.
    pub fn in_words(self) -> MoveError {
        match self {
            Self::Unreadable { text, expected } => MoveError::Unreadable { text, expected },
            Self::Illegal { text, reason } => MoveError::Illegal { text, reason: reason.message() },
        }
    }
}

/// Returns the example in the description of a format: `b1-d3` in "two squares joined by `-`, as in `b1-d3`".
fn quoted_example(expected: &str) -> Option<&str> {
    expected.split_once("as in `")?.1.split('`').next()
}

impl<R: Explain> Explain for MoveError<R> {
    fn message(&self) -> Message {
        match self {
            Self::Unreadable { text, expected } => match quoted_example(expected) {
                Some(example) => {
                    message!("move.unreadable", "I can't read “{text}”. Type a move like {example}.", text, example)
                }
                None => message!(
                    "move.unknown",
                    "I can't read “{text}”. Type {expected}.",
                    text,
                    expected = Message::name(expected)
                ),
            },
            Self::Illegal { text, reason } => {
                message!("move.illegal", "{text} is not legal: {reason}.", text, reason = reason.message())
            }
        }
    }
}

/// A [`Refusal`](crate::position::Position::Refusal) for games that do not explain why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct NoSuchMove;

impl Explain for NoSuchMove {
    fn message(&self) -> Message {
        message!("move.none", "it is not one of the legal moves")
    }
}
