//! Recognises the lines of the input byte by byte, so that a line of any length costs no memory.

/// A column letter and a row number as they were written; they may be outside of the board.
pub(super) type Place = (u8, u32);

/// What a line of the input is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Nothing but blanks.
    Blank,
    /// One byte, digits, `-`, one byte, digits.
    Action { from: Place, to: Place },
    /// `A` or `P`.
    Command(u8),
    /// Anything else.
    Other,
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
    /// Blanks after a whole action or command.
    Trailing(Line),
    Other,
}

#[derive(Debug, Default)]
pub(super) struct LineReader {
    state: State,
}

impl LineReader {
    /// Takes one byte; at a line feed says what the line was.
    pub(super) fn feed(&mut self, byte: u8) -> Option<Line> {
        if byte == b'\n' {
            return Some(self.end());
        }
        self.state = next(self.state, byte);
        None
    }

    /// Ends the line.
    pub(super) fn end(&mut self) -> Line {
        match core::mem::take(&mut self.state) {
            State::Start => Line::Blank,
            state => whole(state),
        }
    }
}

fn next(state: State, byte: u8) -> State {
    let digit = byte.is_ascii_digit().then(|| u32::from(byte - b'0'));
    match (state, digit) {
        (State::Start, _) if is_blank(byte) => State::Start,
        (State::Start, _) => State::FirstByte(byte),
        (State::FirstByte(column), Some(digit)) => State::FirstRow((column, digit)),
        (State::FirstRow((column, row)), Some(digit)) => State::FirstRow((column, append(row, digit))),
        (State::FirstRow(from), None) if byte == b'-' => State::Dash(from),
        (State::Dash(from), _) => State::SecondByte(from, byte),
        (State::SecondByte(from, column), Some(digit)) => State::SecondRow(from, (column, digit)),
        (State::SecondRow(from, (column, row)), Some(digit)) => State::SecondRow(from, (column, append(row, digit))),
        (state, _) if is_blank(byte) => match whole(state) {
            Line::Other | Line::Blank => State::Other,
            line => State::Trailing(line),
        },
        _ => State::Other,
    }
}

/// What the line is if it ends here.
fn whole(state: State) -> Line {
    match state {
        State::FirstByte(command @ (b'A' | b'P')) => Line::Command(command),
        State::SecondRow(from, to) => Line::Action { from, to },
        State::Trailing(line) => line,
        _ => Line::Other,
    }
}

/// Large numbers stay large: all that matters is that they are outside of the board.
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
        for other in ["A-1-B5", "G6 - F5", "G6", "AA", "A P", "B", "G6-F5x", "G6-F5 x", "G6-", "a", "G6-F"] {
            assert_eq!(read(other), Line::Other, "{other}");
        }
    }
}
