use thiserror::Error;

use crate::MOST_FAILURES;
use crate::address::reasons;

/// A ledger cannot be used.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// No connection could be made.
    #[error("cannot connect to {address}: {why}")]
    Connect {
        /// The address, without its password.
        address: String,
        /// The reason.
        why: String,
    },
    /// The connection was lost. What was not confirmed by then may or may not have been written.
    #[error("the connection to the database was lost: {0}")]
    Lost(String),
    /// The server cannot do it at the moment, because a disk is full, there are too many connections, or another
    /// program is in the way. Nothing was written.
    #[error("the database cannot do this at the moment: {0}")]
    Busy(String),
    /// The server refused a statement.
    #[error("database: {0}")]
    Refused(String),
    /// The ledger was made by a newer version.
    #[error(
        "the database {address} has ledger layout {found}, expected {expected}: it is of a newer version of Plyhouse"
    )]
    Layout {
        /// The address, without its password.
        address: String,
        /// Its layout.
        found: i32,
        /// The layout of this version.
        expected: i32,
    },
    /// There is no such work, or it was removed.
    #[error("the ledger has no work {0}")]
    NoWork(i64),
    /// Another program hands out the same work.
    #[error("another program hands out the same work: with other options, such as a seed, it is other work")]
    Taken,
    /// A role cannot have this name.
    #[error("worker `{found}`: expected a name of 1 to 63 bytes", found = .0.escape_debug())]
    Name(String),
    /// A role exists that is not one for workers.
    #[error("role `{0}`: it exists and was not made for workers, expected a name that is free")]
    NotAWorker(String),
    /// A job was put aside, because too many workers have failed at it.
    #[error("job {number} of work {work} was put aside: {MOST_FAILURES} workers failed at it: {why}")]
    Aside {
        /// The work.
        work: i64,
        /// The job's number.
        number: u64,
        /// The last reason.
        why: String,
    },
}

impl From<postgres::Error> for LedgerError {
    fn from(error: postgres::Error) -> Self {
        let why = why(&error);
        match error.code() {
            _ if is_lost(&error) => Self::Lost(why),
            Some(code) if BUSY.iter().any(|class| code.code().starts_with(class)) => Self::Busy(why),
            _ => Self::Refused(why),
        }
    }
}

/// Classes of errors that pass: rolled back because of another transaction, out of resources, a lock that is not free.
const BUSY: [&str; 3] = ["40", "53", "55"];

impl LedgerError {
    /// Whether it makes sense to ask again later, with a new connection.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Busy(_) | Self::Connect { .. })
    }
}

/// Whether an error means that the connection is gone, rather than that the server refuses something. The classes are
/// those of the appendix "PostgreSQL Error Codes" of its manual.
pub fn is_lost(error: &postgres::Error) -> bool {
    error.code().is_none_or(|code| code.code().starts_with("57P") || code.code().starts_with("08"))
}

/// What the server says, or else what happened to the connection.
pub fn why(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.detail().map_or(said.message().to_owned(), |detail| format!("{}: {detail}", said.message())),
        None => reasons(error),
    }
}
