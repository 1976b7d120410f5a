//! Boards for those who watch: each place keeps a game that is over for a while, so that its result can be read.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::LiveGame;

/// How long the result of a game stays although the next game has begun.
const LINGER: Duration = Duration::from_millis(1500);
/// How long the result of a game is waited for that was over when nobody looked.
const PATIENCE: Duration = Duration::from_secs(3);

/// A place where games are played: a worker, or 0 for the program that runs the tournament, and a number there.
pub(crate) type Spot = (i64, usize);

/// A board.
#[derive(Clone, Debug, PartialEq)]
pub struct Board {
    /// The number of the worker that plays there; 0 for the program that runs the tournament.
    pub worker: i64,
    /// The number of the board there.
    pub place: usize,
    /// What is on it.
    pub game: LiveGame,
}

/// What is on a board, and since when its next game waits.
struct Kept {
    game: LiveGame,
    over: Option<Instant>,
    waits: Option<Instant>,
}

/// All boards.
#[derive(Default)]
pub(crate) struct Boards(BTreeMap<Spot, Kept>);

impl Boards {
    /// The boards in a fixed order.
    pub(crate) fn all(&self) -> Vec<Board> {
        let board = |(&(worker, place), kept): (&Spot, &Kept)| Board { worker, place, game: kept.game.clone() };
        self.0.iter().map(board).collect()
    }

    /// Whether a game is on a board and not known to be over.
    pub(crate) fn has_open(&self, number: u32) -> bool {
        self.0.values().any(|kept| kept.game.number == number && kept.over.is_none())
    }

    /// Shows how a game has ended.
    pub(crate) fn end(&mut self, last: LiveGame, now: Instant) {
        let open = |kept: &&mut Kept| kept.game.number == last.number && kept.over.is_none();
        if let Some(kept) = self.0.values_mut().find(open) {
            *kept = Kept { game: last, over: Some(now), waits: None };
        }
    }

    /// Shows the games that are being played.
    pub(crate) fn show(&mut self, games: &BTreeMap<Spot, LiveGame>, now: Instant) {
        self.0.retain(|spot, kept| games.contains_key(spot) || kept.over.is_some_and(|over| now < over + LINGER));
        for (&spot, game) in games {
            let over = game.end.is_some().then_some(now);
            let fresh = Kept { game: game.clone(), over, waits: None };
            let Some(kept) = self.0.get_mut(&spot) else {
                self.0.insert(spot, fresh);
                continue;
            };
            if kept.game.number == game.number {
                // What the store says of its end is not taken back by an older publication.
                if kept.over.is_none() {
                    *kept = fresh;
                }
                continue;
            }
            let waits = *kept.waits.get_or_insert(now);
            let is_seen = match kept.over {
                Some(over) => now >= over + LINGER,
                None => now >= waits + PATIENCE,
            };
            if is_seen {
                *kept = fresh;
            }
        }
    }

    /// Removes everything.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ResultLog;

    fn game(number: u32, plies: u32, is_over: bool) -> LiveGame {
        let end = is_over.then(|| (ResultLog::First, "win".to_owned()));
        LiveGame { number, plies, end, ..LiveGame::default() }
    }

    fn shown(boards: &Boards) -> Vec<(u32, u32, bool)> {
        boards.all().iter().map(|board| (board.game.number, board.game.plies, board.game.end.is_some())).collect()
    }

    #[test]
    fn a_result_stays_for_a_while_and_then_until_the_next_game() {
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
    fn the_end_of_a_game_may_be_known_from_the_store_alone() {
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
        // The store never says how game 2 ended.
        boards.show(&[((0, 0), game(3, 1, false))].into(), at(2000));
        boards.show(&[((0, 0), game(3, 1, false))].into(), at(5100));
        assert_eq!(shown(&boards), [(3, 1, false)]);
    }

    #[test]
    fn a_worker_that_has_gone_takes_its_boards_along() {
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
