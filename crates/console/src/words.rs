//! Parsing of command lines, shared by the text interfaces of Lines of Action and Jump61.

use game::text::excerpt;

use crate::session::{CommandError, Sink};

/// Returns a line without the blanks around it; `None` for an empty line. Bytes that are not UTF-8 become replacement
/// characters, which no command contains.
pub(crate) fn trimmed(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_matches(is_blank);
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns `true` if a trimmed line is a comment.
pub(crate) fn is_comment(text: &str) -> bool {
    text.starts_with('#')
}

/// Returns the words of a line, split at blanks.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split(is_blank).filter(|word| !word.is_empty()).collect()
}

fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Returns the operand with this number, from 1.
pub(crate) fn operand<'a>(words: &[&'a str], number: usize, usage: &str) -> Result<&'a str, CommandError> {
    words.get(number).copied().ok_or_else(|| CommandError(format!("`{}` needs more: expected `{usage}`", words[0])))
}

/// Parses an integer in a range.
pub(crate) fn number<T>(text: &str, range: core::ops::RangeInclusive<T>, what: &str) -> Result<T, CommandError>
where
    T: core::str::FromStr + PartialOrd + core::fmt::Display,
{
    text.parse().ok().filter(|n| range.contains(n)).ok_or_else(|| {
        let (first, last) = range.into_inner();
        CommandError(format!("{what} `{}`: expected a whole number from {first} to {last}", excerpt(text)))
    })
}

/// Returns an error about a word.
pub(crate) fn refuse<T>(what: &str, found: &str, expected: &str) -> Result<T, CommandError> {
    Err(CommandError(format!("{what} `{}`: expected {expected}", excerpt(found))))
}

/// Prints a heading and the moves, ten per line. Prints `none` instead if there are no moves.
pub(crate) fn print_moves(heading: &str, none: &str, moves: &[String], out: &mut dyn Sink) {
    out.print(if moves.is_empty() { none } else { heading });
    moves.chunks(10).for_each(|row| out.print(&format!("  {}", row.join(" "))));
}
