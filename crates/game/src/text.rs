//! Helpers shared by all games for parsing position texts and for quoting input in errors.

pub use crate::quote::{excerpt, is_hidden, printable};

use crate::error::PositionError;
use crate::message;
use crate::side::Side;

/// Returns the text with its first letter in upper case.
///
/// ```
/// assert_eq!(game::text::capitalised("checkers"), "Checkers");
/// ```
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Removes a byte-order mark from the beginning of the text. Editors on Windows write such marks.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Splits `rows side` at the first blank into the rows joined by `/` and the rest. Blanks around both are removed.
pub fn split_side(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((rows, side)) => (rows, Some(side.trim())),
        None => (text, None),
    }
}

/// Parses the side to move, written as one of two letters. `letters` begins with the first side's letter.
///
/// # Errors
/// If the side is missing or is neither of the letters.
pub fn parse_side(side: Option<&str>, letters: [&str; 2], expected: &'static str) -> Result<Side, PositionError> {
    match side {
        Some(word) if word == letters[0] => Ok(Side::First),
        Some(word) if word == letters[1] => Ok(Side::Second),
        Some(word) => Err(PositionError::SideToMove { found: Some(excerpt(word)), expected }),
        None => Err(PositionError::SideToMove { found: None, expected }),
    }
}

/// The squares of a board with one kind of piece, by row from the top. Each square is empty or holds a piece of one
/// side.
pub type Rows = Vec<Vec<Option<Side>>>;

/// Returns the name of a square in a [`Diagram::of_board`](crate::diagram::Diagram::of_board), by row and column: `c5`.
///
/// ```
/// assert_eq!(game::text::square([4, 2]), "c5");
/// ```
pub fn square([row, column]: [usize; 2]) -> String {
    format!("{}{}", ('a'..).nth(column).unwrap_or('?'), row + 1)
}

/// Parses the position text of a square board with one kind of piece: the rows from the top joined by `/`, and the side
/// to move. `letters` are those of the first side, the second side and an empty square.
///
/// ```
/// use game::{Side, text};
///
/// let (rows, side) = text::board("--/wb b", 2..=8, ['b', 'w', '-'])?;
/// assert_eq!(rows, [[None, None], [Some(Side::Second), Some(Side::First)]]);
/// assert_eq!(side, Side::First);
/// # Ok::<(), game::PositionError>(())
/// ```
///
/// # Errors
/// If the text is not such a board, or its size is not in `sizes`.
pub fn board(
    text: &str,
    sizes: core::ops::RangeInclusive<usize>,
    letters: [char; 3],
) -> Result<(Rows, Side), PositionError> {
    let (board, side) = split_side(text);
    let rows = rows(board, sizes, |size| size, "rows joined by `/`, and the side to move")?;
    let [first, second, empty] = letters;
    let expected = || {
        let [first, second, empty] = letters.map(String::from);
        message!("position.letters", "`{first}`, `{second}` or `{empty}`", first, second, empty)
    };
    let cell = |row, column, found: char| match found {
        found if found == first => Ok(Some(Side::First)),
        found if found == second => Ok(Some(Side::Second)),
        found if found == empty => Ok(None),
        found => Err(PositionError::Cell {
            row: row + 1,
            column: column + 1,
            found: excerpt(&found.to_string()),
            expected: Box::new(expected()),
        }),
    };
    let row = |(row, cells): (usize, Vec<char>)| {
        cells.into_iter().enumerate().map(|(column, found)| cell(row, column, found)).collect()
    };
    let rows = rows.into_iter().enumerate().map(row).collect::<Result<_, _>>()?;
    let sides = [first, second].map(String::from);
    Ok((rows, parse_side(side, [&sides[0], &sides[1]], "the letter of the first or the second side")?))
}

/// Splits a text into rows of characters. Each row must have `width(number of rows)` characters.
///
/// # Errors
/// If the text is empty, the number of rows is outside `sizes`, or a row has another length.
pub fn rows(
    text: &str,
    sizes: core::ops::RangeInclusive<usize>,
    width: impl Fn(usize) -> usize,
    expected: &'static str,
) -> Result<Vec<Vec<char>>, PositionError> {
    if text.is_empty() {
        return Err(PositionError::Empty { expected });
    }
    // Count the rows before allocating: a text of a million slashes must not allocate a million vectors.
    let count = text.split('/').count();
    if !sizes.contains(&count) {
        return Err(PositionError::Rows { found: count, expected: sizes });
    }
    let expected = width(count);
    text.split('/')
        .enumerate()
        .map(|(index, row)| match row.chars().count() {
            found if found == expected => Ok(row.chars().collect()),
            found => Err(PositionError::RowLength { row: index + 1, found, expected }),
        })
        .collect()
}
