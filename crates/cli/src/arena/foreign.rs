//! Text of agents on its way to a terminal.

use std::io::{self, Write};

/// Writes text so that a terminal obeys nothing in it. Escaped characters stay right in JSON.
pub(crate) struct Printable<W> {
    out: W,
    /// The beginning of a character of which the rest is still to come.
    begun: Vec<u8>,
}

impl<W: Write> Printable<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, begun: Vec::new() }
    }
}

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.begun);
        text.extend_from_slice(bytes);
        // The rest of the last character may come with the next write.
        if let Err(error) = str::from_utf8(&text[text.len().saturating_sub(3)..])
            && error.error_len().is_none()
        {
            self.begun = text.split_off(text.len().saturating_sub(3) + error.valid_up_to());
        }
        for chunk in text.utf8_chunks() {
            self.out.write_all(game::text::printable(chunk.valid()).as_bytes())?;
            for byte in chunk.invalid() {
                write!(self.out, "\\u{byte:04x}")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        let mut shown = Vec::new();
        let mut out = Printable::new(&mut shown);
        for piece in [&b"\x1b]0;title\x07 \xc2\x9b2J a\rb \xe2\x80"[..], b"\xaex\n", "\u{7f}é\t\n".as_bytes()] {
            out.write_all(piece).expect("written");
        }
        let shown = String::from_utf8(shown).expect("UTF-8");
        assert_eq!(shown, "\\u001b]0;title\\u0007 \\u009b2J a\\rb \\u202ex\n\\u007fé\t\n");
    }
}
