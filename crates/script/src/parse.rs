//! Parser of scripts.

use std::time::Duration;

use thiserror::Error;

use crate::percent::PercentDirective;

/// A test script for one program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Program and its arguments.
    pub command: Vec<String>,
    /// Lines after the command, in order.
    pub lines: Vec<ScriptLine>,
}

/// A line of a script after the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptLine {
    /// Line number in the file, from 1.
    pub number: usize,
    /// Directive of the line.
    pub directive: Directive,
}

/// The action that a line of a script requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Directive {
    /// Sends this text to the program. It ends with a newline, except for a last line without one.
    Send(Vec<u8>),
    /// Sets the limits for the following moves and games.
    Time {
        /// Limit of each move.
        of_move: Duration,
        /// Limit of each game.
        of_game: Duration,
    },
    /// Waits for one move.
    Move,
    /// Reads moves until the program reports a result.
    MoveWin {
        /// `true` if the result is copied to the output.
        copy: bool,
    },
    /// Waits for a result and copies it.
    Win,
    /// Passes moves between the two programs until both report a result.
    RemoteMoveWin {
        /// `true` if the result is copied to the output.
        copy: bool,
    },
    /// A `%` directive of the format of 2010 to 2016.
    Percent(PercentDirective),
}

/// Errors of the parser.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParseError {
    /// The first line that is not a comment is not a command line.
    #[error("line {line}: `{found}` found, expected `#* COMMAND` as the first line that is not a comment")]
    NoCommand {
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        found: String,
    },
    /// A byte-order mark precedes the first line.
    #[error(
        "line 1: a byte-order mark (bytes EF BB BF) found before the text: the course's tester does not read such a \
         file, either; save it as UTF-8 without a byte-order mark"
    )]
    ByteOrderMark,
    /// The text has no command line.
    #[error("no `#* COMMAND` line: expected one as the first line that is not a comment")]
    Empty,
    /// A `#*` line with an unknown directive.
    #[error(
        "line {line}: unknown directive `{found}`, expected `time M G`, `move`, `move/win`, `move/win+`, `win+`, \
         `remote move/win` or `remote move/win+`"
    )]
    Unknown {
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        found: String,
    },
    /// An unknown directive of the format of 2010 to 2016.
    #[error(
        "line {line}: `{found}` found, expected a directive of CS61B's scripts from 2010 to 2016: `%ib`, `%ib.`, `%mb`, \
         `%br`, `%e`, `%eb` or `%ae`, with `b`, `r` or `w` for a side"
    )]
    Percent {
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        found: String,
    },
    /// `time` without two numbers.
    #[error("line {line}: `{found}` found, expected `time M G` with the seconds of a move and of a game")]
    Time {
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        found: String,
    },
}

/// Parses a script.
///
/// # Errors
/// Returns an error if there is no command line, or if a directive is unknown. The error contains the line number.
pub fn parse(text: &[u8]) -> Result<Script, ParseError> {
    if text.starts_with(b"\xef\xbb\xbf") {
        return Err(ParseError::ByteOrderMark);
    }
    let text = unix_newlines(text);
    let mut numbered = (1..).zip(text.split_inclusive(|&b| b == b'\n'));
    let command = command(&mut numbered)?;
    let mut lines: Vec<ScriptLine> = Vec::new();
    for (number, text) in numbered {
        let directive = match directive_text(text) {
            Some(found) => directive(number, &found)?,
            None => Directive::Send(text.to_vec()),
        };
        lines.push(ScriptLine { number, directive });
    }
    Ok(Script { command, lines })
}

/// Returns the text with `\n` for each `\r\n` and each lone `\r`.
pub(crate) fn unix_newlines(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    for (i, &byte) in text.iter().enumerate() {
        match byte {
            b'\n' if i > 0 && text[i - 1] == b'\r' => (),
            b'\r' => lines.push(b'\n'),
            other => lines.push(other),
        }
    }
    lines
}

fn command<'a>(lines: &mut impl Iterator<Item = (usize, &'a [u8])>) -> Result<Vec<String>, ParseError> {
    for (line, text) in lines {
        if let Some(found) = directive_text(text) {
            let words: Vec<String> = found.split_ascii_whitespace().map(str::to_owned).collect();
            return if words.is_empty() {
                Err(ParseError::NoCommand { line, found: "#*".to_owned() })
            } else {
                Ok(words)
            };
        }
        let text = text.trim_ascii();
        if !text.is_empty() && !text.starts_with(b"#") {
            return Err(ParseError::NoCommand { line, found: excerpt(text) });
        }
    }
    Err(ParseError::Empty)
}

/// Returns `true` if a line is a directive.
pub(crate) fn is_directive(line: &[u8]) -> bool {
    line.trim_ascii().starts_with(b"#*")
}

/// Returns the text after `#*`, if the line is a directive.
fn directive_text(line: &[u8]) -> Option<String> {
    let rest = line.trim_ascii().strip_prefix(b"#*")?;
    Some(String::from_utf8_lossy(rest.trim_ascii()).into_owned())
}

/// Parses the directive at the beginning of a text and ignores the rest. The first match in `known` is chosen, so a
/// longer directive precedes its prefixes. `time` is the exception: two numbers must follow it.
fn directive(line: usize, found: &str) -> Result<Directive, ParseError> {
    if let Some(rest) = found.strip_prefix("time") {
        return time(rest).ok_or_else(|| ParseError::Time { line, found: excerpt(found.as_bytes()) });
    }
    let normal = found.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let known = [
        ("remote move/win+", Directive::RemoteMoveWin { copy: true }),
        ("remote move/win", Directive::RemoteMoveWin { copy: false }),
        ("move/win+", Directive::MoveWin { copy: true }),
        ("move/win", Directive::MoveWin { copy: false }),
        ("move", Directive::Move),
        ("win+", Directive::Win),
    ];
    let meant = known.into_iter().find(|(prefix, _)| normal.starts_with(prefix));
    meant.map(|(_, directive)| directive).ok_or_else(|| ParseError::Unknown { line, found: excerpt(found.as_bytes()) })
}

fn time(rest: &str) -> Option<Directive> {
    let mut numbers = rest.split_ascii_whitespace().map(|word| word.parse::<f64>().ok());
    let mut seconds = || numbers.next()?.filter(|s| (0.0..=1e6).contains(s)).map(Duration::from_secs_f64);
    let (of_move, of_game) = (seconds()?, seconds()?);
    Some(Directive::Time { of_move, of_game })
}

/// Returns the first 60 characters, escaped, for an error message.
pub(crate) fn excerpt(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let short: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    if text.chars().nth(60).is_some() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, Directive)> {
        let script = parse(text.as_bytes()).expect("a script");
        script.lines.into_iter().map(|line| (line.number, line.directive)).collect()
    }

    fn error(text: &str) -> String {
        parse(text.as_bytes()).expect_err("no script").to_string()
    }

    #[test]
    fn a_byte_order_mark_is_named() {
        let error = error("\u{feff}#* loa\n");
        assert!(error.contains("byte-order mark") && error.contains("course"), "{error}");
    }

    #[test]
    fn the_command_is_the_first_line_that_is_not_a_comment() {
        let script = parse(b"\n# Run it.\n  #*java -ea  loa.Main \r\ndump\n").expect("a script");
        assert_eq!(script.command, ["java", "-ea", "loa.Main"]);
        assert_eq!(script.lines, [ScriptLine { number: 4, directive: Directive::Send(b"dump\n".to_vec()) }]);
    }

    #[test]
    fn a_carriage_return_ends_a_line() {
        let send = |text: &str| Directive::Send(text.as_bytes().to_vec());
        assert_eq!(
            lines("#* loa\r#*move\rfoo\rbar\r\n\r\rend"),
            [
                (2, Directive::Move),
                (3, send("foo\n")),
                (4, send("bar\n")),
                (5, send("\n")),
                (6, send("\n")),
                (7, send("end")),
            ]
        );
    }

    #[test]
    fn directives_are_prefixes_and_everything_else_is_sent() {
        let text = "#* loa\n#*move\n #* move/win+ please\n#*move/winning\n#*win+\n#*remote  move/win\n\
                    #*remote move/win+\n#*time 1.5 20 x\n# comment\n\nquit";
        let send = |text: &str| Directive::Send(text.as_bytes().to_vec());
        assert_eq!(
            lines(text),
            [
                (2, Directive::Move),
                (3, Directive::MoveWin { copy: true }),
                (4, Directive::MoveWin { copy: false }),
                (5, Directive::Win),
                (6, Directive::RemoteMoveWin { copy: false }),
                (7, Directive::RemoteMoveWin { copy: true }),
                (8, Directive::Time { of_move: Duration::from_millis(1500), of_game: Duration::from_secs(20) }),
                (9, send("# comment\n")),
                (10, send("\n")),
                (11, send("quit")),
            ]
        );
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(error(""), "no `#* COMMAND` line: expected one as the first line that is not a comment");
        assert_eq!(
            error("# x\ndump\n#* loa\n"),
            "line 2: `dump` found, expected `#* COMMAND` as the first line that is not a comment"
        );
        assert!(error("#*\n").starts_with("line 1: `#*` found, expected `#* COMMAND`"));
        assert!(error("#* loa\n#*wait").starts_with("line 2: unknown directive `wait`, expected `time M G`"));
        assert!(error("#* loa\n\n#*win").starts_with("line 3: unknown directive `win`"));
        for time in ["time", "time 1", "time a b", "time -1 5", "time 1 nan", "time inf 1"] {
            let expected =
                format!("line 2: `{time}` found, expected `time M G` with the seconds of a move and of a game");
            assert_eq!(error(&format!("#* loa\n#*{time}\n")), expected);
        }
    }
}
