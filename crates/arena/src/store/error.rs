//! Errors of stores.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use crate::store::location::Location;

/// Errors of stores.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite reported an error.
    #[error("store: {0}")]
    Sqlite(rusqlite::Error),
    /// The file cannot be opened, or is not an intact database.
    #[error("store {location}: {error}{}", remedy(.location, .error))]
    File {
        /// File.
        location: Location,
        /// Error of SQLite.
        error: rusqlite::Error,
    },
    /// A killed process has left an unfinished transaction, which this user cannot roll back.
    #[error(
        "store {location}: a process was killed while it wrote; `plyhouse arena list --store {location}`, run by the \
         owner of the file, repairs it: {error}"
    )]
    Unrecovered {
        /// File.
        location: Location,
        /// Reason.
        error: rusqlite::Error,
    },
    /// A JSON text in the store is invalid.
    #[error("store: {0}")]
    Json(serde_json::Error),
    /// The header of a tournament is invalid.
    #[error("store: tournament {id}: its header is damaged: {why}")]
    Header {
        /// Number of the tournament.
        id: i64,
        /// Reason.
        why: String,
    },
    /// PostgreSQL reported an error.
    #[error("store {location}: {trouble}{why}")]
    Postgres {
        /// Database.
        location: Location,
        /// Kind of the error.
        trouble: Trouble,
        /// Message of the server or the system.
        why: String,
    },
    /// A game could not be saved.
    #[error("game {game} was not saved, and `resume` plays it again: {error}")]
    NotSaved {
        /// Number of the game in the plan.
        game: u32,
        /// Reason.
        error: Box<StoreError>,
    },
    /// The connection was lost while the server saved a game.
    #[error("game {game} may or may not have been saved, and `resume` plays it again if it is not there: {error}")]
    PerhapsSaved {
        /// Number of the game in the plan.
        game: u32,
        /// Reason.
        error: Box<StoreError>,
    },
    /// The store does not exist.
    #[error("store {0}: {what}", what = if .0.file().is_some() { "no such file" } else { "the database has no store" })]
    Missing(Location),
    /// The store was created by another program or another version.
    #[error("store {location}: layout {found} found, expected {expected}; the store is of another version or program")]
    Layout {
        /// File or database.
        location: Location,
        /// Layout of the store.
        found: i64,
        /// Layout of this version.
        expected: i64,
    },
    /// Another process is playing a tournament of this store.
    #[error("store {0}: another process is playing a tournament of it")]
    Busy(Location),
    /// The file cannot be locked.
    #[error("lock file {path}: {error}")]
    Lock {
        /// Lock file.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The store has no tournament with this number.
    #[error("store: no tournament {0}")]
    NoTournament(i64),
    /// The store has no tournament.
    #[error("store: no tournament yet")]
    Empty,
}

/// Returns advice on recovering a damaged file.
fn remedy(location: &Location, error: &rusqlite::Error) -> String {
    if error.sqlite_error_code() != Some(rusqlite::ErrorCode::DatabaseCorrupt) {
        return String::new();
    }
    format!("; `plyhouse arena recover NEW.sqlite --store {location}` saves what can still be read")
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

/// The kind of a PostgreSQL error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// No connection could be made.
    Connect,
    /// The connection was lost.
    Lost,
    /// Stored data are damaged.
    Damage,
    /// The server refused the request.
    Refused,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Connect => "cannot connect: ",
            Self::Lost => "the connection was lost: ",
            Self::Damage => "its data are damaged: ",
            Self::Refused => "",
        })
    }
}

impl StoreError {
    /// Wraps an error that prevented a game from being saved.
    pub(crate) fn unsaved(self, game: u32) -> Self {
        Self::NotSaved { game, error: Box::new(self) }
    }

    /// Wraps an error of the commit that saves a game. If the connection was lost, the game may have been saved.
    pub(super) fn perhaps_saved(self, game: u32) -> Self {
        match self {
            Self::Postgres { trouble: Trouble::Lost, .. } => Self::PerhapsSaved { game, error: Box::new(self) },
            _ => self.unsaved(game),
        }
    }

    /// Returns `true` if the connection was lost or could not be made, so that a retry may succeed.
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Postgres { trouble: Trouble::Connect | Trouble::Lost, .. } => true,
            Self::NotSaved { error, .. } | Self::PerhapsSaved { error, .. } => error.is_lost(),
            _ => false,
        }
    }

    /// Returns `true` if the error concerns only the game that was read, so that other games may be readable. A lost
    /// connection must not be reported as damaged games.
    pub(super) fn concerns_one_game(&self) -> bool {
        !matches!(self, Self::Postgres { trouble: Trouble::Connect | Trouble::Lost | Trouble::Refused, .. })
    }
}
