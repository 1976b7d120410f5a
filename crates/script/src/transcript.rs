use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Instant;

/// Bytes of a line that are kept; a flood of long lines must not fill the memory.
const LONGEST: usize = 1_000;

/// Everything that was said between the harness and the programs, with times.
#[derive(Debug)]
pub(crate) struct Transcript {
    start: Instant,
    lines: Mutex<String>,
}

/// Who said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The harness, to the program.
    Sent,
    /// The program, on its standard output.
    Printed,
    /// The program, on its standard error.
    Complained,
    /// The harness, about the program.
    Noted,
}

impl Transcript {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), lines: Mutex::new(String::new()) }
    }

    /// Adds a line about a program, by its number.
    pub(crate) fn add(&self, program: usize, voice: Voice, text: &str) {
        let sign = match voice {
            Voice::Sent => "<-",
            Voice::Printed => "->",
            Voice::Complained => "!>",
            Voice::Noted => "--",
        };
        let seconds = self.start.elapsed().as_secs_f64();
        let mut lines = self.lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let shown = &text[..text.floor_char_boundary(LONGEST)];
        let rest = if shown.len() < text.len() { format!("… ({} bytes)", text.len()) } else { String::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(lines, "{seconds:9.3} {program} {sign} {shown}{rest}");
    }

    pub(crate) fn into_text(self) -> String {
        self.lines.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
