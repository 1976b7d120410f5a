//! What a store needs of a database: rows and transactions. What the rows mean is the store's business.

use std::collections::BTreeSet;
use std::time::Duration;

use super::StoreError;
use super::chain::link;
use crate::GameLog;

/// The use of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Reads rows of one moment, although another process may write meanwhile.
    Read,
    /// Writes all rows or none.
    Write,
}

/// A database with the tables of a store.
pub(super) trait Database: Send {
    fn begin(&self, access: Access) -> Result<(), StoreError>;
    fn commit(&self) -> Result<(), StoreError>;
    /// Undoes a transaction. Without a connection the database does so by itself.
    fn roll_back(&self);

    /// The time `time` ago, in UTC, as ISO 8601 with milliseconds.
    fn ago(&self, time: Duration) -> Result<String, StoreError>;
    /// Whether the database finds nothing wrong with itself.
    fn is_sound(&self) -> Result<bool, StoreError>;

    /// Saves a tournament, whose head is its genesis, and returns its number.
    fn insert_tournament(&self, header: &str, genesis: Option<&str>, imported: bool) -> Result<i64, StoreError>;
    fn insert_agent(&self, tournament: i64, agent: &AgentRow) -> Result<(), StoreError>;
    /// The numbers of all tournaments, the oldest first.
    fn tournaments(&self) -> Result<Vec<i64>, StoreError>;
    fn tournament(&self, id: i64) -> Result<TournamentRow, StoreError>;
    fn agents(&self, tournament: i64) -> Result<Vec<AgentRow>, StoreError>;

    /// The head of a tournament, whose chain nobody else can extend until the transaction ends.
    fn head_to_extend(&self, tournament: i64) -> Result<Option<String>, StoreError>;
    /// Saves games at the next places, and makes the hash of the last one the head.
    fn append(&self, tournament: i64, games: &[NewGame<'_>]) -> Result<(), StoreError>;
    fn set_aside(&self, tournament: i64, number: u32) -> Result<(), StoreError>;
    /// The numbers of the games that have been played and are not set aside.
    fn numbers(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError>;
    /// The places and the numbers of all games.
    fn places(&self, tournament: i64, order: Order) -> Result<Vec<(i64, u32)>, StoreError>;
    /// The places and the numbers of the games that were saved after this place, and are not set aside.
    fn places_after(&self, tournament: i64, place: i64) -> Result<Vec<(i64, u32)>, StoreError>;
    fn game(&self, tournament: i64, place: i64) -> Result<Saved, StoreError>;
    /// The games at these places, in this order.
    fn games(&self, tournament: i64, places: &[i64]) -> Result<Vec<Saved>, StoreError> {
        places.iter().map(|&place| self.game(tournament, place)).collect()
    }
    /// What the program that runs a tournament has published last, and how long ago.
    fn notice(&self) -> Result<Option<(String, Duration)>, StoreError>;
}

/// A transaction, which is undone unless it is committed.
pub(super) struct Transaction<'a> {
    database: &'a dyn Database,
    is_open: bool,
}

impl<'a> Transaction<'a> {
    pub(super) fn begin(database: &'a dyn Database, access: Access) -> Result<Self, StoreError> {
        database.begin(access)?;
        Ok(Self { database, is_open: true })
    }

    pub(super) fn commit(mut self) -> Result<(), StoreError> {
        self.database.commit()?;
        self.is_open = false;
        Ok(())
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.is_open {
            self.database.roll_back();
        }
    }
}

/// A row of the tournaments.
pub(super) struct TournamentRow {
    /// JSON: the specification and how the tournament began.
    pub(super) header: String,
    /// The hash of the header; `None` if the games are not chained.
    pub(super) genesis: Option<String>,
    /// The hash of the game that was saved last, or of the header.
    pub(super) head: Option<String>,
    pub(super) imported: bool,
}

/// A row of the agents.
pub(super) struct AgentRow {
    /// As in the specification.
    pub(super) number: usize,
    /// JSON: its files with their hashes.
    pub(super) files: String,
    pub(super) build_output: String,
}

/// A game that is to be saved.
pub(super) struct NewGame<'a> {
    pub(super) number: u32,
    pub(super) log: &'a str,
    pub(super) before: Option<&'a str>,
    pub(super) hash: Option<&'a str>,
    pub(super) aside: bool,
}

/// An order of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// That of the plan. Games that were set aside are left out.
    Plan,
    /// That in which they were saved.
    Saved,
}

/// A row of the games.
#[derive(Default)]
pub(super) struct Saved {
    pub(super) number: u32,
    /// The log's bytes, because a damaged one need not be text.
    pub(super) log: Vec<u8>,
    pub(super) before: Option<String>,
    pub(super) hash: Option<String>,
    pub(super) aside: bool,
}

impl Saved {
    /// Whether the hash is that of the log.
    pub(super) fn fits(&self) -> bool {
        self.before.as_deref().map(|before| link(before, &self.log)) == self.hash
    }

    /// The game, if its log is the one that was saved.
    pub(super) fn game(&self, agents: usize) -> Result<GameLog, String> {
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
