//! The store of tournaments: one SQLite file.

use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{GameLog, Planned, Played, Spec};

/// A file of tournaments. Each game is written in one transaction.
pub struct Store {
    connection: Connection,
    path: PathBuf,
}

/// The store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite failed.
    #[error("store: {0}")]
    Sqlite(rusqlite::Error),
    /// A JSON text in the store is invalid.
    #[error("store: {0}")]
    Json(serde_json::Error),
    /// The file belongs to another program or another version.
    #[error("store {path}: layout {found} found, expected {LAYOUT}; it is of another version or another program")]
    Layout {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
    },
    /// Another process is playing a tournament of this file.
    #[error("store {0}: another process is playing a tournament of it")]
    Busy(PathBuf),
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

/// `PRAGMA user_version` of our files.
const LAYOUT: i64 = 1;

const SCHEMA: &str = "
CREATE TABLE tournament (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,                -- JSON
    planned INTEGER NOT NULL,          -- games
    began TEXT NOT NULL,               -- UTC
    version TEXT NOT NULL,             -- of Plyhouse
    machine TEXT NOT NULL
) STRICT;
CREATE TABLE agent (
    tournament INTEGER NOT NULL REFERENCES tournament(id),
    number INTEGER NOT NULL,           -- as in the specification
    name TEXT NOT NULL,
    hash TEXT NOT NULL,                -- of its files
    build_output TEXT NOT NULL,
    title TEXT NOT NULL,               -- what it calls itself
    PRIMARY KEY (tournament, number)
) STRICT;
CREATE TABLE game (
    tournament INTEGER NOT NULL REFERENCES tournament(id),
    number INTEGER NOT NULL,           -- as in the plan
    first INTEGER NOT NULL,            -- agent
    second INTEGER NOT NULL,
    round INTEGER NOT NULL,
    opening_seed INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    start TEXT NOT NULL,               -- position text
    opening TEXT NOT NULL,             -- JSON: moves
    moves TEXT NOT NULL,               -- JSON: moves with times
    result TEXT NOT NULL CHECK (result IN ('first', 'second', 'tie')),
    ending TEXT NOT NULL,
    faults TEXT NOT NULL,              -- JSON
    stderr_first TEXT NOT NULL,
    stderr_second TEXT NOT NULL,
    cpu_first REAL,                    -- seconds
    cpu_second REAL,
    began TEXT NOT NULL,               -- UTC
    seconds REAL NOT NULL,
    version TEXT NOT NULL,             -- of Plyhouse
    machine TEXT NOT NULL,
    PRIMARY KEY (tournament, number)
) STRICT;
";

/// A tournament of a store.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// Its number in the store.
    pub id: i64,
    /// Its specification.
    pub spec: Spec,
    /// Number of its games, played or not.
    pub planned: u32,
    /// The time when it began, in UTC.
    pub began: String,
    /// The version of Plyhouse that began it.
    pub version: String,
    /// The machine that began it.
    pub machine: String,
    /// Its agents, in the order of the specification.
    pub entrants: Vec<Entrant>,
}

/// An agent as it entered a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// Hash of its files.
    pub hash: String,
    /// The output of its build command.
    pub build_output: String,
    /// The name that it gives itself, where its dialect can ask for one.
    pub title: String,
}

/// Reserves a store for the process that plays. The system releases it when the process ends.
#[derive(Debug)]
pub struct Hold {
    _file: File,
}

impl Store {
    /// Opens a store, or creates it.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        let begun = connection.transaction()?;
        let layout: i64 = begun.pragma_query_value(None, "user_version", |row| row.get(0))?;
        let tables: i64 = begun.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if (layout, tables) == (0, 0) {
            begun.execute_batch(SCHEMA)?;
            begun.pragma_update(None, "user_version", LAYOUT)?;
        } else if layout != LAYOUT {
            return Err(StoreError::Layout { path: path.to_owned(), found: layout });
        }
        begun.commit()?;
        Ok(Self { connection, path: path.to_owned() })
    }

    /// Reserves the store, so that no second process plays the same games.
    ///
    /// # Errors
    /// If another process has reserved it.
    pub fn hold(&self) -> Result<Hold, StoreError> {
        let mut name = self.path.clone().into_os_string();
        name.push(".lock");
        let path = PathBuf::from(name);
        let file = File::create(&path).map_err(|error| StoreError::Lock { path: path.clone(), error })?;
        match file.try_lock() {
            Ok(()) => Ok(Hold { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(self.path.clone())),
            Err(TryLockError::Error(error)) => Err(StoreError::Lock { path, error }),
        }
    }

    /// The time `time` ago, in UTC.
    ///
    /// # Errors
    /// If SQLite fails.
    pub fn ago(&self, time: Duration) -> Result<String, StoreError> {
        let shift = format!("-{:.3} seconds", time.as_secs_f64());
        Ok(self.connection.query_row("SELECT strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ?)", [shift], |row| row.get(0))?)
    }

    /// Saves a new tournament and returns its number.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&mut self, spec: &Spec, planned: usize, entrants: &[Entrant]) -> Result<i64, StoreError> {
        let now = self.ago(Duration::ZERO)?;
        let all = self.connection.transaction()?;
        all.execute(
            "INSERT INTO tournament (name, spec, planned, began, version, machine) VALUES (?, ?, ?, ?, ?, ?)",
            params![spec.name, json(spec)?, planned as i64, now, env!("CARGO_PKG_VERSION"), crate::machine::describe()],
        )?;
        let id = all.last_insert_rowid();
        for (number, (agent, entrant)) in spec.agents.iter().zip(entrants).enumerate() {
            all.execute(
                "INSERT INTO agent (tournament, number, name, hash, build_output, title) VALUES (?, ?, ?, ?, ?, ?)",
                params![id, number as i64, agent.name, entrant.hash, entrant.build_output, entrant.title],
            )?;
        }
        all.commit()?;
        Ok(id)
    }

    /// The numbers of all tournaments, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn tournaments(&self) -> Result<Vec<i64>, StoreError> {
        let mut query = self.connection.prepare("SELECT id FROM tournament ORDER BY id")?;
        let ids = query.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(ids)
    }

    /// The tournament with this number, or the latest one.
    ///
    /// # Errors
    /// If there is no such tournament.
    pub fn tournament(&self, id: Option<i64>) -> Result<Tournament, StoreError> {
        let id = match id {
            Some(id) => id,
            None => self.tournaments()?.pop().ok_or(StoreError::Empty)?,
        };
        let found = self.connection.query_row(
            "SELECT spec, planned, began, version, machine FROM tournament WHERE id = ?",
            [id],
            |row| Ok((row.get::<_, String>(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
        );
        let (spec, planned, began, version, machine) = found.optional()?.ok_or(StoreError::NoTournament(id))?;
        let mut query = self
            .connection
            .prepare("SELECT hash, build_output, title FROM agent WHERE tournament = ? ORDER BY number")?;
        let entrant = |row: &Row<'_>| Ok(Entrant { hash: row.get(0)?, build_output: row.get(1)?, title: row.get(2)? });
        let entrants = query.query_map([id], entrant)?.collect::<Result<_, _>>()?;
        Ok(Tournament { id, spec: serde_json::from_str(&spec)?, planned, began, version, machine, entrants })
    }

    /// The agents and results of the games that have been played, by their numbers.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn results(&self, tournament: i64) -> Result<BTreeMap<u32, Played>, StoreError> {
        let mut query =
            self.connection.prepare("SELECT number, first, second, result FROM game WHERE tournament = ?")?;
        let mut rows = query.query([tournament])?;
        let mut results = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let agents = [row.get::<_, i64>(1)? as usize, row.get::<_, i64>(2)? as usize];
            let result = serde_json::from_value(row.get::<_, String>(3)?.into())?;
            results.insert(row.get(0)?, (agents, result));
        }
        Ok(results)
    }

    /// Saves a game.
    ///
    /// # Errors
    /// If it cannot be written, or was saved before.
    pub fn save(&mut self, tournament: i64, game: &GameLog) -> Result<(), StoreError> {
        let plan = &game.planned;
        // A single statement is a transaction.
        self.connection.prepare_cached(
            "INSERT INTO game (tournament, number, first, second, round, opening_seed, seed, start, opening, moves, result, \
             ending, faults, stderr_first, stderr_second, cpu_first, cpu_second, began, seconds, version, machine) \
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?.execute(params![
            tournament,
            plan.number,
            plan.agents[0] as i64,
            plan.agents[1] as i64,
            plan.round,
            // SQLite's integers are signed.
            plan.opening_seed as i64,
            plan.seed as i64,
            game.start,
            json(&game.opening)?,
            json(&game.moves)?,
            json(&game.result)?.trim_matches('"'),
            game.ending,
            json(&game.faults)?,
            game.stderr[0],
            game.stderr[1],
            game.cpu[0],
            game.cpu[1],
            game.began,
            game.seconds,
            game.version,
            game.machine,
        ])?;
        Ok(())
    }

    /// Shows every game of a tournament in the order of the plan, one at a time.
    ///
    /// # Errors
    /// If the store cannot be read, or `see` fails.
    pub fn each<E: From<StoreError>>(
        &self,
        tournament: i64,
        mut see: impl FnMut(GameLog) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut query = self
            .connection
            .prepare("SELECT * FROM game WHERE tournament = ? ORDER BY number")
            .map_err(StoreError::from)?;
        let mut rows = query.query([tournament]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            see(read(row)?)?;
        }
        Ok(())
    }

    /// Checks the integrity of the file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_sound(&self) -> Result<bool, StoreError> {
        let answer: String = self.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
        Ok(answer == "ok")
    }
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    Ok(serde_json::to_string(value)?)
}

fn read(row: &Row<'_>) -> Result<GameLog, StoreError> {
    fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Result<T, StoreError> {
        Ok(serde_json::from_str(&row.get::<_, String>(column)?)?)
    }
    let planned = Planned {
        number: row.get("number")?,
        agents: [row.get::<_, i64>("first")? as usize, row.get::<_, i64>("second")? as usize],
        round: row.get("round")?,
        opening_seed: row.get::<_, i64>("opening_seed")? as u64,
        seed: row.get::<_, i64>("seed")? as u64,
    };
    Ok(GameLog {
        planned,
        start: row.get("start")?,
        opening: parsed(row, "opening")?,
        moves: parsed(row, "moves")?,
        result: serde_json::from_value(row.get::<_, String>("result")?.into())?,
        ending: row.get("ending")?,
        faults: parsed(row, "faults")?,
        stderr: [row.get("stderr_first")?, row.get("stderr_second")?],
        cpu: [row.get("cpu_first")?, row.get("cpu_second")?],
        began: row.get("began")?,
        seconds: row.get("seconds")?,
        version: row.get("version")?,
        machine: row.get("machine")?,
    })
}
