//! Reading lines of any length in bounded memory.

use std::io::{self, BufRead};

/// Maximum length of a line, in bytes. The rest of a longer line is dropped: in the text interfaces it would be extra
/// arguments, which are ignored.
const MAX_LINE: usize = 64 << 10;

/// Reads lines of bytes without their line feed.
pub(crate) struct Lines<R> {
    input: R,
    line: Vec<u8>,
    /// `true` if the leading blanks of each line and a byte-order mark before the first line are removed.
    trims: bool,
    is_first: bool,
}

/// The byte-order mark of UTF-8, which editors on Windows write.
const MARK: &[u8] = b"\xef\xbb\xbf";

impl<R: BufRead> Lines<R> {
    /// Creates a reader that drops leading blanks and a byte-order mark.
    pub(crate) fn trimmed(input: R) -> Self {
        Self { input, line: Vec::new(), trims: true, is_first: true }
    }

    /// Creates a reader that returns lines unchanged.
    pub(crate) fn exact(input: R) -> Self {
        Self { input, line: Vec::new(), trims: false, is_first: true }
    }

    /// Returns the next line, or `None` at the end of the input. A last line without a line feed counts as a line.
    ///
    /// # Errors
    /// Returns an error if the input cannot be read.
    pub(crate) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        let mut read_any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                self.drop_mark();
                return Ok(read_any.then_some(&self.line));
            }
            read_any = true;
            let end = chunk.iter().position(|&b| b == b'\n');
            let piece = &chunk[..end.unwrap_or(chunk.len())];
            keep(&mut self.line, piece, self.trims);
            let used = piece.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                self.drop_mark();
                return Ok(Some(&self.line));
            }
        }
    }

    /// Drops a byte-order mark and the blanks after it from the first line.
    fn drop_mark(&mut self) {
        if std::mem::take(&mut self.is_first) && self.trims && self.line.starts_with(MARK) {
            let rest = self.line[MARK.len()..].trim_ascii_start().len();
            self.line.drain(..self.line.len() - rest);
        }
    }
}

fn keep(line: &mut Vec<u8>, piece: &[u8], trims: bool) {
    let piece = if trims && line.is_empty() { piece.trim_ascii_start() } else { piece };
    let room = MAX_LINE - line.len();
    line.extend_from_slice(&piece[..piece.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_dropped_before_the_first_line_only() {
        let text = "\u{feff} dump\n\u{feff}dump\n".as_bytes();
        let read = |mut lines: Lines<io::BufReader<&[u8]>>| {
            let mut next = || String::from_utf8_lossy(lines.next().expect("readable").expect("a line")).into_owned();
            [next(), next()]
        };
        let input = || io::BufReader::with_capacity(2, text);
        assert_eq!(read(Lines::trimmed(input())), ["dump", "\u{feff}dump"]);
        assert_eq!(read(Lines::exact(input())), ["\u{feff} dump", "\u{feff}dump"]);
        let mut only = Lines::trimmed(MARK);
        assert_eq!(only.next().expect("readable"), Some(&b""[..]));
    }

    #[test]
    fn long_lines_are_cut_and_the_next_one_is_whole() {
        let text = [b" ".repeat(100_000), b"x".repeat(200_000), b"\ndump\n\nlast".to_vec()].concat();
        let mut lines = Lines::trimmed(io::BufReader::with_capacity(7, &text[..]));
        assert_eq!(lines.next().expect("readable").map(<[u8]>::len), Some(MAX_LINE));
        for expected in [&b"dump"[..], b"", b"last"] {
            assert_eq!(lines.next().expect("readable"), Some(expected));
        }
        assert_eq!(lines.next().expect("readable"), None);
    }
}
