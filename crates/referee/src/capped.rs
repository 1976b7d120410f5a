//! A player's standard error.

/// Bytes that are kept of the beginning, and of the end, of a player's standard error in a game.
const KEPT: usize = 16 << 10;

/// Lines of text. Only the first and the last ones are kept when there are many.
#[derive(Default)]
pub(crate) struct Capped {
    head: String,
    tail: String,
    left_out: usize,
}

impl Capped {
    pub(crate) fn add(&mut self, line: &[u8]) {
        let line = String::from_utf8_lossy(line);
        let to =
            if self.tail.is_empty() && self.head.len() + line.len() < KEPT { &mut self.head } else { &mut self.tail };
        to.push_str(&line);
        to.push('\n');
        if self.tail.len() > 2 * KEPT {
            self.trim();
        }
    }

    /// Drops the beginning of the tail.
    fn trim(&mut self) {
        let cut = self.tail.len().saturating_sub(KEPT);
        let cut = (cut..=self.tail.len()).find(|&at| self.tail.is_char_boundary(at)).unwrap_or(0);
        self.left_out += cut;
        self.tail.drain(..cut);
    }

    pub(crate) fn last_line(&self) -> Option<String> {
        let text = if self.tail.is_empty() { &self.head } else { &self.tail };
        text.lines().rfind(|line| !line.trim().is_empty()).map(|line| line.chars().take(200).collect())
    }

    pub(crate) fn text(&mut self) -> String {
        if self.tail.len() > KEPT {
            self.trim();
        }
        let gap =
            if self.left_out > 0 { format!("[… {} bytes left out …]\n", self.left_out) } else { String::new() };
        format!("{}{gap}{}", self.head, self.tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_of_many_lines_are_kept() {
        let mut capped = Capped::default();
        for i in 0..100_000 {
            capped.add(format!("line {i}").as_bytes());
        }
        let text = capped.text();
        assert!(text.starts_with("line 0\nline 1\n") && text.ends_with("line 99998\nline 99999\n"), "{text}");
        assert!(text.len() < 2 * KEPT + 100 && text.contains(" bytes left out"));
        assert_eq!(capped.last_line().as_deref(), Some("line 99999"));
        let mut short = Capped::default();
        short.add("é".as_bytes());
        assert_eq!(short.text(), "é\n");
    }
}
