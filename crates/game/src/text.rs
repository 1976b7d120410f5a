//! Helpers for reading position texts and for quoting input in errors, the same for every game.

use crate::{PositionError, Side};

/// At most 40 characters of `text`, control characters escaped, for quoting it in an error.
///
/// ```
/// assert_eq!(game::text::excerpt("a\tb"), "a\\tb");
/// assert_eq!(game::text::excerpt(&"x".repeat(50)), format!("{}…", "x".repeat(40)));
/// ```
pub fn excerpt(text: &str) -> String {
    let mut short: String = text.chars().take(40).flat_map(shown).collect();
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

fn shown(c: char) -> impl Iterator<Item = char> {
    let (plain, escaped) = if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
    plain.into_iter().chain(escaped.into_iter().flatten())
}

/// Splits `rows side` at the first blank: the rows joined by `/`, and the rest. Blanks around both are dropped.
pub fn split_side(text: &str) -> (&str, Option<&str>) {
    let text = text.trim();
    match text.split_once(|c: char| c.is_ascii_whitespace()) {
        Some((rows, side)) => (rows, Some(side.trim())),
        None => (text, None),
    }
}

/// Reads the side to move, written as one of two letters. `letters` has the first side's letter first.
///
/// # Errors
/// If the side is missing or is neither of the letters.
pub fn parse_side(side: Option<&str>, letters: [&str; 2], expected: &'static str) -> Result<Side, PositionError> {
    match side {
        Some(word) if word == letters[0] => Ok(Side::First),
        Some(word) if word == letters[1] => Ok(Side::Second),
        Some(word) => Err(PositionError::SideToMove { found: format!("`{}`", excerpt(word)), expected }),
        None => Err(PositionError::SideToMove { found: "nothing".to_owned(), expected }),
    }
}

/// The rows of a text as characters. Each row must have `width(number of rows)` of them.
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
    // Counted before anything is collected: a text of a million slashes must not cost a million vectors.
    let count = text.split('/').count();
    if !sizes.contains(&count) {
        let expected = if sizes.start() == sizes.end() {
            sizes.start().to_string()
        } else {
            format!("{} to {}", sizes.start(), sizes.end())
        };
        return Err(PositionError::Rows { found: count, expected });
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
