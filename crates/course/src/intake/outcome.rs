//! Results of an intake: corrections, refusals and errors.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A correction of an upload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Description of what was found, as a clause.
    pub what: String,
    /// Description of the correction, as a clause.
    pub done: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.done)
    }
}

/// The reason why an upload is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Description of what was found, as a clause.
    pub what: String,
    /// Instruction for the sender. It may have several lines.
    pub remedy: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.remedy)
    }
}

/// Errors of an intake.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// The upload is refused. Its sender can correct it.
    #[error("{0}")]
    Refused(Refusal),
    /// The server cannot read or write a file, for example because its disk is full. The upload can be tried again.
    /// The text names a path of the server, so it is for staff only.
    #[error("{path}: {error}", path = .path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
}

impl From<Refusal> for IntakeError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Returns a refusal as an error.
pub(super) fn refuse<T, E: From<Refusal>>(what: impl Into<String>, remedy: impl Into<String>) -> Result<T, E> {
    Err(Refusal { what: what.into(), remedy: remedy.into() }.into())
}

/// Returns a function that adds a path to an error of the system.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> IntakeError {
    move |error| IntakeError::Io { path: path.to_owned(), error }
}

/// Corrections of an upload so far.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<Note>);

impl Notes {
    /// Adds a correction.
    pub(super) fn add(&mut self, what: impl Into<String>, done: impl Into<String>) {
        self.0.push(Note { what: what.into(), done: done.into() });
    }

    /// Returns the corrections, in the order in which they were made.
    pub(super) fn into_vec(self) -> Vec<Note> {
        self.0
    }
}
