//! Errors of submissions and of the preparation of agents.

use std::io;
use std::path::PathBuf;

use process::sandbox::{Bytes, Tier};
use protocol::dialects::UnknownDialect;
use thiserror::Error;

use crate::spec_error::SpecError;

/// A problem of a submission, or of the preparation of an agent.
#[derive(Debug, Error)]
pub enum EntryError {
    /// A file or folder cannot be read.
    #[error("{what}: {error}")]
    Io {
        /// Description of the file or folder, such as `folder agents/ann`.
        what: String,
        /// Error of the system.
        error: io::Error,
    },
    /// The `agent.toml` is invalid.
    #[error("file {}: {error}", .file.display())]
    Description {
        /// Path of the `agent.toml`.
        file: PathBuf,
        /// Reason.
        error: Box<SpecError>,
    },
    /// A word in `agent.toml` is unknown, and resembles a known one.
    #[error("file {}: {error}\n`{meant}` was probably meant", .file.display())]
    Misspelt {
        /// Path of the `agent.toml`.
        file: PathBuf,
        /// Error with the line, the column and the word.
        error: Box<SpecError>,
        /// Known word that resembles the unknown one.
        meant: String,
    },
    /// The dialect in `agent.toml` is unknown, and resembles a known one.
    #[error("file {}: line {line}, column {column}: {error}\n`{meant}` was probably meant", .file.display())]
    UnknownDialect {
        /// Path of the `agent.toml`.
        file: PathBuf,
        /// Line of the dialect, from 1.
        line: usize,
        /// Column of the dialect, in characters from 1.
        column: usize,
        /// Error with the unknown dialect.
        error: UnknownDialect,
        /// Dialect that resembles the unknown one.
        meant: String,
    },
    /// The `agent.toml` is too large.
    #[error("file {}: more than {most} bytes found, expected a few lines", .file.display())]
    LargeDescription {
        /// Path of the `agent.toml`.
        file: PathBuf,
        /// Maximum size, in bytes.
        most: u64,
    },
    /// The command or the dialect is missing.
    #[error(
        "folder {}: the command or the dialect is missing: expected both in `agent.toml` or as options{hint}",
        .folder.display()
    )]
    Undescribed {
        /// Folder of the agent.
        folder: PathBuf,
        /// Probable reason and the remedy, as further clauses, or empty.
        hint: String,
    },
    /// The submission asks for one of our engines.
    #[error(
        "builtin: `{}` found, expected `command`: built-in engines cannot be submitted",
        game::text::excerpt(.0)
    )]
    Builtin(String),
    /// The submission lists files as its own output.
    #[error("writes: found, but only `arena enter` may set this field")]
    Writes,
    /// The name is invalid.
    #[error("name `{}`: {why}", game::text::excerpt(.name))]
    Name {
        /// Name.
        name: String,
        /// Reason.
        why: String,
    },
    /// A link leads out of the submission's folder, or to no file. The path is quoted.
    #[error("link `{0}`: its target is missing or outside the submission's folder")]
    Link(String),
    /// The files are too large.
    #[error("the files together have more than {0}, which is the maximum")]
    Size(Bytes),
    /// The working directory is outside the submission's folder. The path is quoted.
    #[error("directory `{0}`: expected a folder within the submission")]
    Directory(String),
    /// The command names a file of another submission. The path is quoted.
    #[error("command: `{0}` found, which belongs to another submission")]
    Foreign(String),
    /// A file had privileges. The path is quoted.
    #[error("file `{0}`: it had a setuid bit, a setgid bit or capabilities, which have been removed")]
    Privileges(String),
    /// The game or the agent does not fit the tournament.
    #[error("{0}")]
    Setting(String),
    /// The agent changed or deleted submitted files.
    #[error("it changed its own files during the checks: {}", .0.join(", "))]
    ChangedItself(Vec<String>),
    /// The files differ from the accepted ones.
    #[error(
        "agent `{0}`: its files or its command have changed since it was accepted: enter it again, or remove \
         `sha256` from the tournament file"
    )]
    Changed(String),
    /// The build failed.
    #[error("agent `{agent}` cannot be built: {failure}\n{}", .output.trim_end())]
    Unbuilt {
        /// Name of the agent.
        agent: String,
        /// Reason.
        failure: String,
        /// Output of the build.
        output: String,
    },
    /// The chosen sandbox does not work on this machine.
    #[error("sandbox {tier}: {why}")]
    Sandbox {
        /// Sandbox.
        tier: Tier,
        /// Reason.
        why: String,
    },
    /// A submission would play without a sandbox.
    #[error(
        "agent `{0}` is a submission, and this machine has no sandbox: see `plyhouse arena doctor`, or use \
         `--sandbox none` to run it with your permissions"
    )]
    Unconfined(String),
    /// This machine has no sandbox, and submissions are to play.
    #[error(
        "this machine has no sandbox for the agents: install bubblewrap (Debian, Ubuntu: `apt install bubblewrap`); \
         `plyhouse arena doctor` shows the reasons"
    )]
    NoSandbox,
}

/// Returns a function that adds the description of a file to an error of the system.
pub(crate) fn at(what: impl Into<String>) -> impl FnOnce(io::Error) -> EntryError {
    |error| EntryError::Io { what: what.into(), error }
}
