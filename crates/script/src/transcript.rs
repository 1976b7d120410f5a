//! A log of everything that the harness and the programs exchange, with times.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The number of bytes of a line that are kept, so that a flood of long lines does not fill the memory.
const LONGEST: usize = 1_000;

/// Everything that the harness and the programs exchanged, with times.
#[derive(Debug)]
pub(crate) struct Transcript {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    text: String,
    /// Receives each line as it is added.
    reader: Option<Sender<String>>,
}

/// Where a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// The harness sent it to the program.
    Sent,
    /// The program printed it on its standard output.
    Printed,
    /// The program printed it on its standard error.
    Error,
    /// The harness notes it about the program.
    Noted,
}

impl Transcript {
    /// An empty transcript. Each line also goes to the reader, if there is one.
    pub(crate) fn new(reader: Option<Sender<String>>) -> Self {
        Self { start: Instant::now(), state: Mutex::new(State { text: String::new(), reader }) }
    }

    /// Adds a line about the program with this number.
    pub(crate) fn add(&self, program: usize, voice: Voice, text: &str) {
        let sign = match voice {
            Voice::Sent => "<-",
            Voice::Printed => "->",
            Voice::Error => "!>",
            Voice::Noted => "--",
        };
        let seconds = self.start.elapsed().as_secs_f64();
        let shown = &text[..text.floor_char_boundary(LONGEST)];
        let rest = if shown.len() < text.len() { format!("… ({} bytes)", text.len()) } else { String::new() };
        let line = format!("{seconds:9.3} {program} {sign} {shown}{rest}\n");
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.text.push_str(&line);
        if let Some(reader) = &state.reader {
            // If the reader is gone, the line is not needed.
            let _ = reader.send(line);
        }
    }

    /// Ends the transcript for the reader.
    pub(crate) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).reader = None;
    }

    pub(crate) fn into_text(self) -> String {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).text
    }
}
