//! Errors of a course's store.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::ErrorCode;
use thiserror::Error;

/// Errors of a course's store.
#[derive(Debug, Error)]
pub enum CourseError {
    /// The tables of tournaments cannot be opened.
    #[error(transparent)]
    Tournaments(#[from] arena::StoreError),
    /// SQLite reported an error.
    #[error("course: {0}")]
    Sqlite(rusqlite::Error),
    /// The disk is full. Nothing was changed.
    #[error("course: the disk is full; nothing was changed")]
    Full,
    /// A file cannot be read or written.
    #[error("course: {0}")]
    Io(std::io::Error),
    /// A file of a course cannot be opened or created.
    #[error("course {}: {why}", path.display())]
    File {
        /// File.
        path: PathBuf,
        /// Error of SQLite or of the system.
        why: String,
    },
    /// A JSON text is invalid.
    #[error("course: {0}")]
    Json(#[from] serde_json::Error),
    /// The file does not exist.
    #[error("course {}: no such file", .0.display())]
    Missing(PathBuf),
    /// The file exists already.
    #[error("course {}: the file exists already", .0.display())]
    Exists(PathBuf),
    /// The file has no course.
    #[error("course {}: the file has no course", .0.display())]
    NoCourse(PathBuf),
    /// The file is of another version.
    #[error("course {}: layout `{found}` found, expected {expected}; it is of another version", path.display())]
    Layout {
        /// File.
        path: PathBuf,
        /// Layout of the file.
        found: String,
        /// Layout of this version.
        expected: i64,
    },
    /// Something with this name or number does not exist.
    #[error("no {kind} `{name}`", name = game::text::excerpt(.name))]
    Unknown {
        /// Kind, such as `team`.
        kind: &'static str,
        /// Name or number.
        name: String,
    },
    /// The action is impossible in the current state.
    #[error("{subject}: {found} found, expected {expected}")]
    Conflict {
        /// Subject of the action, such as `upload 7`.
        subject: String,
        /// Its state.
        found: String,
        /// States in which the action is possible.
        expected: String,
    },
    /// A team has reached an hourly limit.
    #[error("{limit} {what} in an hour found, which is the maximum; the next one is possible at {next}")]
    TooMany {
        /// Kind of the limited action, in the plural.
        what: &'static str,
        /// Limit.
        limit: u32,
        /// Time at which the action becomes possible again.
        next: Timestamp,
    },
}

impl From<rusqlite::Error> for CourseError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            _ => Self::Sqlite(error),
        }
    }
}

impl From<std::io::Error> for CourseError {
    fn from(error: std::io::Error) -> Self {
        let sqlite = error.get_ref().and_then(|inner| inner.downcast_ref::<rusqlite::Error>());
        let is_full = sqlite.is_some_and(|error| error.sqlite_error_code() == Some(ErrorCode::DiskFull));
        match error.kind() {
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => Self::Full,
            _ if is_full => Self::Full,
            _ => Self::Io(error),
        }
    }
}

impl CourseError {
    /// Adds the name of the file to an error of SQLite or of the system.
    pub(super) fn at(self, path: &Path) -> Self {
        let path = path.to_owned();
        match self {
            Self::Sqlite(error) => Self::File { path, why: error.to_string() },
            Self::Io(error) => Self::File { path, why: error.to_string() },
            other => other,
        }
    }

    pub(super) fn unknown(kind: &'static str, name: impl std::fmt::Display) -> Self {
        Self::Unknown { kind, name: name.to_string() }
    }

    pub(super) fn conflict(subject: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self::Conflict { subject: subject.into(), found: found.into(), expected: expected.into() }
    }
}
