//! The store of tournaments: a SQLite file, or a PostgreSQL database.

mod chain;
mod database;
mod error;
mod hold;
mod layout;
mod location;
mod notice;
mod postgres;
mod salvage;
mod sqlite;
#[cfg(test)]
mod tests;
mod transfer;
mod verify;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::machine::Manifest;
use crate::{Bulletin, GameLog, Played, Spec};

pub use chain::{Finding, Wrong};
use chain::{genesis, link};
use database::{Access, AgentRow, Database, NewGame, Order, Saved, TournamentRow, Transaction};
pub use error::{StoreError, Trouble};
pub use hold::Hold;
use location::Kind;
pub use location::{Location, LocationError};
pub(crate) use notice::Notice;
use postgres::Postgres;
pub use salvage::{Salvaged, salvage};
use sqlite::Sqlite;
pub use transfer::{ImportError, Imported};
pub use verify::{Audit, Confirmed, check_game, verify};

/// A database of tournaments. Each game is written in one transaction.
pub struct Store {
    database: Box<dyn Database>,
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

impl Store {
    /// Opens a store, or creates it. A store of an earlier layout is given the present one.
    ///
    /// # Errors
    /// If the file or the server cannot be used.
    pub fn open(location: &Location) -> Result<Self, StoreError> {
        Self::connect(location, false)
    }

    /// Opens a store that exists.
    ///
    /// # Errors
    /// If it does not exist or cannot be used.
    pub fn existing(location: &Location) -> Result<Self, StoreError> {
        Self::connect(location, true)
    }

    /// Opens a store that exists and has the present layout, for reading alone. Nothing is ever written to it, so that
    /// it never keeps the program waiting that plays.
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

    /// The time `time` ago, in UTC.
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
        let header = json(&header)?;
        let all = Transaction::begin(&*self.database, Access::Write)?;
        let id = self.database.insert_tournament(&header, Some(&genesis(&header)), false)?;
        for (number, entrant) in entrants.iter().enumerate() {
            let agent = AgentRow { number, files: json(&entrant.files)?, build_output: entrant.build_output.clone() };
            self.database.insert_agent(id, &agent)?;
        }
        all.commit()?;
        Ok(id)
    }

    /// The numbers of all tournaments, the oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn tournaments(&self) -> Result<Vec<i64>, StoreError> {
        self.database.tournaments()
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
                // A damaged list is empty: `resume` says then that the files cannot be compared.
                entrant.files = serde_json::from_str(&files).unwrap_or_default();
                entrant.build_output = build_output;
            }
        }
        let Header { tournament: spec, planned, began, version, machine, .. } = header;
        Ok(Tournament { id, spec, planned, began, version, machine, entrants, genesis, imported, is_changed })
    }

    /// The hash of the game that was saved last, or of the header before the first. It changes with any change of an
    /// earlier game, so written down elsewhere it proves that nothing was changed. `None` if the games are not chained.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn head(&self, tournament: i64) -> Result<Option<String>, StoreError> {
        Ok(self.database.tournament(tournament)?.head)
    }

    /// The numbers of the games that have been played. A damaged game has been played.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn done(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError> {
        self.database.numbers(tournament)
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
        self.save_all(tournament, std::slice::from_ref(game))
    }

    /// Saves games at the end of the chain, all or none.
    ///
    /// # Errors
    /// If they cannot be written, or one was saved before. The error names the first game.
    pub fn save_all(&mut self, tournament: i64, games: &[GameLog]) -> Result<(), StoreError> {
        let Some(number) = games.first().map(|game| game.planned.number) else { return Ok(()) };
        let append = || {
            let all = Transaction::begin(&*self.database, Access::Write)?;
            let logs = games.iter().map(|game| Ok((game.planned.number, json(game)?)));
            self.append(tournament, &logs.collect::<Result<Vec<_>, StoreError>>()?)?;
            Ok(all)
        };
        let all = append().map_err(|error: StoreError| error.unsaved(number))?;
        all.commit().map_err(|error| error.perhaps_saved(number))
    }

    /// Adds games, each with its number and its log, to the chain, in the transaction that was begun.
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

    /// Leaves these games aside, so that they can be played again. Their logs stay in the store.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn set_aside(&mut self, tournament: i64, games: &[Damaged]) -> Result<(), StoreError> {
        let all = Transaction::begin(&*self.database, Access::Write)?;
        games.iter().try_for_each(|game| self.database.set_aside(tournament, game.number))?;
        all.commit()
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

    /// Shows the games that were saved after a place, in the order in which they were saved, and returns the last
    /// place. A damaged game comes with its number and the reason.
    pub(crate) fn each_after(
        &self,
        tournament: &Tournament,
        place: i64,
        mut see: impl FnMut(Result<GameLog, Damaged>),
    ) -> Result<i64, StoreError> {
        let agents = tournament.spec.agents.len();
        let places = self.database.places_after(tournament.id, place)?;
        self.each_at(tournament.id, &places, |_, number, row| {
            let game = row.map_err(|error| error.to_string()).and_then(|saved| saved.game(agents));
            see(game.map_err(|why| Damaged { number, why }));
            Ok::<(), StoreError>(())
        })?;
        Ok(places.last().map_or(place, |(place, _)| *place))
    }

    /// What the program that runs a tournament has published last, and how long ago.
    pub(crate) fn notice(&self) -> Result<Option<(Bulletin, Duration)>, StoreError> {
        let notice = self.database.notice()?;
        // A text of another version is none.
        Ok(notice.and_then(|(text, age)| Some((serde_json::from_str(&text).ok()?, age))))
    }

    /// Shows every game in some order, with its row.
    fn each_saved<E: From<StoreError>>(
        &self,
        tournament: i64,
        order: Order,
        mut see: impl FnMut(&Saved, Result<GameLog, String>) -> Result<(), E>,
    ) -> Result<(), E> {
        let header = self.database.tournament(tournament)?.header;
        let agents = read_header(&header).map_or(0, |header| header.tournament.agents.len());
        self.each_row(tournament, order, |_, number, row| match row {
            Ok(saved) => see(&saved, saved.game(agents)),
            Err(error) => see(&Saved { number, ..Saved::default() }, Err(error.to_string())),
        })
    }

    /// Shows every game in some order, with its place and its number: its row, or why that one cannot be read.
    fn each_row<E: From<StoreError>>(
        &self,
        tournament: i64,
        order: Order,
        see: impl FnMut(i64, u32, Result<Saved, StoreError>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_at(tournament, &self.database.places(tournament, order)?, see)
    }

    /// Shows the games at these places with these numbers, in their order: each one's row, or why it cannot be read.
    fn each_at<E: From<StoreError>>(
        &self,
        tournament: i64,
        places: &[(i64, u32)],
        mut see: impl FnMut(i64, u32, Result<Saved, StoreError>) -> Result<(), E>,
    ) -> Result<(), E> {
        /// One query for all games would keep the process that plays from saving, and need room for all.
        const AT_ONCE: usize = 64;
        for some in places.chunks(AT_ONCE) {
            let places: Vec<i64> = some.iter().map(|(place, _)| *place).collect();
            let mut rows: Vec<Result<Saved, StoreError>> = match self.database.games(tournament, &places) {
                Ok(rows) => rows.into_iter().map(Ok).collect(),
                Err(error) if !error.is_of_one_game() => return Err(error.into()),
                Err(_) => Vec::new(),
            };
            if rows.len() != some.len() {
                // The damaged pages of one game must not hide the others.
                rows = places.iter().map(|&place| self.database.game(tournament, place)).collect();
            }
            for (&(place, number), row) in some.iter().zip(rows) {
                match row {
                    Err(error) if !error.is_of_one_game() => return Err(error.into()),
                    row => see(place, number, row)?,
                }
            }
        }
        Ok(())
    }

    /// Checks the integrity of the database.
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

fn json<T: Serialize + ?Sized>(value: &T) -> Result<String, StoreError> {
    Ok(serde_json::to_string(value)?)
}
