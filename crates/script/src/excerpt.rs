//! Excerpts of long texts, for reports.

use std::collections::VecDeque;

use game::text::printable;

/// Maximum length of a line in an excerpt, in bytes.
const LONGEST_LINE: usize = 1_000;

/// A text that grows line by line, of which only the beginning and the end are kept. Hidden characters are escaped.
#[derive(Debug)]
pub(crate) struct Excerpt {
    /// Maximum size of each of the two parts, in bytes.
    most_bytes: usize,
    most_lines: usize,
    head: VecDeque<String>,
    head_bytes: usize,
    /// Last lines, once the head is full.
    tail: VecDeque<String>,
    tail_bytes: usize,
    left_out: usize,
}

impl Excerpt {
    /// Creates an empty excerpt of at most 10,000 bytes. The courses' tester reports the same number of characters of
    /// each file.
    pub(crate) fn new() -> Self {
        Self::with_limits(5_000, usize::MAX)
    }

    /// Creates an empty excerpt of at most 20 lines, enough for the first and the last lines of a stack trace.
    pub(crate) fn of_errors() -> Self {
        Self::with_limits(2_000, 10)
    }

    /// Returns the excerpt of a whole text.
    pub(crate) fn of(text: &str) -> Self {
        let mut excerpt = Self::new();
        text.lines().for_each(|line| excerpt.push(line));
        excerpt
    }

    fn with_limits(most_bytes: usize, most_lines: usize) -> Self {
        let (head, tail) = (VecDeque::new(), VecDeque::new());
        Self { most_bytes, most_lines, head, head_bytes: 0, tail, tail_bytes: 0, left_out: 0 }
    }

    /// Adds a line.
    pub(crate) fn push(&mut self, line: &str) {
        let line = shorten(line) + "\n";
        let (most_bytes, most_lines) = (self.most_bytes, self.most_lines);
        let fits = |lines: &VecDeque<String>, bytes: usize| bytes <= most_bytes && lines.len() < most_lines;
        if self.tail.is_empty() && fits(&self.head, self.head_bytes + line.len()) {
            self.head_bytes += line.len();
            self.head.push_back(line);
            return;
        }
        while !fits(&self.tail, self.tail_bytes + line.len())
            && let Some(dropped) = self.tail.pop_front()
        {
            self.tail_bytes -= dropped.len();
            self.left_out += 1;
        }
        self.tail_bytes += line.len();
        self.tail.push_back(line);
    }

    /// Returns the lines that were kept, with a note in place of the missing lines. The note refers to transcripts,
    /// which contain all lines.
    pub(crate) fn text(&self) -> String {
        self.text_with("; `--transcripts DIR` keeps them")
    }

    /// Returns the lines that were kept, with a note in place of the missing lines. The note ends with `advice`.
    pub(crate) fn text_with(&self, advice: &str) -> String {
        let mut text: String = self.head.iter().map(String::as_str).collect();
        if self.left_out > 0 {
            text.extend([format!(
                "… ({} line{} left out{advice})\n",
                self.left_out,
                if self.left_out == 1 { "" } else { "s" }
            )]);
        }
        text.extend(self.tail.iter().map(String::as_str));
        text
    }
}

/// Returns the line with hidden characters escaped. A long line is replaced by its beginning and its length in bytes.
pub(crate) fn shorten(line: &str) -> String {
    let (shown, rest) = line.split_at(line.floor_char_boundary(LONGEST_LINE));
    let shown = printable(shown);
    if rest.is_empty() { shown.into_owned() } else { format!("{shown}… ({} bytes)", line.len()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_are_whole() {
        let text = "a line\n".repeat(20);
        assert_eq!(Excerpt::of(&text).text(), text);
        let mut errors = Excerpt::of_errors();
        text.lines().for_each(|line| errors.push(line));
        assert_eq!(errors.text(), text);
        assert_eq!(Excerpt::of("").text(), "");
    }

    #[test]
    fn the_middle_of_a_long_text_is_left_out() {
        let mut errors = Excerpt::of_errors();
        (0..1_000).for_each(|line| errors.push(&line.to_string()));
        let text = errors.text();
        assert!(text.starts_with("0\n1\n") && text.ends_with("998\n999\n"), "{text}");
        assert!(text.contains("\n9\n… (980 lines left out; `--transcripts DIR` keeps them)\n990\n"), "{text}");
    }

    #[test]
    fn no_text_is_longer_than_ten_thousand_bytes_and_a_note() {
        for line in ["é".repeat(100_000), "x".repeat(700), "x".to_owned(), String::new()] {
            let text = Excerpt::of(&format!("{line}\n").repeat(100 + 30_000 / line.len().max(1))).text();
            assert!(text.len() < 10_100, "{} bytes", text.len());
        }
    }

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(Excerpt::of("a\tb\x1b[2J\0").text(), "a\tb\\u001b[2J\\u0000\n");
    }
}
