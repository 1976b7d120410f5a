//! Escapes text of agents for terminals.

use std::io::{self, Write};

/// A writer that escapes control and other hidden characters, so that a terminal does not interpret them. The escapes
/// are valid in JSON.
pub(super) struct EscapingWriter<W> {
    out: W,
    /// Incomplete character at the end of the last write.
    partial: Vec<u8>,
}

impl<W: Write> EscapingWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, partial: Vec::new() }
    }
}

impl<W: Write> Write for EscapingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = std::mem::take(&mut self.partial);
        text.extend_from_slice(bytes);
        // The next write may complete the last character.
        if let Err(error) = str::from_utf8(&text[text.len().saturating_sub(3)..])
            && error.error_len().is_none()
        {
            self.partial = text.split_off(text.len().saturating_sub(3) + error.valid_up_to());
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
    fn control_sequences_are_escaped() {
        let mut shown = Vec::new();
        let mut out = EscapingWriter::new(&mut shown);
        for piece in [&b"\x1b]0;title\x07 \xc2\x9b2J a\rb \xe2\x80"[..], b"\xaex\n", "\u{7f}é\t\n".as_bytes()] {
            out.write_all(piece).expect("written");
        }
        let shown = String::from_utf8(shown).expect("UTF-8");
        assert_eq!(shown, "\\u001b]0;title\\u0007 \\u009b2J a\\rb \\u202ex\n\\u007fé\t\n");
    }
}
