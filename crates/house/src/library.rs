//! The finished games, and the requests about them.

use core::ops::Range;
use std::sync::{Arc, OnceLock};

use game::{Message, message};
use jiff::Timestamp;

use crate::explorer::Explorer;
use crate::ladder::ladder;
use crate::messages::answer::Answer;
use crate::messages::game::Archived;
use crate::messages::request::Request;
use crate::room::game_id;
use crate::store::{Store, no_game};
use crate::transfer::{export, import};

/// Maximum number of games in an answer.
const MOST_LISTED: usize = 100;
/// Maximum total number of moves in a list of several games. Without it, a list of long games would take megabytes.
const MOST_MOVES: usize = 10_000;

/// Returns the error for requests to a missing archive, or by clients that have no access to the archive.
pub(crate) fn no_archive() -> Message {
    message!("archive.none", "There is no archive here.")
}

/// The archive of finished games, if there is one, and the opening explorer. The explorer counts the games in the
/// archive and in files.
#[derive(Default)]
pub struct Library {
    store: OnceLock<Box<dyn Store>>,
    explorer: Explorer,
}

impl Library {
    /// Sets the archive. Further calls are ignored.
    pub fn set_store(&self, store: impl Store + 'static) {
        let _ = self.store.set(Box::new(store));
    }

    /// Returns the archive.
    pub fn store(&self) -> Option<&dyn Store> {
        self.store.get().map(Box::as_ref)
    }

    /// Returns the finished games, in the order in which they ended.
    pub(crate) fn games(&self) -> Vec<Arc<Archived>> {
        self.store().map(Store::all).unwrap_or_default()
    }

    /// Adds games to the explorer.
    pub fn add_files(&self, games: Vec<Archived>) {
        self.explorer.add_files(games);
    }

    /// Updates the explorer's counts from the archive and the files. Returns `true` if another thread is already
    /// updating them.
    pub fn count_games(&self) -> bool {
        self.explorer.follow(|| Some(self.store()?.all()))
    }

    /// Adds a finished game to the archive, if there is one.
    pub(crate) fn keep(&self, game: Archived) {
        if let Some(store) = self.store() {
            store.add(game);
        }
    }

    /// Answers a request about finished games.
    ///
    /// # Errors
    /// If there is no archive, or the request is invalid. The error is a message for users.
    pub(crate) fn answer(&self, request: Request) -> Result<Answer, Message> {
        if let Request::Explore { id, game, sources } = request {
            let counting = self.count_games();
            return Ok(Answer::Explored { id, moves: self.explorer.openings(&game, &sources)?, counting });
        }
        let store = self.store().ok_or_else(no_archive)?;
        Ok(match request {
            Request::Archive { id, game, result, skip, count } => {
                let fits = |archived: &Archived| {
                    game.as_deref().is_none_or(|game| archived.game == game)
                        && result.is_none_or(|result| archived.own_result() == Some(result))
                };
                list(id, &store.all(), fits, skip..skip.saturating_add(count))
            }
            Request::Archived { id, name } => {
                let game = store.all().into_iter().find(|game| game.id == name).ok_or_else(no_game)?;
                Answer::Archive { id, games: vec![Archived::clone(&game)], count: 1 }
            }
            Request::Forget { id, name } => store.remove(&name).map(|()| Answer::Done { id })?,
            Request::Ladder { id, game } => ladder(id, game_id(&game)?, &store.all()),
            Request::Export { id, skip } => export(id, &store.all(), skip),
            Request::Import { id, text, line } => import(id, store, &text, line),
            _ => return Err(no_archive()),
        })
    }
}

/// Lists the finished games that match a predicate, the newest first. `range` selects a part of this list.
fn list(id: u32, games: &[Arc<Archived>], matches: impl Fn(&Archived) -> bool, range: Range<usize>) -> Answer {
    let all = || games.iter().rev().filter(|game| matches(game));
    // The list ends at the limit of moves; the next request returns further games.
    let mut moves = 0;
    let fits = |game: &&Arc<Archived>| {
        moves += game.moves.len();
        moves <= MOST_MOVES.max(game.moves.len())
    };
    let listed = all().skip(range.start).take(range.len().min(MOST_LISTED)).take_while(fits);
    Answer::Archive { id, games: listed.map(|game| Archived::clone(game)).collect(), count: all().count() }
}

/// Formats a time, in seconds since 1970, as `2025-11-21T20:14:56Z`.
pub(crate) fn utc(seconds: u64) -> String {
    i64::try_from(seconds)
        .ok()
        .and_then(|seconds| Timestamp::from_second(seconds).ok())
        .unwrap_or(Timestamp::MAX)
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_763_756_096), "2025-11-21T20:14:56Z");
        assert_eq!(utc(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(utc(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
