//! Parser for the output of the CS61B programs, as a test harness reads it: prompts, and messages that begin with `*`.
//!
//! ```
//! use protocol::cs61b::{CourseGame, Message, parse_message, strip_prompt};
//!
//! let line = strip_prompt("b> w> * A2-c2");
//! let message = line.strip_prefix('*').and_then(|text| parse_message(CourseGame::Loa, text));
//! assert_eq!(message, Some(Message::Move("a2-c2".to_owned())));
//! ```

use core::fmt;
use core::str::FromStr;

use thiserror::Error;

/// A game of the course.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CourseGame {
    /// Lines of Action.
    Loa,
    /// Jump61.
    Jump61,
}

/// The error for an unknown name of a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{0}`: expected `loa` or `jump61`")]
pub struct UnknownCourseGame(String);

impl FromStr for CourseGame {
    type Err = UnknownCourseGame;

    fn from_str(text: &str) -> Result<Self, UnknownCourseGame> {
        match text {
            "loa" => Ok(Self::Loa),
            "jump61" => Ok(Self::Jump61),
            _ => Err(UnknownCourseGame(game::text::excerpt(text))),
        }
    }
}

impl fmt::Display for CourseGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loa => "loa",
            Self::Jump61 => "jump61",
        })
    }
}

/// A well-formed message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A move of an automated player, in the form of the command that plays it: `a2-c2`, `1 4`.
    Move(String),
    /// The end of a game.
    Result(GameResult),
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black, or Red, has won.
    First(CourseGame),
    /// White, or Blue, has won.
    Second(CourseGame),
    /// The game is drawn. The course calls it a tie.
    Tie,
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First(CourseGame::Loa) => "Black wins.",
            Self::First(CourseGame::Jump61) => "Red wins.",
            Self::Second(CourseGame::Loa) => "White wins.",
            Self::Second(CourseGame::Jump61) => "Blue wins.",
            Self::Tie => "Tie game.",
        })
    }
}

/// Removes the prompts from a line: everything up to and including the last `>`, and the blanks after it.
pub fn strip_prompt(line: &str) -> &str {
    match line.rfind('>') {
        Some(at) => line[at + 1..].trim_start(),
        None => line,
    }
}

/// Parses a message without its `*`. Returns `None` if it is malformed. Text after a move is ignored.
pub fn parse_message(course_game: CourseGame, text: &str) -> Option<Message> {
    let text = text.trim();
    if let Some(result) = result(course_game, text) {
        return Some(Message::Result(result));
    }
    match course_game {
        // Text after the move is ignored, even if a period follows it immediately.
        CourseGame::Loa => text.get(..5).and_then(loa_move).map(Message::Move),
        CourseGame::Jump61 => jump61_move(text).map(|(text, _)| Message::Move(text)),
    }
}

/// Returns the move at the beginning of a message as printed, with capital letters and blanks; `None` if there is no
/// move.
///
/// ```
/// use protocol::cs61b::{CourseGame, printed_move};
///
/// assert_eq!(printed_move(CourseGame::Loa, "A2-C2 captures"), Some("A2-C2"));
/// assert_eq!(printed_move(CourseGame::Jump61, "01  4."), Some("01  4"));
/// ```
pub fn printed_move(course_game: CourseGame, text: &str) -> Option<&str> {
    let text = text.trim();
    match course_game {
        CourseGame::Loa => text.get(..5).filter(|word| loa_move(word).is_some()),
        CourseGame::Jump61 => jump61_move(text).map(|(_, rest)| &text[..text.len() - rest.len()]),
    }
}

fn result(course_game: CourseGame, text: &str) -> Option<GameResult> {
    let ties = matches!(course_game, CourseGame::Loa).then_some(GameResult::Tie);
    let all = [Some(GameResult::First(course_game)), Some(GameResult::Second(course_game)), ties];
    let normal = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    all.into_iter().flatten().find(|result| result.to_string() == normal)
}

fn loa_move(word: &str) -> Option<String> {
    let lower = word.to_ascii_lowercase();
    let square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']);
    let (from, to) = lower.split_once('-')?;
    (square(from) && square(to)).then_some(lower)
}

/// Parses two numbers with blanks between them. Returns the move and the text after it.
fn jump61_move(text: &str) -> Option<(String, &str)> {
    let (row, rest) = coordinate(text)?;
    let rest = rest.strip_prefix(|c: char| c.is_ascii_whitespace())?;
    let (column, rest) = coordinate(rest.trim_start())?;
    Some((format!("{row} {column}"), rest))
}

/// Parses a row or a column, 1 to 10. Returns it and the text after its digits.
fn coordinate(text: &str) -> Option<(u8, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = text[..end].parse().ok().filter(|n| (1..=10).contains(n))?;
    Some((number, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(text: &str) -> Message {
        Message::Move(text.to_owned())
    }

    #[test]
    fn moves_and_results_of_each_game() {
        assert_eq!(parse_message(CourseGame::Loa, " a2-c2"), Some(moved("a2-c2")));
        assert_eq!(parse_message(CourseGame::Loa, " A2-C2 captures"), Some(moved("a2-c2")));
        assert_eq!(parse_message(CourseGame::Jump61, "1 4 "), Some(moved("1 4")));
        assert_eq!(parse_message(CourseGame::Loa, "a2-c2."), Some(moved("a2-c2")));
        assert_eq!(parse_message(CourseGame::Jump61, "10 10."), Some(moved("10 10")));
        assert_eq!(parse_message(CourseGame::Jump61, "10 9 done"), Some(moved("10 9")));
        let result = |course_game, text| parse_message(course_game, text).map(|message| format!("{message:?}"));
        assert_eq!(result(CourseGame::Loa, "White wins.").as_deref(), Some("Result(Second(Loa))"));
        assert_eq!(result(CourseGame::Loa, "Tie game.").as_deref(), Some("Result(Tie)"));
        assert_eq!(result(CourseGame::Jump61, "Red wins.").as_deref(), Some("Result(First(Jump61))"));
    }

    #[test]
    fn everything_else_is_malformed() {
        for text in [
            "",
            " ",
            "a2",
            "a2-",
            "a9-a1",
            "i1-a1",
            "a2c2",
            "a2-cé",
            "éa2-c2",
            "Red wins.",
            "white wins.",
            "White wins",
            "1 4",
            "é-é",
        ] {
            assert_eq!(parse_message(CourseGame::Loa, text), None, "{text}");
        }
        for text in
            ["", "1", "0 1", "1 11", "1 100", "14", "1,4", "-1 2", "+1 2", "a2-c2", "Black wins.", "Tie game.", "1:2"]
        {
            assert_eq!(parse_message(CourseGame::Jump61, text), None, "{text}");
        }
    }

    #[test]
    fn prompts_are_dropped_up_to_the_last() {
        assert_eq!(strip_prompt("b> w>   * a2-c2"), "* a2-c2");
        assert_eq!(strip_prompt("  plain"), "  plain");
        assert_eq!(strip_prompt("-> "), "");
    }
}
