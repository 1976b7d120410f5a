//! `Whole`: an integer argument whose range is checked with an error that names the argument.

use core::fmt::Display;
use core::ops::RangeInclusive;

use game::text::excerpt;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::error::Wrong;

/// An integer argument. Its extraction raises a `TypeError` for other types, and accepts integers of any size.
pub(crate) struct Whole(Result<i128, String>);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(found: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = found.py();
        match found.extract::<i64>() {
            Ok(number) => Ok(Self(Ok(number.into()))),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                let number = py.import("operator")?.call_method1("index", (found,))?;
                // Python does not convert integers of more than 4300 digits to text.
                let text = || number.str().map_or("an integer of many digits".to_owned(), |text| text.to_string());
                Ok(Self(number.extract::<i128>().map_err(|_| excerpt(&text()))))
            }
            Err(error) => Err(error),
        }
    }
}

impl Whole {
    /// Creates a default argument.
    pub(crate) const fn small(number: i32) -> Self {
        Self(Ok(number as i128))
    }

    /// Converts the argument with this name to a number of this range. `or` is added to the description of the expected
    /// values, as in `", or None"`.
    ///
    /// # Errors
    /// If the number is out of range.
    pub(crate) fn within<T>(self, name: &str, range: RangeInclusive<T>, or: &str) -> Result<T, Wrong>
    where
        T: TryFrom<i128> + PartialOrd + Display,
    {
        let number = self.0.as_ref().ok().and_then(|&number| T::try_from(number).ok());
        let is_low = match (&number, &self.0) {
            (Some(number), _) => number < range.start(),
            (None, Ok(number)) => *number < 0,
            (None, Err(text)) => text.starts_with('-'),
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let found = self.0.map_or_else(|text| text, |number| number.to_string());
            let (least, most) = range.into_inner();
            let expected = if is_low { format!("{least} or more") } else { format!("{least} to {most}") };
            Wrong::Value(format!("{name} {found}: expected {expected}{or}"))
        })
    }

    /// Returns the number as an action id, or its text if no id is so large.
    pub(crate) fn action(self) -> Result<i64, String> {
        self.0.and_then(|number| i64::try_from(number).map_err(|_| number.to_string()))
    }
}

/// Converts the argument `size`, which each game checks against its own sizes.
///
/// # Errors
/// If the number is negative or does not fit.
pub(crate) fn board_size(size: Option<Whole>) -> Result<Option<usize>, Wrong> {
    let unknown =
        |found: String| Wrong::Value(format!("board size {found}: expected a number of squares per side, or None"));
    let convert = |size: Whole| {
        let number = size.0.map_err(unknown)?;
        usize::try_from(number).map_err(|_| unknown(number.to_string()))
    };
    size.map(convert).transpose()
}
