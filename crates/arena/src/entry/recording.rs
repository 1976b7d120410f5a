//! Recorded output of a program, with a limit on its size.

/// Size of each recorded part, in bytes. The parts are the beginning and the end.
const PART: usize = 32 << 10;

/// Lines of a program. Of a long output, only the beginning and the end are kept.
#[derive(Default)]
pub(crate) struct Recording {
    head: String,
    tail: String,
    is_cut: bool,
}

impl Recording {
    /// Appends a line.
    pub(crate) fn add(&mut self, line: &[u8]) {
        let has_room = self.tail.is_empty() && self.head.len() < PART;
        let part = if has_room { &mut self.head } else { &mut self.tail };
        part.push_str(&String::from_utf8_lossy(line));
        part.push('\n');
        if self.tail.len() > 2 * PART {
            let cut = self.tail.len() - PART;
            // Cuts at the end of a line. There is one, because the tail ends with a line feed.
            let end = self.tail.as_bytes()[cut..].iter().position(|&byte| byte == b'\n').unwrap_or_default();
            self.tail.drain(..=cut + end);
            self.is_cut = true;
        }
    }

    /// Returns the recorded lines.
    pub(crate) fn text(&self) -> String {
        let gap = if self.is_cut { "[…]\n" } else { "" };
        format!("{}{gap}{}", self.head, self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_and_the_end_are_kept() {
        let mut recording = Recording::default();
        for i in 0..50_000 {
            recording.add(format!("line {i} é").as_bytes());
        }
        let text = recording.text();
        assert!(text.starts_with("line 0 é\n") && text.ends_with("line 49999 é\n"));
        assert!(text.contains("é\n[…]\nline ") && text.len() < 4 * PART);
        let mut long = Recording::default();
        for line in [vec![b'x'; 1 << 20], vec![b'y'; 1 << 20], b"end".to_vec()] {
            long.add(&line);
        }
        assert!(long.text().ends_with("\nend\n"));
        let mut short = Recording::default();
        short.add(b"one");
        assert_eq!(short.text(), "one\n");
    }
}
