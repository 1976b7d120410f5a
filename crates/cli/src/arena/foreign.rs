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

/// Maximum length of a quoted path, in characters.
const LONGEST_PATH: usize = 120;

/// Quotes a path in an error, with hidden characters escaped. Of a long one the end is kept, which names the file.
pub(super) fn quoted_path(text: &str) -> String {
    let cut = text.chars().count().saturating_sub(LONGEST_PATH);
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
        assert_eq!(shown.chars().count(), LONGEST_PATH + 1);
    }

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
