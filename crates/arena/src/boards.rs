//! Boards of a watched tournament. A finished game stays on its board for a while, so that its result can be read.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::live::LiveGame;

/// Minimum display time of a game's result.
const RESULT_TIME: Duration = Duration::from_millis(1500);
/// Maximum time to wait for a board while the result of its previous game is unknown.
const RESULT_TIMEOUT: Duration = Duration::from_secs(3);

/// The key of a board: the number of its worker, and the number of the board at that worker. The program that runs the
/// tournament counts as worker 0.
pub(crate) type BoardKey = (i64, usize);

/// A board of a watched tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// Number of the worker; 0 for the program that runs the tournament.
    pub worker: i64,
    /// Number of the board at the worker.
    pub place: usize,
    /// Game on the board.
    pub game: LiveGame,
}

/// The game on a board.
struct Slot {
    game: LiveGame,
    /// Time at which the end of the game became known.
    over: Option<Instant>,
    /// Time at which the next game began to wait for the board.
    waiting_since: Option<Instant>,
}

/// All boards.
#[derive(Default)]
pub(crate) struct Boards(BTreeMap<BoardKey, Slot>);

impl Boards {
    /// Returns the boards, sorted by key.
    pub(crate) fn all(&self) -> Vec<Board> {
        let board = |(&(worker, place), slot): (&BoardKey, &Slot)| Board { worker, place, game: slot.game.clone() };
        self.0.iter().map(board).collect()
    }

    /// Returns `true` if a game is on a board and its end is not known.
    pub(crate) fn has_open(&self, number: u32) -> bool {
        self.0.values().any(|slot| slot.game.number == number && slot.over.is_none())
    }

    /// Sets the final state of a game.
    pub(crate) fn end(&mut self, last: LiveGame, now: Instant) {
        let open = |slot: &&mut Slot| slot.game.number == last.number && slot.over.is_none();
        if let Some(slot) = self.0.values_mut().find(open) {
            *slot = Slot { game: last, over: Some(now), waiting_since: None };
        }
    }

    /// Updates the boards with the published games.
    pub(crate) fn show(&mut self, games: &BTreeMap<BoardKey, LiveGame>, now: Instant) {
        self.0.retain(|key, slot| games.contains_key(key) || slot.over.is_some_and(|over| now < over + RESULT_TIME));
        for (&key, game) in games {
            let over = game.end.is_some().then_some(now);
            let fresh = Slot { game: game.clone(), over, waiting_since: None };
            let Some(slot) = self.0.get_mut(&key) else {
                self.0.insert(key, fresh);
                continue;
            };
            if slot.game.number == game.number {
                // An older publication must not replace a result that the store has reported.
                if slot.over.is_none() {
                    *slot = fresh;
                }
                continue;
            }
            let waiting_since = *slot.waiting_since.get_or_insert(now);
            let is_due = match slot.over {
                Some(over) => now >= over + RESULT_TIME,
                None => now >= waiting_since + RESULT_TIMEOUT,
            };
            if is_due {
                *slot = fresh;
            }
        }
    }

    /// Removes all boards.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::ResultLog;

    fn game(number: u32, plies: u32, is_over: bool) -> LiveGame {
        let end = is_over.then(|| (ResultLog::First, "win".to_owned()));
        LiveGame { number, plies, end, ..LiveGame::default() }
    }

    fn shown(boards: &Boards) -> Vec<(u32, u32, bool)> {
        boards.all().iter().map(|board| (board.game.number, board.game.plies, board.game.end.is_some())).collect()
    }

    #[test]
    fn a_result_is_shown_for_a_while_and_until_the_next_game() {
        let (mut boards, start) = (Boards::default(), Instant::now());
        let see = |boards: &mut Boards, ms, game: LiveGame| {
            boards.show(&[((0, 0), game)].into(), start + Duration::from_millis(ms));
        };
        see(&mut boards, 0, game(1, 3, false));
        see(&mut boards, 100, game(1, 4, false));
        assert_eq!(shown(&boards), [(1, 4, false)]);
        see(&mut boards, 200, game(1, 5, true));
        see(&mut boards, 300, game(2, 0, false));
        assert_eq!(shown(&boards), [(1, 5, true)]);
        see(&mut boards, 1800, game(2, 1, false));
        assert_eq!(shown(&boards), [(2, 1, false)]);
        see(&mut boards, 1900, game(2, 2, true));
        see(&mut boards, 9000, game(2, 2, true));
        assert_eq!(shown(&boards), [(2, 2, true)], "without a next game it stays");
        see(&mut boards, 9100, game(3, 1, false));
        assert_eq!(shown(&boards), [(3, 1, false)]);
    }

    #[test]
    fn the_result_of_a_game_may_come_from_the_store() {
        let (mut boards, start) = (Boards::default(), Instant::now());
        let at = |ms| start + Duration::from_millis(ms);
        boards.show(&[((0, 0), game(1, 3, false))].into(), at(0));
        boards.show(&[((0, 0), game(2, 1, false))].into(), at(200));
        assert!(boards.has_open(1) && !boards.has_open(2), "{:?}", shown(&boards));
        boards.end(game(1, 9, true), at(300));
        boards.show(&[((0, 0), game(2, 2, false))].into(), at(400));
        assert_eq!(shown(&boards), [(1, 9, true)]);
        boards.show(&[((0, 0), game(2, 3, false))].into(), at(1900));
        assert_eq!(shown(&boards), [(2, 3, false)]);
        // The store never reports the result of game 2.
        boards.show(&[((0, 0), game(3, 1, false))].into(), at(2000));
        boards.show(&[((0, 0), game(3, 1, false))].into(), at(5100));
        assert_eq!(shown(&boards), [(3, 1, false)]);
    }

    #[test]
    fn the_boards_of_a_lost_worker_are_removed() {
        let (mut boards, start) = (Boards::default(), Instant::now());
        let games = [((7, 0), game(1, 3, false)), ((8, 0), game(2, 3, false)), ((8, 1), game(4, 3, true))];
        boards.show(&games.clone().into(), start);
        assert_eq!(boards.all().len(), 3);
        boards.show(&games[..1].iter().cloned().collect(), start + Duration::from_millis(200));
        assert_eq!(shown(&boards), [(1, 3, false), (4, 3, true)]);
        boards.show(&games[..1].iter().cloned().collect(), start + Duration::from_secs(2));
        assert_eq!(shown(&boards), [(1, 3, false)]);
    }
}
