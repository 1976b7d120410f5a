//! Helpers of all games for parsing position texts and for quoting input in errors.

use std::borrow::Cow;

use crate::{PositionError, Side, message};

/// Returns at most 40 characters of `text` with hidden characters escaped, for quoting it in an error.
///
/// ```
/// assert_eq!(game::text::excerpt("a\tb"), "a\\tb");
/// assert_eq!(game::text::excerpt(&"x".repeat(50)), format!("{}…", "x".repeat(40)));
/// ```
pub fn excerpt(text: &str) -> String {
    let mut short = String::new();
    text.chars().take(40).for_each(|c| push_shown(c, &mut short));
    if text.chars().nth(40).is_some() {
        short.push('…');
    }
    short
}

/// Returns the text with its first letter in upper case.
///
/// ```
/// assert_eq!(game::text::capitalised("checkers"), "Checkers");
/// ```
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Makes text from other sources safe for a terminal. It escapes hidden characters as in JSON, except line ends and
/// tabs, so that the terminal shows them and does not interpret them.
///
/// ```
/// assert_eq!(game::text::printable("\x1b]0;title\x07 \u{202e}txt\n"), "\\u001b]0;title\\u0007 \\u202etxt\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |c| matches!(c, '\n' | '\t') || !is_hidden(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        if is_plain(c) { shown.push(c) } else { push_shown(c, &mut shown) }
    }
    Cow::Owned(shown)
}

fn push_shown(c: char, to: &mut String) {
    match c {
        '\t' => to.push_str("\\t"),
        '\n' => to.push_str("\\n"),
        '\r' => to.push_str("\\r"),
        c if is_hidden(c) => {
            let units: Vec<String> = c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
            to.push_str(&units.concat());
        }
        c => to.push(c),
    }
}

/// Returns `true` for invisible characters that change how text is shown: Unicode's control characters (Cc), format
/// characters (Cf), and separators of lines and paragraphs (Zl, Zp).
///
/// Source: Unicode 17, `DerivedGeneralCategory.txt`.
pub fn is_hidden(c: char) -> bool {
    const FORMAT: [core::ops::RangeInclusive<char>; 20] = [
        '\u{ad}'..='\u{ad}',
        '\u{600}'..='\u{605}',
        '\u{61c}'..='\u{61c}',
        '\u{6dd}'..='\u{6dd}',
        '\u{70f}'..='\u{70f}',
        '\u{890}'..='\u{891}',
        '\u{8e2}'..='\u{8e2}',
        '\u{180e}'..='\u{180e}',
        '\u{200b}'..='\u{200f}',
        '\u{2028}'..='\u{202e}',
        '\u{2060}'..='\u{206f}',
        '\u{feff}'..='\u{feff}',
        '\u{fff9}'..='\u{fffb}',
        '\u{110bd}'..='\u{110bd}',
        '\u{110cd}'..='\u{110cd}',
        '\u{13430}'..='\u{1343f}',
        '\u{1bca0}'..='\u{1bca3}',
        '\u{1d173}'..='\u{1d17a}',
        '\u{e0001}'..='\u{e0001}',
        '\u{e0020}'..='\u{e007f}',
    ];
    c.is_control() || (c >= '\u{ad}' && FORMAT.iter().any(|range| range.contains(&c)))
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

/// The squares of a board with one kind of pieces, by row from the top: each empty or with a piece of a side.
pub type Rows = Vec<Vec<Option<Side>>>;

/// Returns the name of a square in a [`Diagram::of_board`](crate::Diagram::of_board), by row and column: `c5`.
///
/// ```
/// assert_eq!(game::text::square([4, 2]), "c5");
/// ```
pub fn square([row, column]: [usize; 2]) -> String {
    format!("{}{}", ('a'..).nth(column).unwrap_or('?'), row + 1)
}

/// Parses the position text of a square board with one kind of pieces: the rows from the top joined by `/`, and the
/// side to move. `letters` are those of the first side, the second side and an empty square.
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
