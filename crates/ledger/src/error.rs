use thiserror::Error;

use crate::reasons;

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
}

impl From<postgres::Error> for LedgerError {
    fn from(error: postgres::Error) -> Self {
        match error.as_db_error() {
            // The server shuts down, or has ended this connection.
            Some(refusal) if refusal.code().code().starts_with("57P") => Self::Lost(refusal.message().to_owned()),
            Some(refusal) => Self::Refused(refusal.message().to_owned()),
            None => Self::Lost(reasons(&error)),
        }
    }
}
