//! A tournament run by another program: the state to show, and the part of it that each page has received.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use games::Scene;
use tokio::sync::watch;

use room::messages::{Answer, Board, BoardView, Tournament};
use room::scene;

/// The current state.
#[derive(Clone, Debug, Default)]
struct Show {
    tournament: Arc<Tournament>,
    boards: Vec<Arc<Shown>>,
}

/// A board with its scene.
#[derive(Clone, Debug)]
struct Shown {
    board: Board,
    scene: Scene,
    since: Instant,
}

/// A handle that shows a tournament on the pages of a server.
pub struct Stage(watch::Sender<Show>);

impl Stage {
    pub(crate) fn new() -> Self {
        Self(watch::Sender::new(Show::default()))
    }

    pub(crate) fn seats(&self) -> Seats {
        Seats(self.0.subscribe())
    }

    /// Reports why the tournament cannot be read. The state remains as it was, with stopped clocks.
    pub fn trouble(&self, why: &str) {
        let Show { tournament, boards } = self.0.borrow().clone();
        let still = |shown: &Arc<Shown>| Board { left: shown.left(), running: None, ..shown.board.clone() };
        self.show(
            Tournament { trouble: Some(why.to_owned()), ..(*tournament).clone() },
            boards.iter().map(still).collect(),
        );
    }

    /// Shows the current state of the tournament, with its boards in this order. Boards with an invalid position are
    /// omitted.
    pub fn show(&self, tournament: Tournament, boards: Vec<Board>) {
        let before = self.0.borrow().clone();
        let mut known: BTreeMap<&str, &Arc<Shown>> =
            before.boards.iter().map(|shown| (shown.board.key.as_str(), shown)).collect();
        let shown = boards.into_iter().filter_map(|board| match known.remove(board.key.as_str()) {
            Some(old) if old.is_same(&board) => Some(Arc::clone(old)),
            Some(old) if old.board.game == board.game => Some(Shown::new(board, old.scene.clone())),
            _ => scene(&board.game).ok().map(|scene| Shown::new(board, only_to_look_at(scene))),
        });
        let boards: Vec<Arc<Shown>> = shown.collect();
        let is_same = *before.tournament == tournament;
        let tournament = if is_same { before.tournament } else { Arc::new(tournament) };
        let is_still = boards.len() == before.boards.len()
            && boards.iter().zip(&before.boards).all(|(new, old)| Arc::ptr_eq(new, old));
        if !is_same || !is_still {
            self.0.send_replace(Show { tournament, boards });
        }
    }
}

impl Shown {
    fn new(board: Board, scene: Scene) -> Arc<Self> {
        Arc::new(Self { board, scene, since: Instant::now() })
    }

    /// Returns `true` if a board has not changed. A running clock is not a change, because the page counts down itself.
    fn is_same(&self, board: &Board) -> bool {
        /// Minimum difference of a clock that is a change, in milliseconds.
        const FAR: u64 = 1000;
        let left = self.left();
        let is_near = |side: usize| match (left[side], board.left[side]) {
            (Some(one), Some(other)) => one.abs_diff(other) < FAR,
            (one, other) => one == other,
        };
        let same = Board { left: self.board.left, ..board.clone() };
        same == self.board && is_near(0) && is_near(1)
    }

    /// Returns the remaining time of the sides, in milliseconds.
    fn left(&self) -> [Option<u64>; 2] {
        let gone = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let mut left = self.board.left;
        if let Some(side) = self.board.running {
            left[side] = left[side].map(|ms| ms.saturating_sub(gone(self.since.elapsed())));
        }
        left
    }

    fn view(&self) -> BoardView {
        let Board { key, number, names, plies, running, end, .. } = self.board.clone();
        BoardView { key, number, names, scene: self.scene.clone(), plies, left: self.left(), running, end }
    }
}

/// Removes the parts of a scene that only players need.
fn only_to_look_at(scene: Scene) -> Scene {
    Scene { moves: vec![], lines: vec![], groups: vec![], frames: vec![], flights: vec![], ..scene }
}

/// A subscription source: creates a [`Seat`] for each page.
#[derive(Clone)]
pub(crate) struct Seats(watch::Receiver<Show>);

/// A page's subscription to a tournament, with the state that the page has received.
pub(crate) struct Seat {
    stage: watch::Receiver<Show>,
    tournament: Option<Arc<Tournament>>,
    boards: BTreeMap<String, Arc<Shown>>,
}

impl Seats {
    pub(crate) fn sit(&self) -> Seat {
        let mut stage = self.0.clone();
        stage.mark_changed();
        Seat { stage, tournament: None, boards: BTreeMap::new() }
    }
}

impl Seat {
    /// Waits for a change.
    pub(crate) async fn changed(&mut self) {
        if self.stage.changed().await.is_err() {
            core::future::pending::<()>().await;
        }
    }

    /// Returns the changes since the last call.
    pub(crate) fn news(&mut self) -> Answer {
        let Show { tournament, boards } = self.stage.borrow_and_update().clone();
        let is_known =
            |shown: &Arc<Shown>| self.boards.get(&shown.board.key).is_some_and(|before| Arc::ptr_eq(before, shown));
        let fresh = boards.iter().filter(|shown| !is_known(shown)).map(|shown| shown.view()).collect();
        let keys = boards.iter().map(|shown| shown.board.key.clone()).collect();
        let is_old = self.tournament.as_ref().is_some_and(|before| Arc::ptr_eq(before, &tournament));
        let said = (!is_old).then(|| Box::new((*tournament).clone()));
        self.tournament = Some(tournament);
        self.boards = boards.into_iter().map(|shown| (shown.board.key.clone(), shown)).collect();
        Answer::Tournament { shown: true, tournament: said, boards: fresh, keys }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use room::messages::Game;

    fn board(key: &str, moves: &[&str], left: u64) -> Board {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        Board {
            key: key.to_owned(),
            number: 3,
            names: ["a".to_owned(), "b".to_owned()],
            game: Game { game: "loa".to_owned(), size: None, start: None, moves, limit: None },
            plies: 0,
            left: [Some(left), None],
            running: Some(0),
            end: None,
        }
    }

    /// Returns whether the page receives the tournament, the keys of the boards it receives, and the keys of all
    /// boards.
    fn told(seat: &mut Seat) -> (bool, Vec<String>, Vec<String>) {
        let Answer::Tournament { tournament, boards, keys, .. } = seat.news() else { panic!("news of a tournament") };
        (tournament.is_some(), boards.into_iter().map(|board| board.key).collect(), keys)
    }

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn a_page_is_told_what_has_changed() {
        let stage = Stage::new();
        let mut seat = stage.seats().sit();
        stage.show(Tournament::default(), vec![board("0", &[], 5000), board("1", &[], 5000)]);
        assert_eq!(told(&mut seat), (true, texts(&["0", "1"]), texts(&["0", "1"])));
        // A running clock alone is not a change.
        stage.show(Tournament::default(), vec![board("0", &[], 4700), board("1", &["b1-b3"], 5000)]);
        assert_eq!(told(&mut seat), (false, texts(&["1"]), texts(&["0", "1"])));
        let more = Tournament { played: 1, ..Tournament::default() };
        stage.show(more, vec![board("1", &["b1-b3"], 5000)]);
        assert_eq!(told(&mut seat), (true, texts(&[]), texts(&["1"])));
        assert_eq!(told(&mut stage.seats().sit()), (true, texts(&["1"]), texts(&["1"])));
    }

    #[test]
    fn what_does_not_change_is_not_sent() {
        let stage = Stage::new();
        stage.show(Tournament::default(), vec![board("0", &[], 5000)]);
        let mut seat = stage.seats().sit();
        seat.news();
        stage.show(Tournament::default(), vec![board("0", &[], 4990)]);
        assert!(!seat.stage.has_changed().expect("a stage"));
        stage.show(Tournament::default(), vec![board("0", &[], 500)]);
        assert!(seat.stage.has_changed().expect("a stage"), "the clock is set right");
    }

    #[test]
    fn a_board_without_a_position_is_left_out() {
        let stage = Stage::new();
        stage.show(Tournament::default(), vec![board("0", &["b1-b2"], 0), board("1", &["b1-b3"], 0)]);
        assert_eq!(told(&mut stage.seats().sit()).2, ["1"]);
    }
}
