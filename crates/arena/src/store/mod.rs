//! Stores of tournaments: SQLite files and PostgreSQL databases.

mod chain;
mod database;
pub(crate) mod error;
pub(crate) mod hold;
mod layout;
pub(crate) mod location;
mod postgres;
mod salvage;
pub(crate) mod snapshot;
mod sqlite;
#[cfg(test)]
mod tests;
mod transfer;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::live::Bulletin;
use crate::log::GameLog;
use crate::machine::Manifest;
use crate::rounds::Played;
use crate::spec::Spec;

pub use chain::{Finding, Wrong};
use chain::{genesis, link};
use database::{Access, AgentRow, Database, NewGame, Order, Saved, TournamentRow, Transaction};
pub use error::{StoreError, Trouble};
pub use hold::Hold;
use location::Kind;
pub use location::{Location, LocationError};
use postgres::Postgres;
pub use salvage::{Salvaged, salvage};
use sqlite::Sqlite;
pub use transfer::{ImportError, Imported};
pub use verify::{Audit, verify};

/// A database of tournaments. Each game is saved in a single transaction.
pub struct Store {
    database: Box<dyn Database>,
}

/// A stored tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    /// Number in the store.
    pub id: i64,
    /// Specification.
    pub spec: Spec,
    /// Number of games, finished or not.
    pub planned: u32,
    /// Start time, in UTC.
    pub began: String,
    /// Version of Plyhouse that began the tournament.
    pub version: String,
    /// Machine on which the tournament began.
    pub machine: String,
    /// Agents, in the order of the specification.
    pub entrants: Vec<Entrant>,
    /// Hash at which the chain of the games begins; `None` if the games are not chained.
    pub genesis: Option<String>,
    /// Set if the tournament was imported. Data that the rules cannot check is then only as reliable as the imported
    /// file.
    pub imported: bool,
    /// Set if the header, which includes the names of the agents, was changed after the tournament began. It then does
    /// not match the chain.
    pub is_changed: bool,
}

impl Tournament {
    /// Returns `true` if the games are chained. Versions up to 0.5.0 did not chain them.
    pub fn is_chained(&self) -> bool {
        self.genesis.is_some()
    }
}

/// An agent in the state in which it entered a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// Hash of the files and the command.
    pub hash: String,
    /// Files with their hashes.
    pub files: Manifest,
    /// Output of the build command.
    pub build_output: String,
    /// Name that the program itself reports, if its dialect supports that.
    pub title: String,
}

/// The header of a tournament: the first line of an export, and a row of the store.
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

/// A game whose log was changed after it was saved, or cannot be read. It does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// Number of the game in the plan.
    pub number: u32,
    /// Reason.
    pub why: String,
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} is damaged and set aside: {}", self.number, self.why)
    }
}

impl Store {
    /// Opens or creates a store. A store of an earlier layout is converted.
    ///
    /// # Errors
    /// If the file or the server cannot be used.
    pub fn open(location: &Location) -> Result<Self, StoreError> {
        Self::connect(location, false)
    }

    /// Opens an existing store.
    ///
    /// # Errors
    /// If it does not exist or cannot be used.
    pub fn existing(location: &Location) -> Result<Self, StoreError> {
        Self::connect(location, true)
    }

    /// Opens an existing store of the current layout read-only, so that it never blocks the program that plays.
    ///
    /// # Errors
    /// If it does not exist or cannot be used.
    pub fn watch(location: &Location) -> Result<Self, StoreError> {
        let database: Box<dyn Database> = match location.kind() {
            Kind::File(path) if !path.exists() => return Err(StoreError::Missing(location.clone())),
            Kind::File(path) => Box::new(Sqlite::watch(path)?),
            Kind::Server(address) => Box::new(Postgres::watch(location, address)?),
        };
        Ok(Self { database })
    }

    fn connect(location: &Location, must_exist: bool) -> Result<Self, StoreError> {
        let database: Box<dyn Database> = match location.kind() {
            Kind::File(path) if must_exist && !path.exists() => return Err(StoreError::Missing(location.clone())),
            Kind::File(path) => Box::new(Sqlite::open(path)?),
            Kind::Server(address) => Box::new(Postgres::open(location, address, must_exist)?),
        };
        Ok(Self { database })
    }

    /// Returns the time `time` ago, in UTC.
    ///
    /// # Errors
    /// If the database fails.
    pub fn ago(&self, time: Duration) -> Result<String, StoreError> {
        self.database.ago(time)
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
            machine: crate::machine::describe(1.0),
            agents: agents.collect(),
        };
        let header = serde_json::to_string(&header)?;
        let all = Transaction::begin(&*self.database, Access::Write)?;
        let id = self.database.insert_tournament(&header, Some(&genesis(&header)), false)?;
        for (number, entrant) in entrants.iter().enumerate() {
            let files = serde_json::to_string(&entrant.files)?;
            let agent = AgentRow { number, files, build_output: entrant.build_output.clone() };
            self.database.insert_agent(id, &agent)?;
        }
        all.commit()?;
        Ok(id)
    }

    /// Returns the numbers of all tournaments, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn tournaments(&self) -> Result<Vec<i64>, StoreError> {
        self.database.tournaments()
    }

    /// Reads the tournament with this number, or the latest one.
    ///
    /// # Errors
    /// If there is no such tournament.
    pub fn tournament(&self, id: Option<i64>) -> Result<Tournament, StoreError> {
        let id = match id {
            Some(id) => id,
            None => self.tournaments()?.pop().ok_or(StoreError::Empty)?,
        };
        let TournamentRow { header, genesis, imported, .. } = self.database.tournament(id)?;
        let is_changed = genesis.as_ref().is_some_and(|begin| *begin != chain::genesis(&header));
        let header = read_header(&header).map_err(|why| StoreError::Header { id, why })?;
        let mut entrants: Vec<Entrant> = header
            .agents
            .into_iter()
            .map(|Entry { hash, title }| Entrant { hash, title, ..Entrant::default() })
            .collect();
        entrants.resize(header.tournament.agents.len(), Entrant::default());
        for AgentRow { number, files, build_output } in self.database.agents(id)? {
            if let Some(entrant) = entrants.get_mut(number) {
                // If the list is damaged, it is empty, and `resume` reports that the files cannot be compared.
                entrant.files = serde_json::from_str(&files).unwrap_or_default();
                entrant.build_output = build_output;
            }
        }
        let Header { tournament: spec, planned, began, version, machine, .. } = header;
        Ok(Tournament { id, spec, planned, began, version, machine, entrants, genesis, imported, is_changed })
    }

    /// Returns the hash of the game that was saved last, or of the header before the first game; `None` if the games
    /// are not chained. Any change to an earlier game changes this hash, so a copy kept elsewhere proves that nothing
    /// was changed.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn head(&self, tournament: i64) -> Result<Option<String>, StoreError> {
        Ok(self.database.tournament(tournament)?.head)
    }

    /// Returns the numbers of the finished games, including damaged ones.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn done(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError> {
        self.database.numbers(tournament)
    }

    /// Returns the agents and results of the finished games by number, and the damaged games, whose results are
    /// unknown.
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
    /// If the game cannot be written, or is already saved.
    pub fn save(&mut self, tournament: i64, game: &GameLog) -> Result<(), StoreError> {
        self.save_all(tournament, std::slice::from_ref(game))
    }

    /// Saves games at the end of the chain: either all of them or none.
    ///
    /// # Errors
    /// If the games cannot be written, or one is already saved. The error names the first game.
    pub fn save_all(&mut self, tournament: i64, games: &[GameLog]) -> Result<(), StoreError> {
        let Some(number) = games.first().map(|game| game.planned.number) else { return Ok(()) };
        let append = || {
            let all = Transaction::begin(&*self.database, Access::Write)?;
            let logs = games.iter().map(|game| Ok((game.planned.number, serde_json::to_string(game)?)));
            self.append(tournament, &logs.collect::<Result<Vec<_>, StoreError>>()?)?;
            Ok(all)
        };
        let all = append().map_err(|error: StoreError| error.unsaved(number))?;
        all.commit().map_err(|error| error.perhaps_saved(number))
    }

    /// Appends games, given as pairs of number and log, to the chain. A transaction must be open.
    fn append(&self, tournament: i64, games: &[(u32, String)]) -> Result<(), StoreError> {
        let head = self.database.head_to_extend(tournament)?;
        let mut hashes = vec![head];
        for (_, log) in games {
            let before = hashes.last().and_then(Option::as_deref);
            hashes.push(before.map(|before| link(before, log.as_bytes())));
        }
        let links = games.iter().zip(hashes.windows(2)).map(|((number, log), hashes)| NewGame {
            number: *number,
            log,
            before: hashes[0].as_deref(),
            hash: hashes[1].as_deref(),
            aside: false,
        });
        self.database.append(tournament, &links.collect::<Vec<_>>())
    }

    /// Sets games aside, so that they can be played again. Their logs stay in the store.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set_aside(&mut self, tournament: i64, games: &[Damaged]) -> Result<(), StoreError> {
        let all = Transaction::begin(&*self.database, Access::Write)?;
        games.iter().try_for_each(|game| self.database.set_aside(tournament, game.number))?;
        all.commit()
    }

    /// Passes every game of a tournament to `visit`, in the order of the plan. Returns the damaged games, which are
    /// skipped.
    ///
    /// # Errors
    /// If the store cannot be read, or `visit` fails.
    pub fn each<E: From<StoreError>>(
        &self,
        tournament: i64,
        mut visit: impl FnMut(GameLog) -> Result<(), E>,
    ) -> Result<Vec<Damaged>, E> {
        let mut damaged = Vec::new();
        self.each_saved(tournament, Order::Plan, |saved, game| {
            match game {
                Ok(game) => visit(game)?,
                Err(why) => damaged.push(Damaged { number: saved.number, why }),
            }
            Ok::<_, E>(())
        })?;
        Ok(damaged)
    }

    /// Returns the latest games of the plan before `number`, at most `limit`, in descending order. Damaged games are
    /// skipped.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn games_before(&self, tournament: &Tournament, number: u32, limit: u32) -> Result<Vec<GameLog>, StoreError> {
        let agents = tournament.spec.agents.len();
        let mut games = Vec::new();
        let places = self.database.places_before(tournament.id, number, limit)?;
        self.each_at(tournament.id, &places, |_, _, row| {
            games.extend(row.ok().and_then(|saved| saved.game(agents).ok()));
            Ok::<(), StoreError>(())
        })?;
        Ok(games)
    }

    /// Returns the game with this number; `None` if it is unfinished or damaged.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn game(&self, tournament: &Tournament, number: u32) -> Result<Option<GameLog>, StoreError> {
        let latest = self.games_before(tournament, number.saturating_add(1), 1)?.pop();
        Ok(latest.filter(|game| game.planned.number == number))
    }

    /// Passes the games that were saved after a place to `visit`, in the order of saving. Returns the last place.
    pub(crate) fn each_after(
        &self,
        tournament: &Tournament,
        place: i64,
        mut visit: impl FnMut(Result<GameLog, Damaged>),
    ) -> Result<i64, StoreError> {
        let agents = tournament.spec.agents.len();
        let places = self.database.places_after(tournament.id, place)?;
        self.each_at(tournament.id, &places, |_, number, row| {
            let game = row.map_err(|error| error.to_string()).and_then(|saved| saved.game(agents));
            visit(game.map_err(|why| Damaged { number, why }));
            Ok::<(), StoreError>(())
        })?;
        Ok(places.last().map_or(place, |(place, _)| *place))
    }

    /// Returns the latest publication of the program that runs a tournament, with its age.
    pub(crate) fn snapshot(&self) -> Result<Option<(Bulletin, Duration)>, StoreError> {
        let snapshot = self.database.snapshot()?;
        // A text that this version cannot parse is ignored.
        Ok(snapshot.and_then(|(text, age)| Some((serde_json::from_str(&text).ok()?, age))))
    }

    /// Passes every game with its row to `visit`.
    fn each_saved<E: From<StoreError>>(
        &self,
        tournament: i64,
        order: Order,
        mut visit: impl FnMut(&Saved, Result<GameLog, String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let header = self.database.tournament(tournament)?.header;
        let agents = read_header(&header).map_or(0, |header| header.tournament.agents.len());
        self.each_row(tournament, order, |_, number, row| match row {
            Ok(saved) => visit(&saved, saved.game(agents)),
            Err(error) => visit(&Saved { number, ..Saved::default() }, Err(error.to_string())),
        })
    }

    /// Passes the place, the number and the row of every game to `visit`. For a row that cannot be read,
    /// `visit` receives the error.
    fn each_row<E: From<StoreError>>(
        &self,
        tournament: i64,
        order: Order,
        visit: impl FnMut(i64, u32, Result<Saved, StoreError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_at(tournament, &self.database.places(tournament, order)?, visit)
    }

    /// Passes the place, the number and the row of these games to `visit`. For a row that cannot be read,
    /// `visit` receives the error.
    fn each_at<E: From<StoreError>>(
        &self,
        tournament: i64,
        places: &[(i64, u32)],
        mut visit: impl FnMut(i64, u32, Result<Saved, StoreError>) -> Result<(), E>,
    ) -> Result<(), E> {
        /// Number of games per query. A single query would block the process that plays, and hold all games in memory.
        const BATCH_SIZE: usize = 64;
        for batch in places.chunks(BATCH_SIZE) {
            let places: Vec<i64> = batch.iter().map(|(place, _)| *place).collect();
            let mut rows: Vec<Result<Saved, StoreError>> = match self.database.games(tournament, &places) {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                Err(error) if !error.concerns_one_game() => return Err(error.into()),
                Err(_) => Vec::new(),
            };
            if rows.len() != batch.len() {
                // Reads the games one by one, so that damaged pages of one do not hide the others.
                rows = places.iter().map(|&place| self.database.game(tournament, place)).collect();
            }
            for (&(place, number), row) in batch.iter().zip(rows) {
                match row {
                    Err(error) if !error.concerns_one_game() => return Err(error.into()),
                    row => visit(place, number, row)?,
                }
            }
        }
        Ok(())
    }

    /// Returns `true` if the database's own check finds no damage.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_sound(&self) -> Result<bool, StoreError> {
        self.database.is_sound()
    }
}

fn read_header(text: &str) -> Result<Header, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}
