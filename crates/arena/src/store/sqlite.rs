//! A store in a SQLite file.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{FromSqlError, ValueRef};
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use super::database::{Access, AgentRow, Database, NewGame, Order, Saved, TournamentRow};
use super::{layout, snapshot};
use crate::store::error::StoreError;

/// A SQLite file with the tables of a store.
pub(super) struct Sqlite(Connection);

impl Sqlite {
    /// Opens or creates a file. A file of an earlier layout is converted.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        Self::for_writing(path).map_err(|error| damaged(error, path))
    }

    fn for_writing(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        layout::prepare(&mut connection, path)?;
        Ok(Self(connection))
    }
}

impl Sqlite {
    /// Opens an existing file read-only. If a process was killed during a transaction, the transaction is rolled back
    /// first, which needs write access.
    pub(super) fn watch(path: &Path) -> Result<Self, StoreError> {
        match Self::read_only(path) {
            Err(StoreError::Sqlite(error)) if needs_recovery(&error) => {
                roll_back(path).map_err(|error| StoreError::Unrecovered { location: path.to_owned().into(), error })?;
                Self::read_only(path)
            }
            opened => opened.map_err(|error| damaged(error, path)),
        }
    }

    fn read_only(path: &Path) -> Result<Self, StoreError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        layout::check(&connection, path)?;
        Ok(Self(connection))
    }
}

/// Adds the path to the error if the file cannot be opened or is not an intact database.
fn damaged(error: StoreError, path: &Path) -> StoreError {
    match error {
        StoreError::Sqlite(error)
            if matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::CannotOpen)
            ) =>
        {
            StoreError::File { location: path.to_owned().into(), error }
        }
        error => error,
    }
}

/// Returns `true` if the transaction of a killed process must be rolled back before the file can be read.
fn needs_recovery(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_READONLY_RECOVERY, SQLITE_READONLY_ROLLBACK};
    let code = error.sqlite_error().map(|error| error.extended_code);
    code.is_some_and(|code| [SQLITE_READONLY_RECOVERY, SQLITE_READONLY_ROLLBACK].contains(&code))
}

/// Rolls back the transaction of a killed process. SQLite does that at the first read of a writable connection, unless
/// a running process holds the transaction.
fn roll_back(path: &Path) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
}

/// Reads a text. Invalid UTF-8 is replaced, so that damaged texts stay readable.
fn text(value: ValueRef<'_>) -> Result<Option<String>, FromSqlError> {
    Ok(value.as_bytes_or_null()?.map(|bytes| String::from_utf8_lossy(bytes).into_owned()))
}

impl Database for Sqlite {
    fn begin(&self, access: Access) -> Result<(), StoreError> {
        // A transaction that begins as a reader cannot wait for other writers when it starts to write.
        Ok(self.0.execute_batch(match access {
            Access::Read => "BEGIN",
            Access::Write => "BEGIN IMMEDIATE",
        })?)
    }

    fn commit(&self) -> Result<(), StoreError> {
        Ok(self.0.execute_batch("COMMIT")?)
    }

    fn roll_back(&self) {
        // Errors are ignored, because SQLite may have ended the transaction itself.
        let _ = self.0.execute_batch("ROLLBACK");
    }

    fn ago(&self, time: Duration) -> Result<String, StoreError> {
        let shift = format!("-{:.3} seconds", time.as_secs_f64());
        Ok(self.0.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)", [shift], |row| row.get(0))?)
    }

    fn is_sound(&self) -> Result<bool, StoreError> {
        let answer: String = self.0.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        Ok(answer == "ok")
    }

    fn insert_tournament(&self, header: &str, genesis: Option<&str>, imported: bool) -> Result<i64, StoreError> {
        self.0.execute(
            "INSERT INTO tournament (header, genesis, head, imported) VALUES (?, ?, ?, ?)",
            params![header, genesis, genesis, imported],
        )?;
        Ok(self.0.last_insert_rowid())
    }

    fn insert_agent(&self, tournament: i64, agent: &AgentRow) -> Result<(), StoreError> {
        self.0.execute(
            "INSERT INTO agent (tournament, number, files, build_output) VALUES (?, ?, ?, ?)",
            params![tournament, agent.number as i64, agent.files, agent.build_output],
        )?;
        Ok(())
    }

    fn tournaments(&self) -> Result<Vec<i64>, StoreError> {
        let mut query = self.0.prepare("SELECT id FROM tournament ORDER BY id")?;
        Ok(query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    fn tournament(&self, id: i64) -> Result<TournamentRow, StoreError> {
        let found =
            self.0.query_row("SELECT header, genesis, head, imported FROM tournament WHERE id = ?", [id], |row| {
                Ok(TournamentRow {
                    header: text(row.get_ref(0)?)?.unwrap_or_default(),
                    genesis: text(row.get_ref(1)?)?,
                    head: text(row.get_ref(2)?)?,
                    imported: row.get(3)?,
                })
            });
        found.optional()?.ok_or(StoreError::NoTournament(id))
    }

    fn agents(&self, tournament: i64) -> Result<Vec<AgentRow>, StoreError> {
        let mut query = self.0.prepare("SELECT number, files, build_output FROM agent WHERE tournament = ?")?;
        let agents = query.query_map([tournament], |row| {
            let number: i64 = row.get(0)?;
            let column = |column| Ok::<_, rusqlite::Error>(text(row.get_ref(column)?)?.unwrap_or_default());
            Ok(AgentRow { number: number as usize, files: column(1)?, build_output: column(2)? })
        })?;
        Ok(agents.collect::<Result<_, _>>()?)
    }

    fn head_to_extend(&self, tournament: i64) -> Result<Option<String>, StoreError> {
        // No row lock is needed: the transaction locks the whole file.
        let head = self.0.query_row("SELECT head FROM tournament WHERE id = ?", [tournament], |row| row.get(0));
        head.optional()?.ok_or(StoreError::NoTournament(tournament))
    }

    fn append(&self, tournament: i64, games: &[NewGame<'_>]) -> Result<(), StoreError> {
        let Some(last) = games.last() else { return Ok(()) };
        let mut insert = self.0.prepare_cached(
            "INSERT INTO game (tournament, place, number, log, before, hash, aside) \
             SELECT ?1, 1 + coalesce(max(place), 0), ?2, ?3, ?4, ?5, ?6 FROM game WHERE tournament = ?1",
        )?;
        for game in games {
            insert.execute(params![tournament, game.number, game.log, game.before, game.hash, game.aside])?;
        }
        self.0.execute("UPDATE tournament SET head = ? WHERE id = ?", params![last.hash, tournament])?;
        Ok(())
    }

    fn set_aside(&self, tournament: i64, number: u32) -> Result<(), StoreError> {
        self.0.execute("UPDATE game SET aside = 1 WHERE tournament = ? AND number = ?", params![tournament, number])?;
        Ok(())
    }

    fn numbers(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError> {
        let mut query = self.0.prepare("SELECT number FROM game WHERE tournament = ? AND aside = 0")?;
        Ok(query.query_map([tournament], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    fn places(&self, tournament: i64, order: Order) -> Result<Vec<(i64, u32)>, StoreError> {
        let mut query = self.0.prepare(match order {
            Order::Plan => "SELECT place, number FROM game WHERE tournament = ? AND aside = 0 ORDER BY number",
            Order::Saved => "SELECT place, number FROM game WHERE tournament = ? ORDER BY place",
        })?;
        Ok(query.query_map([tournament], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    fn places_after(&self, tournament: i64, place: i64) -> Result<Vec<(i64, u32)>, StoreError> {
        let mut query = self.0.prepare_cached(
            "SELECT place, number FROM game WHERE tournament = ? AND place > ? AND aside = 0 ORDER BY place",
        )?;
        Ok(query.query_map([tournament, place], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    }

    fn places_before(&self, tournament: i64, number: u32, limit: u32) -> Result<Vec<(i64, u32)>, StoreError> {
        let mut query = self.0.prepare_cached(
            "SELECT place, number FROM game WHERE tournament = ? AND number < ? AND aside = 0 \
             ORDER BY number DESC LIMIT ?",
        )?;
        let places =
            query.query_map([tournament, number.into(), limit.into()], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(places.collect::<Result<_, _>>()?)
    }

    fn snapshot(&self) -> Result<Option<(String, Duration)>, StoreError> {
        Ok(self.0.path().and_then(|path| snapshot::read(Path::new(path))))
    }

    fn game(&self, tournament: i64, place: i64) -> Result<Saved, StoreError> {
        let mut query = self.0.prepare_cached("SELECT * FROM game WHERE tournament = ? AND place = ?")?;
        let game = query.query_row([tournament, place], |row| {
            Ok(Saved {
                number: row.get("number")?,
                log: row.get_ref("log")?.as_bytes()?.to_vec(),
                before: text(row.get_ref("before")?)?,
                hash: text(row.get_ref("hash")?)?,
                aside: row.get("aside")?,
            })
        })?;
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Copying a store during a large transaction simulates a killed process.
    #[test]
    fn a_reader_rolls_back_the_transaction_of_a_killed_process() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, killed) = (folder.path().join("arena.sqlite"), folder.path().join("killed.sqlite"));
        let writer = Sqlite::open(&path).expect("a store");
        writer.0.execute_batch("PRAGMA cache_size = 2; BEGIN IMMEDIATE").expect("a transaction");
        for _ in 0..50 {
            writer.insert_tournament(&"header ".repeat(500), None, false).expect("written");
        }
        let journal = |path: &Path| path.with_extension("sqlite-journal");
        std::fs::copy(&path, &killed).expect("a copy");
        std::fs::copy(journal(&path), journal(&killed)).expect("a journal");

        let error = Sqlite::read_only(&killed).err().expect("it must be rolled back first");
        assert!(matches!(&error, StoreError::Sqlite(error) if needs_recovery(error)), "{error}");
        let reader = Sqlite::watch(&killed).expect("it is rolled back");
        assert_eq!((reader.tournaments().expect("a list"), journal(&killed).exists()), (vec![], false));
    }
}
