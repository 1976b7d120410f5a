//! A tournament run by another program: the state to show, and the part of it that each page has received.

use std::collections::BTreeMap;
use std::sync::Arc;

use games::Scene;

use crate::messages::answer::Answer;
use crate::messages::game::Game;
use crate::messages::tournament::{Board, BoardView, Tournament};
use crate::room::scene;

/// The state of a tournament. Copies share their content.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    tournament: Arc<Tournament>,
    boards: Vec<Arc<Shown>>,
}

/// A board with its scene.
#[derive(Clone, Debug)]
struct Shown {
    board: Board,
    scene: Scene,
    /// Time when the board was received, in milliseconds.
    since: u64,
}

impl Stage {
    /// Reports why the tournament cannot be read. The state remains as it was, with stopped clocks.
    pub fn trouble(&mut self, why: &str, now: u64) {
        let still = |shown: &Arc<Shown>| Board { left: shown.left(now), running: None, ..shown.board.clone() };
        let boards = self.boards.iter().map(still).collect();
        self.show(Tournament { trouble: Some(why.to_owned()), ..(*self.tournament).clone() }, boards, now);
    }

    /// Replaces the state, with the boards in this order. Boards with an invalid position are omitted.
    pub fn show(&mut self, tournament: Tournament, boards: Vec<Board>, now: u64) {
        let mut known: BTreeMap<&str, &Arc<Shown>> =
            self.boards.iter().map(|shown| (shown.board.key.as_str(), shown)).collect();
        let new = |board, scene| Arc::new(Shown { board, scene, since: now });
        let shown = boards.into_iter().filter_map(|board| match known.remove(board.key.as_str()) {
            Some(old) if old.is_same(&board, now) => Some(Arc::clone(old)),
            Some(old) if old.board.game == board.game => Some(new(board, old.scene.clone())),
            _ => still(&board.game).map(|scene| new(board, scene)),
        });
        self.boards = shown.collect();
        if *self.tournament != tournament {
            self.tournament = Arc::new(tournament);
        }
    }

    /// Returns a game from its beginning, if it is on a board or among the last results.
    pub(crate) fn record(&self, number: u32) -> Option<Game> {
        let board = self.boards.iter().map(|shown| &shown.board).find(|board| board.number == number);
        let result = || self.tournament.recent.iter().find(|result| result.number == number);
        board.and_then(|board| board.record.clone()).or_else(|| result().and_then(|result| result.record.clone()))
    }

    /// Returns `true` if two states are the same, apart from running clocks.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.tournament, &other.tournament)
            && self.boards.len() == other.boards.len()
            && self.boards.iter().zip(&other.boards).all(|(one, other)| Arc::ptr_eq(one, other))
    }

    /// Returns the changes since the state that a page has received.
    pub(crate) fn news(&self, seen: &mut Self, now: u64) -> Answer {
        let before = core::mem::replace(seen, self.clone());
        let is_known = |shown: &&Arc<Shown>| before.boards.iter().any(|known| Arc::ptr_eq(known, shown));
        let boards = self.boards.iter().filter(|shown| !is_known(shown)).map(|shown| shown.view(now)).collect();
        let keys = self.boards.iter().map(|shown| shown.board.key.clone()).collect();
        let is_new = !Arc::ptr_eq(&before.tournament, &self.tournament);
        let tournament = is_new.then(|| Box::new((*self.tournament).clone()));
        Answer::Tournament { shown: true, tournament, boards, keys }
    }
}

impl Shown {
    /// Returns `true` if a board has not changed. A running clock is not a change, because each page counts down its
    /// time itself.
    fn is_same(&self, board: &Board, now: u64) -> bool {
        /// Minimum clock difference that counts as a change, in milliseconds.
        const FAR: u64 = 1000;
        let left = self.left(now);
        let is_near = |side: usize| match (left[side], board.left[side]) {
            (Some(one), Some(other)) => one.abs_diff(other) < FAR,
            (one, other) => one == other,
        };
        let same = Board { left: self.board.left, ..board.clone() };
        same == self.board && is_near(0) && is_near(1)
    }

    /// Returns the remaining time of the sides, in milliseconds.
    fn left(&self, now: u64) -> [Option<u64>; 2] {
        let mut left = self.board.left;
        if let Some(side) = self.board.running {
            left[side] = left[side].map(|ms| ms.saturating_sub(now.saturating_sub(self.since)));
        }
        left
    }

    fn view(&self, now: u64) -> BoardView {
        let Board { key, number, names, plies, running, end, .. } = self.board.clone();
        BoardView { key, number, names, scene: self.scene.clone(), plies, left: self.left(now), running, end }
    }
}

/// Returns the scene of a game for views without moves; `None` if the game is invalid.
pub fn still(game: &Game) -> Option<Scene> {
    scene(game).ok().map(read_only)
}

/// Removes the parts of a scene that are needed only to make moves.
fn read_only(scene: Scene) -> Scene {
    Scene { moves: vec![], lines: vec![], groups: vec![], frames: vec![], flights: vec![], ..scene }
}
