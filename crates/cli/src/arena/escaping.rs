//! Escapes text of agents for terminals and error messages.

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

/// Maximum length of a quoted path, in characters.
const MAX_PATH: usize = 120;

/// Formats a path for an error message, with hidden characters escaped. A long path loses its beginning, because its
/// end names the file.
pub(super) fn quoted_path(text: &str) -> String {
    let cut = text.chars().count().saturating_sub(MAX_PATH);
    let kept = text.chars().skip(cut).map(|c| game::text::excerpt(c.encode_utf8(&mut [0; 4])));
    let mark = if cut > 0 { "…" } else { "" };
    kept.fold(mark.to_owned(), |shown, c| shown + &c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_long_path_is_quoted() {
        let path = "/home/student/cs61b/projects/autumn/lines/agents/a\n\u{202e}b.py";
        assert_eq!(quoted_path(path), path.replace('\n', "\\n").replace('\u{202e}', "\\u202e"));
        let long = format!("{}/agent.py", "/folder".repeat(40));
        let shown = quoted_path(&long);
        assert!(shown.starts_with('…') && shown.ends_with("/folder/agent.py"), "{shown}");
        assert_eq!(shown.chars().count(), MAX_PATH + 1);
    }

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
