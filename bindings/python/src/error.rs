//! Errors for invalid arguments.

use pyo3::PyErr;
use pyo3::exceptions::{PyTypeError, PyValueError};
use thiserror::Error;

/// An invalid argument. In Python it is a `ValueError` or a `TypeError`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Wrong {
    /// An invalid value. The text names it and the expected values.
    #[error("{0}")]
    Value(String),
    /// An invalid type. The text names it and the expected type.
    #[error("{0}")]
    Type(String),
}

impl Wrong {
    /// Converts a library error to [`Wrong::Value`].
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
