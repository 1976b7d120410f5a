//! Checks the arguments of a batch's methods.

use numpy::{AllowTypeChange, PyArrayLike1, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::batch::options::MOST_GAMES;
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
fn integers(name: &str, found: &Bound<'_, PyAny>, expected: &str) -> PyResult<Vec<i64>> {
    let (array, kind) = row(name, found, expected)?;
    let too_large = |index, found| Wrong::Value(format!("{name}: {found} at index {index}: expected {expected}"));
    let numbers = match kind.as_str() {
        "i" => array.extract::<PyArrayLike1<'_, i64, AllowTypeChange>>()?.as_array().to_vec(),
        "u" => {
            let numbers = array.extract::<PyArrayLike1<'_, u64, AllowTypeChange>>()?;
            let narrow =
                |(index, &number): (_, &u64)| i64::try_from(number).map_err(|_| too_large(index, number.to_string()));
            numbers.as_array().iter().enumerate().map(narrow).collect::<Result<_, _>>()?
        }
        // `NumPy` keeps integers of more than 64 bits as objects.
        "O" => {
            let mut numbers = Vec::new();
            for (index, item) in array.try_iter()?.enumerate() {
                let number: Whole = item?.extract().map_err(|_| wrong_type(name, &array, expected))?;
                numbers.push(number.action().map_err(|found| too_large(index, found))?);
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

/// Converts real numbers to a contiguous array of float32.
///
/// # Errors
/// A `TypeError` for other values, such as texts or complex numbers.
pub(crate) fn floats<'py>(name: &str, found: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = found.py().import("numpy")?;
    let array = numpy.call_method1("asarray", (found,))?;
    let kind = array.getattr("dtype")?;
    if !numpy.call_method1("can_cast", (&kind, "float32", "same_kind"))?.is_truthy()? {
        return Err(Wrong::Type(format!("{name}: {} found, expected floats or integers", kind.str()?)).into());
    }
    let named = PyDict::new(found.py());
    named.set_item("dtype", "float32")?;
    // `ascontiguousarray` would add a dimension to a number.
    named.set_item("order", "C")?;
    numpy.call_method("asarray", (array,), Some(&named))?.extract()
}

/// Converts logits: a row of `actions` numbers for each of `count` games.
pub(super) fn logits<'py>(
    found: &Bound<'py, PyAny>,
    count: usize,
    actions: usize,
) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let array = floats("logits", found)?;
    if array.shape() != [count, actions] {
        let expected = format!("[{count}, {actions}], the numbers of games and of action ids");
        return Err(Wrong::Value(format!("logits of shape {:?}: expected {expected}", array.shape())).into());
    }
    Ok(array)
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

/// Converts the numbers of the games to copy.
pub(super) fn game_numbers(found: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<usize>> {
    let numbers = integers("indices", found, "numbers of games")?;
    if !(1..=MOST_GAMES).contains(&numbers.len()) {
        return Err(Wrong::Value(format!("{} indices: expected 1 to {MOST_GAMES}", numbers.len())).into());
    }
    numbers.into_iter().map(|number| game_number(Ok(number), count)).collect()
}

/// Converts the starts of `count` games: a position or its text for all games, or a list with one for all or for each.
pub(super) fn starts(found: &Bound<'_, PyAny>, count: usize, game: &str) -> PyResult<Vec<String>> {
    if found.is_instance_of::<PyString>() || found.is_instance_of::<PyPosition>() {
        return Ok(vec![position_text("start", found, game)?]);
    }
    let texts: Vec<String> =
        found.try_iter()?.map(|one| position_text("start", &one?, game)).collect::<PyResult<_>>()?;
    if texts.len() != 1 && texts.len() != count {
        let found = texts.len();
        return Err(Wrong::Value(format!("{found} starts: expected 1, or {count}, one for each game")).into());
    }
    Ok(texts)
}

/// Converts the positions of the marked games, with the numbers of the games.
pub(super) fn positions(
    found: &Bound<'_, PyAny>,
    count: usize,
    marked: Option<&[bool]>,
    game: &str,
) -> PyResult<Vec<(usize, String)>> {
    let entries = found.len()?;
    if entries != count || found.is_instance_of::<PyString>() {
        return Err(Wrong::Value(format!("{entries} positions: expected {count}, one for each game")).into());
    }
    let mut texts = Vec::new();
    for (number, position) in found.try_iter()?.enumerate() {
        let position = position?;
        if marked.is_none_or(|marked| marked[number]) {
            texts.push((number, position_text(&format!("game {number}"), &position, game)?));
        }
    }
    Ok(texts)
}

/// Converts a position of the game with this name to its text.
fn position_text(name: &str, found: &Bound<'_, PyAny>, game: &str) -> PyResult<String> {
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
