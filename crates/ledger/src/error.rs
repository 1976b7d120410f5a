use thiserror::Error;

use crate::address::reasons;
use crate::state::MOST_FAILURES;

/// Errors of a ledger.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// The connection failed.
    #[error("cannot connect to {address}: {why}")]
    Connect {
        /// The address, without its password.
        address: String,
        /// Reason.
        why: String,
    },
    /// The connection was lost. Statements that were not confirmed may or may not have been executed.
    #[error("the connection to the database was lost: {0}")]
    Lost(String),
    /// The server cannot execute a statement at the moment, because a disk is full, there are too many connections, or
    /// another program blocks it. Nothing was written.
    #[error("the database cannot do this at the moment: {0}")]
    Busy(String),
    /// The server rejected a statement.
    #[error("database: {0}")]
    Refused(String),
    /// The ledger was created by a newer version.
    #[error(
        "the database {address} has ledger layout {found}, expected {expected}: it is of a newer version of Plyhouse"
    )]
    Layout {
        /// The address, without its password.
        address: String,
        /// Layout of the ledger.
        found: i32,
        /// Layout of this version.
        expected: i32,
    },
    /// The work does not exist, or was removed.
    #[error("the ledger has no work {0}")]
    NoWork(i64),
    /// Another program hands out the same work.
    #[error("another program hands out the same work; with other options, such as another seed, the work is different")]
    Taken,
    /// The name is not a valid name of a role.
    #[error("worker `{found}`: expected a name of 1 to 63 bytes", found = .0.escape_debug())]
    Name(String),
    /// The role exists and is not a role for workers.
    #[error("role `{0}`: it exists and was not made for workers, expected a name that is free")]
    NotAWorker(String),
    /// A job was set aside, because too many workers have failed at it.
    #[error("job {number} of work {work} was set aside: {MOST_FAILURES} workers failed at it: {why}")]
    Aside {
        /// Number of the work.
        work: i64,
        /// Number of the job.
        number: u64,
        /// Reason of the last failure.
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

/// Classes of temporary errors: rollback because of another transaction, insufficient resources, a lock that is not
/// free.
const BUSY: [&str; 3] = ["40", "53", "55"];

impl LedgerError {
    /// Returns `true` if a later attempt with a new connection may succeed.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Lost(_) | Self::Busy(_) | Self::Connect { .. })
    }
}

/// Returns `true` if an error means that the connection is lost, rather than that the server rejected a statement. The
/// classes are those of the appendix "PostgreSQL Error Codes" of its manual.
pub fn is_lost(error: &postgres::Error) -> bool {
    error.code().is_none_or(|code| code.code().starts_with("57P") || code.code().starts_with("08"))
}

/// Returns the server's message, or else the cause of the connection error.
pub fn why(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.detail().map_or(said.message().to_owned(), |detail| format!("{}: {detail}", said.message())),
        None => reasons(error),
    }
}
