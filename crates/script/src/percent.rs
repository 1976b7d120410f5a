//! The `%` directives of CS61B's scripts from 2010 to 2016, as `testing/ReadMe` of the project's skeleton describes
//! them for Jump61.
//!
//! | directive | meaning |
//! | --- | --- |
//! | `%ib` | wait for a blue move of the other program and send it to this one |
//! | `%mb` | wait for a blue move of this program and pass it to the other one |
//! | `%ib.` | `%ib`, then wait for a red move of this program and pass it; repeat up to a result |
//! | `%br` | wait for moves of this program for both sides, beginning with blue, up to a result |
//! | `%e` | expect a result; `%eb` expects that Blue has won |
//! | `%ae` | `%e`, and copy the result |
//!
//! The letters are `r` and `b` for Red and Blue, `b` and `w` for Black and White. `%ib.` may end with more than one
//! period. If a result ends a directive's moves, the following `%e` reads that result.

use core::fmt;

use protocol::cs61b::{CourseGame, Message, parse_message};

/// A directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PercentDirective {
    /// `%ib`, with the letter of the side.
    Insert(char),
    /// `%mb`, with the letter of the side.
    Move(char),
    /// `%ib.`, with the letter of the other program's side.
    Answer(char),
    /// `%br`, with the letters of both sides in the order of their moves.
    Both([char; 2]),
    /// `%e`, `%eb` or `%ae`.
    End {
        /// The letter of the winner, if it matters.
        winner: Option<char>,
        /// `true` if the result is copied to the output.
        copy: bool,
    },
}

impl PercentDirective {
    /// Reads a line that begins with `%`; `None` if it is not a known directive.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let side = |c: char| matches!(c, 'b' | 'r' | 'w').then_some(c);
        let letters: Vec<char> = line.strip_prefix('%')?.chars().collect();
        Some(match letters[..] {
            ['i', c] => Self::Insert(side(c)?),
            ['m', c] => Self::Move(side(c)?),
            ['i', c, '.', ref rest @ ..] if rest.iter().all(|&c| c == '.') => Self::Answer(side(c)?),
            ['e'] => Self::End { winner: None, copy: false },
            ['e', c] => Self::End { winner: Some(side(c)?), copy: false },
            ['a', 'e'] => Self::End { winner: None, copy: true },
            [one, other] if one != other => Self::Both([side(one)?, side(other)?]),
            _ => return None,
        })
    }
}

impl fmt::Display for PercentDirective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Insert(side) => write!(f, "%i{side}"),
            Self::Move(side) => write!(f, "%m{side}"),
            Self::Answer(side) => write!(f, "%i{side}."),
            Self::Both([first, second]) => write!(f, "%{first}{second}"),
            Self::End { copy: true, .. } => f.write_str("%ae"),
            Self::End { winner, .. } => write!(f, "%e{}", winner.map(String::from).unwrap_or_default()),
        }
    }
}

/// A message of a program, in the format of 2010 to 2016 or in the current one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    /// The letter of the side that moves or has won. Unset for a tie, and for a move in the current format.
    pub(crate) side: Option<char>,
    pub(crate) message: Message,
}

/// Reads a line without its prompt: `Blue moves 3 2.` or `B::b1-b3`, a result such as `Blue wins.`, or a message in the
/// current format.
pub(crate) fn read_message(course_game: CourseGame, line: &str) -> Option<Said> {
    let text = line.trim();
    let sides = match course_game {
        CourseGame::Jump61 => [("Red moves ", 'r'), ("Blue moves ", 'b')],
        CourseGame::Loa => [("B::", 'b'), ("W::", 'w')],
    };
    for (begin, side) in sides {
        if let Some(rest) = text.strip_prefix(begin) {
            let message = parse_message(course_game, rest).filter(|message| matches!(message, Message::Move(_)))?;
            return Some(Said { side: Some(side), message });
        }
    }
    let starred = text.strip_prefix('*');
    match parse_message(course_game, starred.unwrap_or(text))? {
        Message::Move(_) if starred.is_none() => None,
        message @ Message::Move(_) => Some(Said { side: None, message }),
        Message::Result(result) => {
            let winner = result.to_string().chars().next().map(|c| c.to_ascii_lowercase()).filter(|&c| c != 't');
            Some(Said { side: winner, message: Message::Result(result) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_and_shown() {
        for text in ["%ib", "%mr", "%iw.", "%bw", "%rb", "%e", "%ew", "%ae"] {
            assert_eq!(PercentDirective::read(text).map(|directive| directive.to_string()).as_deref(), Some(text));
        }
        assert_eq!(PercentDirective::read("%ib..."), Some(PercentDirective::Answer('b')));
        for text in ["%", "%x", "%bb", "%ebw", "%ib.x", "%ie", "%time 3", "%aeb", "%me"] {
            assert_eq!(PercentDirective::read(text), None, "{text}");
        }
    }

    #[test]
    fn messages_of_both_games() {
        let read = |game, line| {
            let Said { side, message } = read_message(game, line)?;
            Some(match message {
                Message::Move(text) => (side, text),
                Message::Result(result) => (side, result.to_string()),
            })
        };
        let said = |side, text: &str| Some((side, text.to_owned()));
        assert_eq!(read(CourseGame::Jump61, "Blue moves 3 2."), said(Some('b'), "3 2"));
        assert_eq!(read(CourseGame::Jump61, " Red wins. "), said(Some('r'), "Red wins."));
        assert_eq!(read(CourseGame::Jump61, "* 3 2"), said(None, "3 2"));
        assert_eq!(read(CourseGame::Loa, "W::b1-b3"), said(Some('w'), "b1-b3"));
        assert_eq!(read(CourseGame::Loa, "* Tie game."), said(None, "Tie game."));
        for line in ["3 2", "Blue moves.", "Blue moves Red wins.", "Blue has won", ""] {
            assert_eq!(read(CourseGame::Jump61, line), None, "{line}");
        }
    }
}
