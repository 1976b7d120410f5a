//! The notation of moves: places joined by one sign in all games, `-` or `:`, with or without a capture.

use core::fmt::Display;

use game::Position;
use pyo3::prelude::*;
use pyo3::types::PyString;

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

/// An argument with a list of moves. A single text is an error, although it is a sequence in Python.
pub(crate) struct Moves(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(found: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if found.is_instance_of::<PyString>() {
            return Err(Wrong::Type("str found, expected a list of moves, such as [\"b1-d3\"]".to_owned()).into());
        }
        found.extract().map(Self)
    }
}
