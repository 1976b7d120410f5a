//! Stores of finished games.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use game::{Message, message};

use crate::messages::game::Archived;

/// Returns the error for a game that is not in the archive.
pub fn no_game() -> Message {
    message!("archive.no_game", "The archive does not have this game.")
}

/// A store of finished games.
pub trait Store: Send + Sync {
    /// Returns every game, in the order in which they ended.
    fn all(&self) -> Vec<Arc<Archived>>;

    /// Adds a game, or replaces the game with the same id.
    fn add(&self, game: Archived) {
        self.add_all(vec![game]);
    }

    /// Adds games like [`add`](Self::add), in order.
    fn add_all(&self, games: Vec<Archived>);

    /// Removes the game with this id.
    ///
    /// # Errors
    /// If there is no such game or it cannot be removed. The error is a message for users.
    fn remove(&self, id: &str) -> Result<(), Message>;

    /// Retries the writes that failed.
    fn flush(&self) {}
}

/// The finished games in memory.
#[derive(Default)]
pub(crate) struct Memory(Mutex<Vec<Arc<Archived>>>);

impl Memory {
    /// Creates a store with these games.
    pub(crate) fn new(games: impl IntoIterator<Item = Archived>) -> Self {
        Self(Mutex::new(games.into_iter().map(Arc::new).collect()))
    }

    fn games(&self) -> MutexGuard<'_, Vec<Arc<Archived>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store for Memory {
    fn all(&self) -> Vec<Arc<Archived>> {
        self.games().clone()
    }

    fn add_all(&self, new: Vec<Archived>) {
        let mut games = self.games();
        games.retain(|game| new.iter().all(|other| other.id != game.id));
        games.extend(new.into_iter().map(Arc::new));
    }

    fn remove(&self, id: &str) -> Result<(), Message> {
        let mut games = self.games();
        let at = games.iter().position(|game| game.id == id).ok_or_else(no_game)?;
        games.remove(at);
        Ok(())
    }
}
