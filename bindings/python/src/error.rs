//! What can be wrong with a caller's arguments.

use pyo3::PyErr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use thiserror::Error;

/// An argument that cannot be used. In Python it is a `ValueError` or a `TypeError`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Wrong {
    /// A value; the text names it and what was expected.
    #[error("{0}")]
    Value(String),
    /// A type; the text names it and what was expected.
    #[error("{0}")]
    Type(String),
}

impl Wrong {
    /// The error that a library has described.
    pub(crate) fn value(error: impl ToString) -> Self {
        Self::Value(error.to_string())
    }
}

impl From<Wrong> for PyErr {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Value(text) => PyValueError::new_err(text),
            Wrong::Type(text) => PyTypeError::new_err(text),
        }
    }
}
