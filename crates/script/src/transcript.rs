//! Transcript of all data that the harness and the programs exchange, with times.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::excerpt::{Excerpt, shorten};

/// A transcript of all data that the harness and the programs exchanged, with times. The whole transcript goes to a
/// file. Only an excerpt is kept for reports, to bound the memory.
#[derive(Debug)]
pub(crate) struct Transcript {
    start: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    kept: Excerpt,
    /// File that receives each line as it is added, until a write fails.
    file: Option<BufWriter<File>>,
    failure: Option<io::Error>,
    /// Channel that receives each line as it is added.
    reader: Option<Sender<String>>,
}

/// The source of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// Input that the harness sent to the program.
    Sent,
    /// Standard output of the program.
    Printed,
    /// Standard error of the program.
    Error,
    /// Note of the harness about the program.
    Noted,
}

impl Transcript {
    /// Creates an empty transcript. Each added line also goes to the reader and to the file, if they are set.
    pub(crate) fn new(reader: Option<Sender<String>>, file: Option<File>) -> Self {
        let state = State { kept: Excerpt::new(), file: file.map(BufWriter::new), failure: None, reader };
        Self { start: Instant::now(), state: Mutex::new(state) }
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
        let line = format!("{seconds:9.3} {program} {sign} {text}");
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.kept.push(&line);
        if let Some(Err(error)) = state.file.as_mut().map(|file| writeln!(file, "{line}")) {
            (state.file, state.failure) = (None, Some(error));
        }
        if let Some(reader) = &state.reader {
            // A closed channel means that the line is not needed.
            let _ = reader.send(shorten(&line) + "\n");
        }
    }

    /// Closes the reader's channel.
    pub(crate) fn close(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).reader = None;
    }

    /// Returns the excerpt.
    ///
    /// # Errors
    /// Returns an error if the file could not be written.
    pub(crate) fn finish(self) -> io::Result<String> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &mut state.file {
            file.flush()?;
        }
        state.failure.map_or(Ok(state.kept.text()), Err)
    }
}
