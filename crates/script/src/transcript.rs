use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Bytes of a line that are kept; a flood of long lines must not fill the memory.
const LONGEST: usize = 1_000;

/// Everything that was said between the harness and the programs, with times.
#[derive(Debug)]
pub(crate) struct Transcript {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    text: String,
    /// Somebody who reads along.
    reader: Option<Sender<String>>,
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
    /// An empty transcript; each line goes to the reader, too, if there is one.
    pub(crate) fn new(reader: Option<Sender<String>>) -> Self {
        Self { start: Instant::now(), state: Mutex::new(State { text: String::new(), reader }) }
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
        let shown = &text[..text.floor_char_boundary(LONGEST)];
        let rest = if shown.len() < text.len() { format!("… ({} bytes)", text.len()) } else { String::new() };
        let line = format!("{seconds:9.3} {program} {sign} {shown}{rest}\n");
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.text.push_str(&line);
        if let Some(reader) = &state.reader {
            // A reader that has gone away misses nothing.
            let _ = reader.send(line);
        }
    }

    /// Ends the transcript for its reader.
    pub(crate) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).reader = None;
    }

    pub(crate) fn into_text(self) -> String {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).text
    }
}
