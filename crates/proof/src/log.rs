//! Log of a long proof: jobs and their results. Each is a line of JSON; the log is append-only.

use std::io::{self, BufRead, BufReader, Read, Write};

use serde::Serialize;
use thiserror::Error;

use crate::job::Job;
use crate::question::{Question, QuestionError};

/// Errors of a log.
#[derive(Debug, Error)]
pub enum LogError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is invalid.
    #[error("line {line}: {reason}")]
    Line {
        /// Line number, counted from 1.
        line: usize,
        /// Reason.
        reason: String,
    },
    /// The log belongs to another question.
    #[error("the log is about {found}, not {asked}; give another file")]
    Other {
        /// Question of the log.
        found: String,
        /// Requested question.
        asked: String,
    },
    /// The question is invalid, or a job does not belong to it.
    #[error(transparent)]
    Question(#[from] QuestionError),
}

/// The storage of a log, such as a file. It is read once from its beginning, then written at its end. `flush` returns
/// when all written data is stored durably.
pub trait Storage: Read + Write + Send {
    /// Truncates the storage to `length` bytes. The next write begins there.
    ///
    /// # Errors
    /// Returns an error if truncation fails.
    fn truncate(&mut self, length: u64) -> io::Result<()>;
}

/// A log that jobs can be appended to.
pub struct Log {
    question: Question,
    storage: Option<Box<dyn Storage>>,
}

impl Log {
    /// Creates a log without storage.
    pub fn nowhere(question: Question) -> Self {
        Self { question, storage: None }
    }

    /// Opens the log of this question and reads its jobs, or begins the log if the storage is empty or contains an
    /// incomplete first line of this log. Removes an incomplete last line. A log that an earlier version of the search
    /// began is continued with that version: [`Self::question`] returns the question with the version of the log.
    ///
    /// # Errors
    /// Returns an error if the storage contains anything other than a log, if it cannot be read or written, or if the
    /// log belongs to another question.
    pub fn open(mut storage: Box<dyn Storage>, mut question: Question) -> Result<(Self, Vec<Job>), LogError> {
        let LogContents { question: found, jobs, length, rest } = read_log(&mut BufReader::new(&mut storage))?;
        match found {
            None => {
                let first = line(&question);
                if !first.as_bytes().starts_with(&rest) {
                    return Err(LogError::Line {
                        line: 1,
                        reason: "not a log: expected a line of JSON with the question".to_owned(),
                    });
                }
                storage.truncate(0)?;
                storage.write_all(first.as_bytes())?;
                storage.flush()?;
            }
            Some(found) if found != (Question { search: found.search, ..question.clone() }) => {
                return Err(LogError::Other { found: found.to_string(), asked: question.to_string() });
            }
            Some(found) => {
                found.choices()?;
                question.search = found.search;
                storage.truncate(length)?;
            }
        }
        Ok((Self { question, storage: Some(storage) }, jobs))
    }

    /// Returns the question.
    pub fn question(&self) -> &Question {
        &self.question
    }

    /// Appends a job.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn add(&mut self, job: &Job) -> io::Result<()> {
        let Some(storage) = &mut self.storage else { return Ok(()) };
        storage.write_all(line(job).as_bytes())?;
        storage.flush()
    }
}

/// Returns a line of the log.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: plain data has a JSON form") + "\n"
}

/// The contents of a log.
#[derive(Debug, Default)]
pub struct LogContents {
    /// The question; `None` if the first line is missing or incomplete.
    pub question: Option<Question>,
    /// Jobs, in the order of their lines.
    pub jobs: Vec<Job>,
    /// Length of all complete lines, in bytes.
    pub length: u64,
    /// Incomplete last line.
    pub rest: Vec<u8>,
}

/// Reads a log.
///
/// # Errors
/// Returns an error if reading fails or a complete line is invalid.
pub fn read_log(input: &mut impl BufRead) -> Result<LogContents, LogError> {
    let mut contents = LogContents::default();
    for line in 1.. {
        contents.rest.clear();
        let read = input.read_until(b'\n', &mut contents.rest)?;
        if !contents.rest.ends_with(b"\n") {
            break;
        }
        contents.length += read as u64;
        let bad = |error: serde_json::Error| LogError::Line { line, reason: error.to_string() };
        match contents.question {
            None => contents.question = Some(serde_json::from_slice(&contents.rest).map_err(bad)?),
            Some(_) => contents.jobs.push(serde_json::from_slice(&contents.rest).map_err(bad)?),
        }
    }
    Ok(contents)
}
