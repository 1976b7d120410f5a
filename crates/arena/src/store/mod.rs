//! The store of tournaments: one SQLite file.

mod chain;
mod layout;
mod transfer;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, TransactionBehavior, params};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::machine::Manifest;
use crate::{GameLog, Played, Spec};

pub use chain::{Finding, Wrong};
use chain::{genesis, link};
pub use transfer::{ImportError, Imported};
pub use verify::{Audit, Confirmed, check_game, verify};

/// A file of tournaments. Each game is written in one transaction.
pub struct Store {
    connection: Connection,
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
    /// The header of a tournament is invalid.
    #[error("store: tournament {id}: its header is damaged: {why}")]
    Header {
        /// The tournament's number.
        id: i64,
        /// The reason.
        why: String,
    },
    /// The file belongs to another program or another version.
    #[error(
        "store {path}: layout {found} found, expected {}; it is of another version or another program",
        layout::LAYOUT
    )]
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
    /// The hash at which the chain of its games begins; `None` if its games are not chained.
    pub genesis: Option<String>,
    /// Whether it was imported: what cannot be checked by the rules, only its file claims.
    pub imported: bool,
    /// Whether its header, such as the names of its agents, is not the one at which the chain of its games begins.
    pub is_changed: bool,
}

impl Tournament {
    /// Whether its games are chained. Tournaments that versions up to 0.5.0 began are not.
    pub fn is_chained(&self) -> bool {
        self.genesis.is_some()
    }
}

/// An agent as it entered a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// Hash of its files and its command.
    pub hash: String,
    /// Its files with their hashes.
    pub files: Manifest,
    /// The output of its build command.
    pub build_output: String,
    /// The name that it gives itself, where its dialect can ask for one.
    pub title: String,
}

/// The beginning of a tournament, as the first line of an export and the store have it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Header {
    pub(crate) tournament: Spec,
    pub(crate) planned: u32,
    began: String,
    version: String,
    machine: String,
    #[serde(default)]
    agents: Vec<Entry>,
}

/// An agent in a header.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Entry {
    hash: String,
    title: String,
}

/// A game whose log is not the one that was saved, or cannot be read. It is left aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Its number in the plan.
    pub number: u32,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} is damaged and left aside: {}", self.number, self.why)
    }
}

/// Reserves a store for the process that plays. The system releases it when the process ends.
#[derive(Debug)]
pub struct Hold {
    _file: File,
}

impl Hold {
    /// Reserves the store of this file, which need not exist, so that no second process plays the same games.
    ///
    /// # Errors
    /// If another process has reserved it.
    pub fn take(store: &Path) -> Result<Self, StoreError> {
        let mut name = store.to_owned().into_os_string();
        name.push(".lock");
        let path = PathBuf::from(name);
        let file = File::create(&path).map_err(|error| StoreError::Lock { path: path.clone(), error })?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Busy(store.to_owned())),
            Err(TryLockError::Error(error)) => Err(StoreError::Lock { path, error }),
        }
    }
}

impl Store {
    /// Opens a store, or creates it. A store of an earlier layout is given the present one.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        layout::prepare(&mut connection, path)?;
        Ok(Self { connection })
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
    pub fn begin(&mut self, spec: &Spec, planned: u32, entrants: &[Entrant]) -> Result<i64, StoreError> {
        let agents = entrants.iter().map(|entrant| Entry { hash: entrant.hash.clone(), title: entrant.title.clone() });
        let header = Header {
            tournament: spec.clone(),
            planned,
            began: self.ago(Duration::ZERO)?,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            machine: crate::machine::describe(),
            agents: agents.collect(),
        };
        let header = json(&header)?;
        let all = self.connection.transaction()?;
        let id = insert(&all, &header, Some(&genesis(&header)), false)?;
        for (number, entrant) in entrants.iter().enumerate() {
            all.execute(
                "INSERT INTO agent (tournament, number, files, build_output) VALUES (?, ?, ?, ?)",
                params![id, number as i64, json(&entrant.files)?, entrant.build_output],
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
        let imported =
            self.connection.query_row("SELECT imported FROM tournament WHERE id = ?", [id], |row| row.get(0));
        let imported = imported.optional()?.ok_or(StoreError::NoTournament(id))?;
        let (header, genesis) = self.header(id)?;
        let is_changed = genesis.as_ref().is_some_and(|begin| *begin != chain::genesis(&header));
        let header = read_header(&header).map_err(|why| StoreError::Header { id, why })?;
        let mut entrants: Vec<Entrant> = header
            .agents
            .into_iter()
            .map(|Entry { hash, title }| Entrant { hash, title, ..Entrant::default() })
            .collect();
        entrants.resize(header.tournament.agents.len(), Entrant::default());
        let mut query =
            self.connection.prepare("SELECT number, files, build_output FROM agent WHERE tournament = ?")?;
        let mut rows = query.query([id])?;
        while let Some(row) = rows.next()? {
            if let Some(entrant) = entrants.get_mut(row.get::<_, i64>("number")? as usize) {
                entrant.files = serde_json::from_str(&row.get::<_, String>("files")?)?;
                entrant.build_output = row.get("build_output")?;
            }
        }
        let Header { tournament: spec, planned, began, version, machine, .. } = header;
        Ok(Tournament { id, spec, planned, began, version, machine, entrants, genesis, imported, is_changed })
    }

    /// The header of a tournament as it was saved, and its hash if the games are chained.
    fn header(&self, id: i64) -> Result<(String, Option<String>), StoreError> {
        let found = self.connection.query_row("SELECT header, genesis FROM tournament WHERE id = ?", [id], |row| {
            Ok((String::from_utf8_lossy(row.get_ref(0)?.as_bytes()?).into_owned(), row.get(1)?))
        });
        found.optional()?.ok_or(StoreError::NoTournament(id))
    }

    /// The hash of the game that was saved last, or of the header before the first. It changes with any change of an
    /// earlier game, so written down elsewhere it proves that nothing was changed. `None` if the games are not chained.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn head(&self, tournament: i64) -> Result<Option<String>, StoreError> {
        let head =
            self.connection.query_row("SELECT head FROM tournament WHERE id = ?", [tournament], |row| row.get(0));
        head.optional()?.ok_or(StoreError::NoTournament(tournament))
    }

    /// The numbers of the games that have been played. A damaged game has been played.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn done(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError> {
        let mut query = self.connection.prepare("SELECT number FROM game WHERE tournament = ? AND aside = 0")?;
        let numbers = query.query_map([tournament], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(numbers)
    }

    /// The agents and results of the games that have been played, by their numbers, and the damaged games, whose
    /// results are not known.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn results(&self, tournament: i64) -> Result<(BTreeMap<u32, Played>, Vec<Damaged>), StoreError> {
        let mut results = BTreeMap::new();
        let damaged = self.each(tournament, |game| {
            results.insert(game.planned.number, (game.planned.agents, game.result));
            Ok::<_, StoreError>(())
        })?;
        Ok((results, damaged))
    }

    /// Saves a game at the end of the chain.
    ///
    /// # Errors
    /// If it cannot be written, or was saved before.
    pub fn save(&mut self, tournament: i64, game: &GameLog) -> Result<(), StoreError> {
        let log = json(game)?;
        let all = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        append(&all, tournament, game.planned.number, &log)?;
        Ok(all.commit()?)
    }

    /// Leaves these games aside, so that they can be played again. Their logs stay in the store.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set_aside(&mut self, tournament: i64, games: &[Damaged]) -> Result<(), StoreError> {
        let all = self.connection.transaction()?;
        for game in games {
            all.execute(
                "UPDATE game SET aside = 1 WHERE tournament = ? AND number = ?",
                params![tournament, game.number],
            )?;
        }
        Ok(all.commit()?)
    }

    /// Shows every game of a tournament in the order of the plan, one at a time, and returns the damaged games, which
    /// are left aside.
    ///
    /// # Errors
    /// If the store cannot be read, or `see` fails.
    pub fn each<E: From<StoreError>>(
        &self,
        tournament: i64,
        mut see: impl FnMut(GameLog) -> Result<(), E>,
    ) -> Result<Vec<Damaged>, E> {
        let mut damaged = Vec::new();
        self.each_saved(tournament, Order::Plan, |saved, game| {
            match game {
                Ok(game) => see(game)?,
                Err(why) => damaged.push(Damaged { number: saved.number, why }),
            }
            Ok::<_, E>(())
        })?;
        Ok(damaged)
    }

    /// Shows every game in some order, with its row.
    fn each_saved<E: From<StoreError>>(
        &self,
        tournament: i64,
        order: Order,
        mut see: impl FnMut(&Saved, Result<GameLog, String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let header = self.header(tournament)?.0;
        let agents = read_header(&header).map_or(0, |header| header.tournament.agents.len());
        // Each game is a query of its own: a long one would keep the process that plays from saving, and the damaged
        // pages of one game would hide all others.
        for (place, number) in self.places(tournament, order)? {
            match self.saved(tournament, place) {
                Ok(saved) => see(&saved, saved.game(agents))?,
                Err(error) => see(&Saved { number, ..Saved::default() }, Err(error.to_string()))?,
            }
        }
        Ok(())
    }

    /// The places and the numbers of all games.
    fn places(&self, tournament: i64, order: Order) -> Result<Vec<(i64, u32)>, StoreError> {
        let sql = match order {
            Order::Plan => "SELECT place, number FROM game WHERE tournament = ? AND aside = 0 ORDER BY number",
            Order::Saved => "SELECT place, number FROM game WHERE tournament = ? ORDER BY place",
        };
        let mut query = self.connection.prepare(sql)?;
        let places = query.query_map([tournament], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
        Ok(places)
    }

    fn saved(&self, tournament: i64, place: i64) -> Result<Saved, StoreError> {
        let mut query = self.connection.prepare_cached("SELECT * FROM game WHERE tournament = ? AND place = ?")?;
        Ok(query.query_row([tournament, place], Saved::of)?)
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

/// An order of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// That of the plan. Games that were set aside are left out.
    Plan,
    /// That in which they were saved.
    Saved,
}

/// A row of the games.
#[derive(Default)]
struct Saved {
    number: u32,
    log: Vec<u8>,
    before: Option<String>,
    hash: Option<String>,
    aside: bool,
}

impl Saved {
    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            number: row.get("number")?,
            log: row.get_ref("log")?.as_bytes()?.to_vec(),
            before: row.get("before")?,
            hash: row.get("hash")?,
            aside: row.get("aside")?,
        })
    }

    /// Whether the hash is that of the log.
    fn fits(&self) -> bool {
        self.before.as_deref().map(|before| link(before, &self.log)) == self.hash
    }

    /// The game, if its log is the one that was saved.
    fn game(&self, agents: usize) -> Result<GameLog, String> {
        if !self.fits() {
            return Err("its log was changed after it was saved".to_owned());
        }
        let game: GameLog = serde_json::from_slice(&self.log).map_err(|error| error.to_string())?;
        if game.planned.number != self.number {
            return Err(format!("its log is that of game {}", game.planned.number));
        }
        game.is_possible(agents)?;
        Ok(game)
    }
}

fn insert(all: &Connection, header: &str, genesis: Option<&str>, imported: bool) -> Result<i64, StoreError> {
    all.execute(
        "INSERT INTO tournament (header, genesis, head, imported) VALUES (?, ?, ?, ?)",
        params![header, genesis, genesis, imported],
    )?;
    Ok(all.last_insert_rowid())
}

fn append(all: &Connection, tournament: i64, number: u32, log: &str) -> Result<(), StoreError> {
    let before: Option<String> =
        all.query_row("SELECT head FROM tournament WHERE id = ?", [tournament], |row| row.get(0))?;
    let hash = before.as_deref().map(|before| link(before, log.as_bytes()));
    all.prepare_cached(
        "INSERT INTO game (tournament, place, number, log, before, hash) \
         SELECT ?1, 1 + coalesce(max(place), 0), ?2, ?3, ?4, ?5 FROM game WHERE tournament = ?1",
    )?
    .execute(params![tournament, number, log, before, hash])?;
    all.execute("UPDATE tournament SET head = ? WHERE id = ?", params![hash, tournament])?;
    Ok(())
}

fn read_header(text: &str) -> Result<Header, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    Ok(serde_json::to_string(value)?)
}
