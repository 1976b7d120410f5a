//! Checks the arguments of a batch's methods.

use numpy::{AllowTypeChange, PyArrayLike1, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::Wrong;
use crate::position::PyPosition;
use crate::whole::Whole;

/// Converts the argument with this name to a `NumPy` array of one dimension, and returns it with the kind of its
/// values.
fn row<'py>(name: &str, found: &Bound<'py, PyAny>, expected: &str) -> PyResult<(Bound<'py, PyAny>, String)> {
    let array = found.py().import("numpy")?.call_method1("asarray", (found,))?;
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    if dimensions != 1 {
        let kind = found.get_type().name()?;
        let found = if dimensions == 0 { kind.to_string() } else { format!("an array of {dimensions} dimensions") };
        return Err(Wrong::Type(format!("{name}: {found} found, expected {expected}")).into());
    }
    let kind = array.getattr("dtype")?.getattr("kind")?.extract()?;
    Ok((array, kind))
}

/// Returns the error for values of another type.
fn wrong_type(name: &str, array: &Bound<'_, PyAny>, expected: &str) -> PyErr {
    match array.getattr("dtype").and_then(|kind| kind.str()) {
        Ok(found) => Wrong::Type(format!("{name}: {found} found, expected {expected}")).into(),
        Err(error) => error,
    }
}

/// Converts an array or a list of integers.
///
/// # Errors
/// A `TypeError` for other values, and a `ValueError` for a number that does not fit into 64 bits.
pub(super) fn integers(name: &str, found: &Bound<'_, PyAny>, expected: &str) -> PyResult<Vec<i64>> {
    let (array, kind) = row(name, found, expected)?;
    let numbers = match kind.as_str() {
        "i" | "u" => array.extract::<PyArrayLike1<'_, i64, AllowTypeChange>>()?.as_array().to_vec(),
        // `NumPy` keeps integers of more than 64 bits as objects.
        "O" => {
            let mut numbers = Vec::new();
            for (index, item) in array.try_iter()?.enumerate() {
                let number: Whole = item?.extract().map_err(|_| wrong_type(name, &array, expected))?;
                let too_large = |found| Wrong::Value(format!("{name}: {found} at index {index}: expected {expected}"));
                numbers.push(number.action().map_err(too_large)?);
            }
            numbers
        }
        _ if array.len()? == 0 => Vec::new(),
        _ => return Err(wrong_type(name, &array, expected)),
    };
    Ok(numbers)
}

/// Converts actions to the type of action ids, which are at most `most`.
pub(super) fn actions(found: &Bound<'_, PyAny>, most: usize) -> PyResult<Vec<i32>> {
    let numbers = integers("actions", found, "whole numbers, one for each game")?;
    let narrow = |(game, number): (usize, i64)| {
        let wrong = |_| Wrong::Value(format!("game {game}: action {number}: expected 0 to {most}"));
        i32::try_from(number).map_err(wrong)
    };
    Ok(numbers.into_iter().enumerate().map(narrow).collect::<Result<_, _>>()?)
}

/// Converts marks: one truth value for each of `count` games.
pub(super) fn marks(name: &str, found: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Option<Vec<bool>>> {
    let Some(found) = found else { return Ok(None) };
    let expected = "True or False for each game";
    let (array, kind) = row(name, found, expected)?;
    if kind != "b" {
        return Err(wrong_type(name, &array, expected));
    }
    let marks = array.extract::<PyArrayLike1<'_, bool>>()?.as_array().to_vec();
    if marks.len() != count {
        let found = marks.len();
        return Err(Wrong::Value(format!("{name}: {found} marks: expected {count}, one for each game")).into());
    }
    Ok(Some(marks))
}

/// Converts logits: a row of `actions` numbers for each of `count` games.
pub(super) fn logits<'py>(
    found: &Bound<'py, PyAny>,
    count: usize,
    actions: usize,
) -> PyResult<PyReadonlyArray2<'py, f32>> {
    let numpy = found.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (found,))?;
    let kind = array.getattr("dtype")?.str()?.to_string();
    if kind != "float32" {
        return Err(Wrong::Type(format!("logits: {kind} found, expected float32")).into());
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape != [count, actions] {
        let expected = format!("[{count}, {actions}], the numbers of games and of action ids");
        return Err(Wrong::Value(format!("logits of shape {shape:?}: expected {expected}")).into());
    }
    numpy.call_method1("ascontiguousarray", (array,))?.extract()
}

/// Converts the number of a game, or the text of a larger number. Raises an `IndexError` if there is no such game.
pub(super) fn game_number(number: Result<i64, String>, count: usize) -> PyResult<usize> {
    let found = match number {
        Ok(number) if usize::try_from(number).is_ok_and(|number| number < count) => return Ok(number as usize),
        Ok(number) => number.to_string(),
        Err(text) => text,
    };
    Err(PyIndexError::new_err(format!("game {found}: expected 0 to {}", count - 1)))
}

/// Converts a position of the game with this name to its text.
pub(super) fn position_text(name: &str, found: &Bound<'_, PyAny>, game: &str) -> PyResult<String> {
    if let Ok(position) = found.cast::<PyPosition>() {
        let other = position.get().0.id().name();
        if other != game {
            return Err(Wrong::Value(format!("{name}: a position of {other} found, expected {game}")).into());
        }
        return Ok(position.get().0.text());
    }
    let kind = found.get_type().name()?;
    let wrong = || Wrong::Type(format!("{name}: {kind} found, expected a position or its text"));
    Ok(found.cast::<PyString>().map_err(|_| wrong())?.to_string())
}

/// Converts an argument that selects one of two options. Returns `true` for the second.
pub(crate) fn is_second(name: &str, found: &str, options: [&str; 2]) -> Result<bool, Wrong> {
    let index = options.iter().position(|&option| option == found);
    let found = game::text::excerpt(found);
    let [first, second] = options;
    index
        .map(|index| index == 1)
        .ok_or_else(|| Wrong::Value(format!("{name} \"{found}\": expected \"{first}\" or \"{second}\"")))
}
