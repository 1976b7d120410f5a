//! Transcript of a game, as a text file that is readable at any time.

use core::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use game::Side;

/// Maximum size of the file of a game, in bytes.
const MOST: usize = 16 << 20;
/// Maximum length of a line, in characters.
const LONGEST: usize = 2_000;

/// The communication between the players of one game and the referee. Each line of the file has the seconds since the
/// beginning of the game, the side, the direction and the text:
///
/// ```text
///     0.0102 first  > go movetime 930
///     0.9120 first  < bestmove b1-b3
///     0.9122 second ! a line on standard error
/// ```
///
/// A line of a program has the time at which the referee read it. Every line is written to the system immediately, so
/// that the file is complete even if the arena is killed.
#[derive(Clone, Debug)]
pub struct Transcript(Arc<Mutex<Page>>);

#[derive(Debug)]
struct Page {
    file: File,
    began: Instant,
    left: usize,
}

/// The source of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Input that the referee sent to the program.
    Referee,
    /// Standard output of the program.
    Program,
    /// Standard error of the program.
    StandardError,
    /// Note of the referee.
    Note,
}

impl Transcript {
    /// Creates the file, or truncates an existing one.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        let page = Page { file: File::create(path)?, began: Instant::now(), left: MOST };
        Ok(Self(Arc::new(Mutex::new(page))))
    }

    /// Adds a line about the player of a side.
    pub fn write(&self, side: Side, speaker: Speaker, text: fmt::Arguments<'_>) {
        let sign = match speaker {
            Speaker::Referee => '>',
            Speaker::Program => '<',
            Speaker::StandardError => '!',
            Speaker::Note => '=',
        };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).line(["first", "second"][side.index()], sign, text);
    }
}

impl Page {
    /// Writes a line. Errors are ignored, because a full disk must not end a game.
    fn line(&mut self, who: &str, sign: char, text: fmt::Arguments<'_>) {
        if self.left == 0 {
            return;
        }
        let mut line = format!("{:>10.4} {who:<6} {sign} ", self.began.elapsed().as_secs_f64());
        // Escape control characters, so that the output of a program cannot control the terminal that shows the file.
        let text = text.to_string();
        for c in text.chars().take(LONGEST) {
            if c.is_control() { line.extend(c.escape_default()) } else { line.push(c) }
        }
        line += if text.chars().nth(LONGEST).is_some() { " […]\n" } else { "\n" };
        if line.len() > self.left {
            self.left = 0;
            "The rest is left out.\n".clone_into(&mut line);
        } else {
            self.left -= line.len();
        }
        let _ = self.file.write_all(line.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_readable_at_once_and_the_file_is_bounded() {
        let path = std::env::temp_dir().join(format!("plyhouse-transcript-{}", std::process::id()));
        let transcript = Transcript::create(&path).expect("a file");
        let read = || std::fs::read_to_string(&path).expect("a text");
        transcript.write(Side::First, Speaker::Referee, format_args!("go nodes 5"));
        transcript.write(Side::Second, Speaker::Program, format_args!("\u{1b}[2Jbestmove\tb1-b3 ü"));
        let text = read();
        let lines: Vec<&str> = text.lines().map(|line| line[10..].trim_start()).collect();
        assert_eq!(lines, ["first  > go nodes 5", "second < \\u{1b}[2Jbestmove\\tb1-b3 ü"]);
        let long = "x".repeat(LONGEST + 1);
        for _ in 0..MOST / LONGEST + 10 {
            transcript.write(Side::First, Speaker::StandardError, format_args!("{long}"));
        }
        let text = read();
        assert!(text.len() <= MOST + 40 && text.ends_with(" […]\nThe rest is left out.\n"), "{}", text.len());
        std::fs::remove_file(&path).expect("the file is there");
    }
}
