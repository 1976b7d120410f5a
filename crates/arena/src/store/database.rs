//! The interface of a store to its database: rows and transactions. The store interprets the rows.

use std::collections::BTreeSet;
use std::time::Duration;

use super::chain::link;
use crate::log::GameLog;
use crate::store::error::StoreError;

/// The kind of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Reads a consistent state, even while another process writes.
    Read,
    /// Writes all rows or none.
    Write,
}

/// A database with the tables of a store.
pub(super) trait Database: Send {
    fn begin(&self, access: Access) -> Result<(), StoreError>;
    fn commit(&self) -> Result<(), StoreError>;
    /// Rolls back a transaction. Without a connection, the server does that itself.
    fn roll_back(&self);

    /// Returns the time `time` ago, in UTC, as ISO 8601 with milliseconds.
    fn ago(&self, time: Duration) -> Result<String, StoreError>;
    /// Returns `true` if the database's own check finds no damage.
    fn is_sound(&self) -> Result<bool, StoreError>;

    /// Saves a tournament whose head is `genesis`, and returns its number.
    fn insert_tournament(&self, header: &str, genesis: Option<&str>, imported: bool) -> Result<i64, StoreError>;
    fn insert_agent(&self, tournament: i64, agent: &AgentRow) -> Result<(), StoreError>;
    /// Returns the numbers of all tournaments, the oldest first.
    fn tournaments(&self) -> Result<Vec<i64>, StoreError>;
    fn tournament(&self, id: i64) -> Result<TournamentRow, StoreError>;
    fn agents(&self, tournament: i64) -> Result<Vec<AgentRow>, StoreError>;

    /// Returns the head of a tournament, and locks the chain until the transaction ends.
    fn head_to_extend(&self, tournament: i64) -> Result<Option<String>, StoreError>;
    /// Saves games at the next places, and sets the head to the hash of the last one.
    fn append(&self, tournament: i64, games: &[NewGame<'_>]) -> Result<(), StoreError>;
    fn set_aside(&self, tournament: i64, number: u32) -> Result<(), StoreError>;
    /// Returns the numbers of the saved games that are not set aside.
    fn numbers(&self, tournament: i64) -> Result<BTreeSet<u32>, StoreError>;
    /// Returns the places and numbers of the games in this order.
    fn places(&self, tournament: i64, order: Order) -> Result<Vec<(i64, u32)>, StoreError>;
    /// Returns the places and numbers of the games after this place that are not set aside.
    fn places_after(&self, tournament: i64, place: i64) -> Result<Vec<(i64, u32)>, StoreError>;
    /// Returns the places and numbers of the latest games of the plan before this number that are not set aside, at
    /// most `limit`, in descending order.
    fn places_before(&self, tournament: i64, number: u32, limit: u32) -> Result<Vec<(i64, u32)>, StoreError>;
    fn game(&self, tournament: i64, place: i64) -> Result<Saved, StoreError>;
    /// Returns the games at these places, in this order.
    fn games(&self, tournament: i64, places: &[i64]) -> Result<Vec<Saved>, StoreError> {
        places.iter().map(|&place| self.game(tournament, place)).collect()
    }
    /// Returns the text that the running program has published last, with its age.
    fn snapshot(&self) -> Result<Option<(String, Duration)>, StoreError>;
}

/// A transaction. Dropping it without a commit rolls it back.
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

/// A row of the table of tournaments.
pub(super) struct TournamentRow {
    /// Specification, start time and machine of the tournament, as JSON.
    pub(super) header: String,
    /// Hash of the header; `None` if the games are not chained.
    pub(super) genesis: Option<String>,
    /// Hash of the game that was saved last, or of the header.
    pub(super) head: Option<String>,
    pub(super) imported: bool,
}

/// A row of the table of agents.
pub(super) struct AgentRow {
    /// Index in the specification.
    pub(super) number: usize,
    /// JSON of the files with their hashes.
    pub(super) files: String,
    pub(super) build_output: String,
}

/// A game to save.
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
    /// By number in the plan, without games that were set aside.
    Plan,
    /// By place, that is, in the order of saving.
    Saved,
}

/// A row of the table of games.
#[derive(Default)]
pub(super) struct Saved {
    pub(super) number: u32,
    /// Bytes of the log, which may not be UTF-8 if it is damaged.
    pub(super) log: Vec<u8>,
    pub(super) before: Option<String>,
    pub(super) hash: Option<String>,
    pub(super) aside: bool,
}

impl Saved {
    /// Returns `true` if the hash matches the log.
    pub(super) fn is_intact(&self) -> bool {
        self.before.as_deref().map(|before| link(before, &self.log)) == self.hash
    }

    /// Parses the game, unless its log was changed after it was saved.
    pub(super) fn game(&self, agents: usize) -> Result<GameLog, String> {
        if !self.is_intact() {
            return Err("its log was changed after it was saved".to_owned());
        }
        let game: GameLog = serde_json::from_slice(&self.log).map_err(|error| error.to_string())?;
        if game.planned.number != self.number {
            return Err(format!("its log is that of game {}", game.planned.number));
        }
        game.check_values(agents)?;
        Ok(game)
    }
}
