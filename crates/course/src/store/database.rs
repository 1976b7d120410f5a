//! The connection to a course's file, and its transactions.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};

use crate::clock::{Clock, SteadyClock};
use crate::store::error::CourseError;

/// Maximum time that a connection waits for the transaction of another connection. Large uploads are the longest
/// transactions.
const BUSY_TIMEOUT: Duration = Duration::from_mins(1);

/// The store of a course. Several connections to the same file may be open, in one or more processes.
pub struct CourseStore {
    pub(super) connection: Connection,
    pub(super) clock: SteadyClock<Arc<dyn Clock>>,
    path: PathBuf,
    /// Runs before each commit, so that tests can copy the file at that moment.
    #[cfg(test)]
    pub(super) before_commit: Option<Box<dyn Fn() + Send>>,
}

/// A transaction that writes. Dropping it without a commit rolls it back.
pub(super) struct Change<'a> {
    pub(super) db: rusqlite::Transaction<'a>,
    /// Time of the transaction.
    pub(super) at: Timestamp,
    #[cfg(test)]
    before_commit: Option<&'a (dyn Fn() + Send)>,
}

impl Change<'_> {
    /// Commits the transaction and stores its time, so that no later transaction has an earlier time.
    pub(super) fn commit(self) -> Result<(), CourseError> {
        set_meta(&self.db, LATEST, &self.at.as_microsecond().to_string())?;
        #[cfg(test)]
        if let Some(hook) = self.before_commit {
            hook();
        }
        Ok(self.db.commit()?)
    }
}

impl CourseStore {
    pub(super) fn connect(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, CourseError> {
        let connection = connection(path).map_err(|error| error.at(path))?;
        Ok(Self {
            connection,
            clock: SteadyClock::new(clock),
            path: path.to_owned(),
            #[cfg(test)]
            before_commit: None,
        })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the current time of the course, which never runs backwards, even after a restart.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns how far the system's clock is behind the course's clock; `None` if it is not behind. It is behind after
    /// the system's clock was set back, and the course's clock then stands still until the system's clock has caught
    /// up.
    pub fn clock_lag(&self) -> Option<Duration> {
        let lag = self.clock.now().as_microsecond() - self.clock.below().as_microsecond();
        u64::try_from(lag).ok().filter(|&lag| lag > 0).map(Duration::from_micros)
    }

    /// Passes a consistent state of the store to `read`, although other connections may write meanwhile.
    ///
    /// # Errors
    /// If the store cannot be read, or `read` fails.
    pub fn snapshot<T>(&self, read: impl FnOnce(&Self) -> Result<T, CourseError>) -> Result<T, CourseError> {
        let _all = self.connection.unchecked_transaction()?;
        read(self)
    }

    /// Begins a transaction that writes.
    pub(super) fn change(&mut self) -> Result<Change<'_>, CourseError> {
        // A transaction that begins as a reader cannot wait for other writers when it starts to write.
        let db = self.connection.transaction_with_behavior(TransactionBehavior::Immediate);
        let db = db.map_err(|error| CourseError::from(error).at(&self.path))?;
        if let Ok(latest) = latest(&db) {
            self.clock.advance(latest);
        }
        let at = self.clock.now();
        Ok(Change {
            db,
            at,
            #[cfg(test)]
            before_commit: self.before_commit.as_deref(),
        })
    }

    /// Returns a value that the service has stored.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn meta(&self, key: &str) -> Result<Option<String>, CourseError> {
        meta(&self.connection, key)
    }

    /// Stores a value of the service.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), CourseError> {
        let change = self.change()?;
        set_meta(&change.db, key, value)?;
        change.commit()
    }
}

/// Opens a file of a course, whose writers do not block readers.
fn connection(path: &Path) -> Result<Connection, CourseError> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        return Err(CourseError::conflict(path.display().to_string(), format!("journal mode {mode}"), "wal"));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.set_prepared_statement_cache_capacity(64);
    Ok(connection)
}

/// Key of the latest time of the course, in microseconds since 1970.
const LATEST: &str = "latest";

/// Returns the latest time of the course.
pub(super) fn latest(db: &Connection) -> Result<Timestamp, CourseError> {
    let time = meta(db, LATEST)?.and_then(|time| time.parse().ok());
    Ok(time.and_then(|time| Timestamp::from_microsecond(time).ok()).unwrap_or(Timestamp::MIN))
}

pub(super) fn meta(db: &Connection, key: &str) -> Result<Option<String>, CourseError> {
    let mut query = db.prepare_cached("SELECT value FROM course_meta WHERE key = ?")?;
    Ok(query.query_row([key], |row| row.get(0)).optional()?)
}

pub(super) fn set_meta(db: &Connection, key: &str, value: &str) -> Result<(), CourseError> {
    let mut insert = db.prepare_cached(
        "INSERT INTO course_meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )?;
    insert.execute(params![key, value])?;
    Ok(())
}

/// Reads a time.
pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let time = Timestamp::from_microsecond(row.get(column)?);
    time.map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(error)))
}

/// Reads a time that may be unset.
pub(super) fn maybe_time(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    let is_set = row.get::<_, Option<i64>>(column)?.is_some();
    is_set.then(|| time(row, column)).transpose()
}
