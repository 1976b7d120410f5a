//! The opening explorer: how often each move was played in a position, and the results of these games.
//!
//! The index is kept in memory. It is updated only when a caller requests it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};

use game::{Explain as _, Message};
use games::{GameId, Setting, Visit};

use crate::messages::game::{Archived, Explored, Game, Who};
use crate::messages::request::Source;
use crate::room::{game_id, texts};

/// Maximum number of plies counted per game. Later moves are not part of an opening.
const MOST_PLIES: usize = 60;

/// The counts of all games.
#[derive(Default)]
pub(crate) struct Explorer {
    index: RwLock<HashMap<u64, Vec<Counted>>>,
    /// Archived games that have been counted. The lock is held during an update.
    known: Mutex<HashMap<String, Arc<Archived>>>,
    /// Games from files that have not been counted yet.
    files: Mutex<Vec<Archived>>,
    /// Kinds of games whose built-in openings have been counted.
    built_in: Mutex<Vec<GameId>>,
}

/// A move in a position, with the wins, draws and losses of the side that made it, for each source.
struct Counted {
    /// Key of the move; see [`Visit::way`].
    way: u64,
    by: [[u32; 3]; 3],
}

impl Explorer {
    /// Adds games from files. The next call to [`follow`](Self::follow) counts them.
    pub(crate) fn add_files(&self, games: Vec<Archived>) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).extend(games);
    }

    /// Updates the counts: adds new games, and removes games that were deleted from the archive. `archived` returns all
    /// games of the archive, or `None` if there is no archive. Returns `true` if another thread is already updating the
    /// counts.
    pub(crate) fn follow(&self, archived: impl FnOnce() -> Option<Vec<Arc<Archived>>>) -> bool {
        let mut known = match self.known.try_lock() {
            Ok(known) => known,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return true,
        };
        for game in core::mem::take(&mut *self.files.lock().unwrap_or_else(PoisonError::into_inner)) {
            self.count(&game, Source::Files, true);
        }
        let Some(archived) = archived() else { return false };
        let now: HashMap<String, Arc<Archived>> = archived.into_iter().map(|game| (game.id.clone(), game)).collect();
        let is_in = |games: &HashMap<String, Arc<Archived>>, game: &Arc<Archived>| {
            games.get(&game.id).is_some_and(|other| Arc::ptr_eq(other, game) || other == game)
        };
        for gone in known.values().filter(|game| !is_in(&now, game)) {
            self.count(gone, source(gone), false);
        }
        for new in now.values().filter(|game| !is_in(&known, game)) {
            self.count(new, source(new), true);
        }
        *known = now;
        false
    }

    /// Adds a game to the counts or removes it. Games with illegal moves, for example from a later version of the
    /// rules, are skipped.
    fn count(&self, game: &Archived, source: Source, add: bool) {
        let moves = texts(&game.moves[..game.moves.len().min(MOST_PLIES)]);
        if let Ok(id) = game_id(&game.game)
            && let Ok(record) = setting(id, game.size).record(game.start.as_deref(), &moves)
        {
            self.count_visits(record.visits(), game.winner, source, add);
        }
    }

    /// Adds the built-in openings of a game to the counts, unless they have already been added.
    fn count_built_in(&self, game: GameId) {
        let mut counted = self.built_in.lock().unwrap_or_else(PoisonError::into_inner);
        if counted.contains(&game) {
            return;
        }
        counted.push(game);
        for opening in game.opening_games() {
            let record = setting(game, None).record(None, &opening.moves);
            let record = record.expect("invariant: a test plays the built-in openings");
            self.count_visits(record.visits(), opening.winner, Source::Engines, true);
        }
    }

    /// Adds the moves of a game to the counts, or removes them.
    fn count_visits(&self, visits: Vec<Visit>, winner: Option<usize>, source: Source, add: bool) {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        for Visit { position, way, turn } in visits {
            let result = match winner {
                None => 1,
                Some(winner) => usize::from(winner != turn) * 2,
            };
            let ways = index.entry(position).or_default();
            let at = ways.iter().position(|counted| counted.way == way).unwrap_or_else(|| {
                ways.push(Counted { way, by: [[0; 3]; 3] });
                ways.len() - 1
            });
            let count = &mut ways[at].by[source as usize][result];
            *count = if add { *count + 1 } else { count.saturating_sub(1) };
        }
    }

    /// Returns the moves that were played in the last position of `game`, in order of decreasing frequency.
    ///
    /// # Errors
    /// If the game is invalid.
    pub(crate) fn openings(&self, game: &Game, sources: &[Source]) -> Result<Vec<Explored>, Message> {
        let id = game_id(&game.game)?;
        self.count_built_in(id);
        let record = setting(id, game.size)
            .record(game.start.as_deref(), &texts(&game.moves))
            .map_err(|error| error.message())?;
        let here = record.branches();
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        let mut moves: Vec<Explored> = Vec::new();
        for counted in index.get(&here.position).into_iter().flatten() {
            let sum = |result: usize| sources.iter().map(|&source| counted.by[source as usize][result]).sum();
            let [wins, draws, losses] = [sum(0), sum(1), sum(2)];
            let mut same = here.ways.iter().filter(|(_, way)| *way == counted.way).map(|(text, _)| text.clone());
            if let (Some(text), true) = (same.next(), wins + draws + losses > 0) {
                moves.push(Explored { text, same: same.collect(), wins, draws, losses });
            }
        }
        moves.sort_by(|a, b| b.games().cmp(&a.games()).then_with(|| a.text.cmp(&b.text)));
        Ok(moves)
    }
}

fn source(game: &Archived) -> Source {
    if game.seats.iter().any(Who::is_person) { Source::People } else { Source::Engines }
}

fn setting(game: GameId, size: Option<usize>) -> Setting {
    Setting { size, ..Setting::new(game, u32::MAX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archived(id: &str, moves: &[&str], winner: Option<usize>, people: bool) -> Archived {
        let who = if people { Who::PERSON } else { Who::Engine { level: None, budget: false } };
        Archived {
            id: id.into(),
            date: String::new(),
            game: "loa".into(),
            size: Some(7),
            start: None,
            moves: moves.iter().map(|&text| text.to_owned()).collect(),
            limit: None,
            clock: None,
            seats: [who.clone(), who],
            winner,
            reason: "board".into(),
            helped: false,
        }
    }

    fn explored(explorer: &Explorer, moves: &[&str], sources: &[Source]) -> Vec<(String, [u32; 3])> {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        let game = Game { game: "loa".into(), size: Some(7), start: None, moves, limit: None };
        let openings = explorer.openings(&game, sources).expect("a position");
        openings.into_iter().map(|one| (one.text, [one.wins, one.draws, one.losses])).collect()
    }

    #[test]
    fn results_are_those_of_the_mover_and_symmetric_moves_are_counted_together() {
        let explorer = Explorer::default();
        let mut archive = vec![
            Arc::new(archived("1", &["b1-b3", "a2-c2"], Some(0), true)),
            Arc::new(archived("2", &["f7-f5", "g6-e6"], Some(1), true)),
            Arc::new(archived("3", &["b1-d3"], None, false)),
            Arc::new(archived("4", &["not a move"], None, false)),
        ];
        explorer.add_files(vec![archived("0", &["c1-c3"], Some(0), false)]);
        assert!(!explorer.follow(|| Some(archive.clone())));
        let all = Source::ALL;
        // Moves are shown in the orientation of the user's board.
        let start = [("b1-b3", [1, 0, 1]), ("b1-d3", [0, 1, 0]), ("c1-c3", [1, 0, 0])];
        let texts = |found: &[(&str, [u32; 3])]| -> Vec<(String, [u32; 3])> {
            found.iter().map(|&(text, counts)| (text.to_owned(), counts)).collect()
        };
        assert_eq!(explored(&explorer, &[], &all), texts(&start));
        assert_eq!(explored(&explorer, &["f1-f3"], &all), texts(&[("g2-e2", [1, 0, 1])]));
        assert_eq!(explored(&explorer, &[], &[Source::Engines]), texts(&start[1..2]));
        assert_eq!(explored(&explorer, &[], &[Source::Files]), texts(&start[2..]));
        // Deleted and replaced games are no longer counted.
        archive.remove(2);
        archive[1] = Arc::new(archived("2", &["f7-f5"], None, true));
        explorer.follow(|| Some(archive.clone()));
        explorer.follow(|| Some(archive.clone()));
        assert_eq!(explored(&explorer, &[], &all), texts(&[("b1-b3", [1, 1, 0]), ("c1-c3", [1, 0, 0])]));
        assert_eq!(explored(&explorer, &["b1-b3"], &all), texts(&[("a2-c2", [0, 0, 1])]));
        let bad = Game { game: "chess".into(), size: None, start: None, moves: vec![], limit: None };
        assert!(explorer.openings(&bad, &all).is_err());
    }

    #[test]
    fn games_under_different_rules_are_counted_separately() {
        let explorer = Explorer::default();
        let game = |id: &str, start: Option<&str>, mv: &str| {
            Arc::new(Archived { start: start.map(str::to_owned), ..archived(id, &[mv], Some(0), true) })
        };
        // The text of a position is another name of the same start.
        let text = "-bbbbb-/w-----w/w-----w/w-----w/w-----w/w-----w/-bbbbb- b mso";
        let starts = [None, Some("mso"), Some(text), Some("scrambled-eggs"), Some("scrambled-eggs mso")];
        let moves = ["b1-b3", "b1-d3", "c1-c3", "b1-b3", "b1-b3"];
        let ids = ["1", "2", "3", "4", "5"];
        let games: Vec<_> = (0..5).map(|i| game(ids[i], starts[i], moves[i])).collect();
        explorer.follow(|| Some(games));
        for (start, expected) in
            starts.into_iter().zip([&moves[..1], &moves[1..3], &moves[1..3], &moves[3..4], &moves[4..]])
        {
            let start = start.map(str::to_owned);
            let game = Game { game: "loa".into(), size: Some(7), start, moves: vec![], limit: None };
            let found = explorer.openings(&game, &Source::ALL).expect("a position");
            let found: Vec<_> = found.iter().map(|one| (one.text.as_str(), one.games())).collect();
            assert_eq!(found, expected.iter().map(|&mv| (mv, 1)).collect::<Vec<_>>(), "{:?}", game.start);
        }
    }

    #[test]
    fn built_in_openings_are_counted_once_and_only_on_the_usual_board() {
        let explorer = Explorer::default();
        for id in GameId::BUILT_IN {
            let game = |size| Game { game: id.to_string(), size, start: None, moves: vec![], limit: None };
            let count = |size, sources: &[Source]| -> usize {
                let moves = explorer.openings(&game(size), sources).expect("a position");
                moves.iter().map(|explored| explored.games() as usize).sum()
            };
            let games = id.opening_games().len();
            assert_eq!(count(None, &[Source::Engines]), games, "{id}");
            assert_eq!(count(None, &Source::ALL), games, "{id}");
            assert_eq!(count(None, &[Source::People, Source::Files]), 0, "{id}");
        }
        let small = Game { game: "loa".into(), size: Some(6), start: None, moves: vec![], limit: None };
        assert!(explorer.openings(&small, &Source::ALL).expect("a position").is_empty());
        let mso = Game { size: None, start: Some("mso".into()), ..small };
        assert!(explorer.openings(&mso, &Source::ALL).expect("a position").is_empty());
    }
}
