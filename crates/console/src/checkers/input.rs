//! A byte-by-byte recogniser for lines of the input, so that a line of any length needs constant memory.

use core::fmt;

/// A column letter and a row number of the input, which may be off the board.
pub(super) type Place = (u8, u32);

/// A line of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Only blanks.
    Blank,
    /// One byte, digits, `-`, one byte, digits.
    Action { from: Place, to: Place },
    /// `A` or `P`.
    Command(u8),
    /// Anything else.
    Other(Mistake),
}

/// The first byte that shows that a line is neither an action nor a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    /// Number of the byte in its line, from 1.
    column: u64,
    /// Byte; `None` at the end of the line.
    found: Option<u8>,
    expected: &'static str,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: ", self.column)?;
        match self.found {
            None => f.write_str("end of line")?,
            Some(byte) => write!(f, "`{}`", byte.escape_ascii())?,
        }
        write!(f, " found, expected {}", self.expected)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Start,
    FirstByte(u8),
    FirstRow(Place),
    Dash(Place),
    SecondByte(Place, u8),
    SecondRow(Place, Place),
    /// Blanks after a complete action or command.
    Trailing(Line),
    Other(Mistake),
}

impl State {
    /// Returns a description of the expected input.
    const fn expected(self) -> &'static str {
        match self {
            Self::Start | Self::Dash(_) => "a column letter",
            Self::FirstByte(b'A' | b'P') => "a row number or the end of the line",
            Self::FirstByte(_) | Self::SecondByte(..) => "a row number",
            Self::FirstRow(_) => "a digit or `-`",
            Self::SecondRow(..) => "a digit or the end of the line",
            Self::Trailing(_) | Self::Other(_) => "the end of the line",
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct LineReader {
    state: State,
    /// Number of bytes of the line so far.
    column: u64,
}

impl LineReader {
    /// Processes one byte. Returns the line at a line feed.
    pub(super) fn feed(&mut self, byte: u8) -> Option<Line> {
        if byte == b'\n' {
            return Some(self.end());
        }
        self.column += 1;
        let mistake = Mistake { column: self.column, found: Some(byte), expected: self.state.expected() };
        self.state = next(self.state, byte).unwrap_or(State::Other(mistake));
        None
    }

    /// Ends the line.
    pub(super) fn end(&mut self) -> Line {
        let column = core::mem::take(&mut self.column) + 1;
        match core::mem::take(&mut self.state) {
            State::Start => Line::Blank,
            State::Other(mistake) => Line::Other(mistake),
            state => whole(state).unwrap_or(Line::Other(Mistake { column, found: None, expected: state.expected() })),
        }
    }
}

/// Returns the state after one more byte; `None` if the line is neither an action nor a command.
fn next(state: State, byte: u8) -> Option<State> {
    let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    match (state, digit) {
        (State::Other(_), _) => Some(state),
        (State::Start, _) if is_blank(byte) => Some(State::Start),
        (State::Start, _) => Some(State::FirstByte(byte)),
        (State::FirstByte(column), Some(digit)) => Some(State::FirstRow((column, digit))),
        (State::FirstRow((column, row)), Some(digit)) => Some(State::FirstRow((column, append(row, digit)))),
        (State::FirstRow(from), None) if byte == b'-' => Some(State::Dash(from)),
        (State::Dash(from), _) => Some(State::SecondByte(from, byte)),
        (State::SecondByte(from, column), Some(digit)) => Some(State::SecondRow(from, (column, digit))),
        (State::SecondRow(from, (column, row)), Some(digit)) => {
            Some(State::SecondRow(from, (column, append(row, digit))))
        }
        (state, _) if is_blank(byte) => whole(state).map(State::Trailing),
        _ => None,
    }
}

/// Returns the action or command that ends here.
fn whole(state: State) -> Option<Line> {
    match state {
        State::FirstByte(command @ (b'A' | b'P')) => Some(Line::Command(command)),
        State::SecondRow(from, to) => Some(Line::Action { from, to }),
        State::Trailing(line) => Some(line),
        _ => None,
    }
}

/// Appends a digit. Large numbers saturate, because it only matters that they are off the board.
fn append(number: u32, digit: u32) -> u32 {
    number.saturating_mul(10).saturating_add(digit)
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Line {
        let mut reader = LineReader::default();
        for byte in line.bytes() {
            assert_eq!(reader.feed(byte), None);
        }
        reader.end()
    }

    fn action(from: (char, u32), to: (char, u32)) -> Line {
        let place = |(column, row): (char, u32)| (column as u8, row);
        Line::Action { from: place(from), to: place(to) }
    }

    #[test]
    fn lines_are_what_the_specification_says() {
        assert_eq!(read("G6-F5"), action(('G', 6), ('F', 5)));
        assert_eq!(read(" \tG06-F5 \r"), action(('G', 6), ('F', 5)));
        assert_eq!(read("A66-B5"), action(('A', 66), ('B', 5)));
        assert_eq!(read("g6-f5"), action(('g', 6), ('f', 5)));
        assert_eq!(read(&format!("A{}1-B2", "9".repeat(50))), action(('A', u32::MAX), ('B', 2)));
        assert_eq!(read(&format!("A{}1-B2", "0".repeat(50))), action(('A', 1), ('B', 2)));
        assert_eq!(read("A"), Line::Command(b'A'));
        assert_eq!(read(" P \r"), Line::Command(b'P'));
        for blank in ["", "  ", "\r"] {
            assert_eq!(read(blank), Line::Blank);
        }
    }

    #[test]
    fn other_lines_tell_where_the_mistake_is_and_what_was_expected() {
        for (other, why) in [
            ("A-1-B5", "column 2: `-` found, expected a row number or the end of the line"),
            ("G6 - F5", "column 3: ` ` found, expected a digit or `-`"),
            ("G6", "column 3: end of line found, expected a digit or `-`"),
            ("AA", "column 2: `A` found, expected a row number or the end of the line"),
            ("A P", "column 3: `P` found, expected the end of the line"),
            ("B", "column 2: end of line found, expected a row number"),
            ("G6-F5x", "column 6: `x` found, expected a digit or the end of the line"),
            (" G6-F5 x", "column 8: `x` found, expected the end of the line"),
            ("G6-", "column 4: end of line found, expected a column letter"),
            ("\u{e9}x", "column 2: `\\xa9` found, expected a row number"),
            ("a", "column 2: end of line found, expected a row number"),
            ("G6-F\0", "column 5: `\\x00` found, expected a row number"),
        ] {
            let Line::Other(mistake) = read(other) else { panic!("{other} is not a line of the input") };
            assert_eq!(mistake.to_string(), why, "{other}");
        }
    }
}
