//! Why a store cannot be used.

use std::fmt;
use std::path::PathBuf;

use thiserror::Error;

use super::Location;

/// The store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("store: {0}")]
    Sqlite(rusqlite::Error),
    /// The file cannot be opened, or is no database any more.
    #[error("store {location}: {error}{}", remedy(.location, .error))]
    File {
        /// The file.
        location: Location,
        /// The error of SQLite.
        error: rusqlite::Error,
    },
    /// A killed process has left an unfinished transaction, and this user cannot roll it back.
    #[error(
        "store {location}: a process was killed while it wrote; `plyhouse arena list --store {location}`, run by the \
         owner of the file, repairs it: {error}"
    )]
    Unrecovered {
        /// The file.
        location: Location,
        /// The reason.
        error: rusqlite::Error,
    },
    /// A JSON text in the store is invalid.
    #[error("store: {0}")]
    Json(serde_json::Error),
    /// The header of a tournament is invalid.
    #[error("store: tournament {id}: its header is damaged: {why}")]
    Header {
        /// The tournament's number.
        id: i64,
        /// The reason.
        why: String,
    },
    /// PostgreSQL failed.
    #[error("store {location}: {trouble}{why}")]
    Postgres {
        /// The database.
        location: Location,
        /// The kind of failure.
        trouble: Trouble,
        /// The reason, in the words of the server or the system.
        why: String,
    },
    /// A game could not be saved.
    #[error("game {game} was not saved, and `resume` plays it again: {error}")]
    NotSaved {
        /// Its number in the plan.
        game: u32,
        /// The reason.
        error: Box<StoreError>,
    },
    /// The connection was lost while the server saved a game.
    #[error("game {game} may or may not have been saved, and `resume` plays it again if it is not there: {error}")]
    PerhapsSaved {
        /// Its number in the plan.
        game: u32,
        /// The reason.
        error: Box<StoreError>,
    },
    /// The store does not exist.
    #[error("store {0}: {what}", what = if .0.file().is_some() { "no such file" } else { "the database has no store" })]
    Missing(Location),
    /// The store belongs to another program or another version.
    #[error("store {location}: layout {found} found, expected {expected}; it is of another version or another program")]
    Layout {
        /// The file or database.
        location: Location,
        /// Its layout.
        found: i64,
        /// The layout of this version.
        expected: i64,
    },
    /// Another process is playing a tournament of this store.
    #[error("store {0}: another process is playing a tournament of it")]
    Busy(Location),
    /// The file cannot be locked.
    #[error("lock file {path}: {error}")]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// There is no such tournament.
    #[error("store: no tournament {0}")]
    NoTournament(i64),
    /// The store has no tournament.
    #[error("store: no tournament yet")]
    Empty,
}

/// Returns the way to save what is left of a damaged file.
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

/// A kind of failure of a PostgreSQL server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// There is no connection.
    Connect,
    /// The connection was lost.
    Lost,
    /// Data are damaged.
    Damage,
    /// The server refused.
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
    /// The same error, which kept a game from being saved.
    pub(crate) fn unsaved(self, game: u32) -> Self {
        Self::NotSaved { game, error: Box::new(self) }
    }

    /// The same error, which came when a game was being saved.
    pub(super) fn perhaps_saved(self, game: u32) -> Self {
        match self {
            Self::Postgres { trouble: Trouble::Lost, .. } => Self::PerhapsSaved { game, error: Box::new(self) },
            _ => self.unsaved(game),
        }
    }

    /// Whether it may pass: the connection is gone, or cannot be made.
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Postgres { trouble: Trouble::Connect | Trouble::Lost, .. } => true,
            Self::NotSaved { error, .. } | Self::PerhapsSaved { error, .. } => error.is_lost(),
            _ => false,
        }
    }

    /// Whether it comes from the one game that was read, and others may be readable. A lost connection must not look
    /// like damaged games.
    pub(super) fn is_of_one_game(&self) -> bool {
        !matches!(self, Self::Postgres { trouble: Trouble::Connect | Trouble::Lost | Trouble::Refused, .. })
    }
}
