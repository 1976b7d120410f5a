//! Publishes the games in play, so that other programs can show them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::TextGame;
use process::interrupt;
use referee::{Played, Ply, TimeControl};
use serde::{Deserialize, Serialize};

use crate::log::{GameLog, ResultLog};
use crate::planned::Planned;
use crate::spec::Spec;
use crate::store::hold::Hold;
use crate::store::snapshot::Snapshot;

/// A game in play, or a finished game that is shown until another game replaces it. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveGame {
    /// Number of the tournament in the store.
    pub tournament: i64,
    /// Number of the game in the plan.
    pub number: u32,
    /// Agent indices, in the order [first side, second side].
    pub agents: [usize; 2],
    /// Position text before the last move of a player, and that move.
    pub last: Option<(String, String)>,
    /// Position text.
    pub position: String,
    /// Position text before the opening; empty in publications of older versions.
    #[serde(default)]
    pub start: String,
    /// Moves so far, including the opening; empty in publications of older versions.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Number of moves so far, including the opening.
    pub plies: u32,
    /// Side to move: 0 or 1.
    pub turn: usize,
    /// Each side's remaining time for the game at the beginning of the current move, or the limit per move if only that
    /// is set.
    pub clocks: [Option<f64>; 2],
    /// Time since the beginning of the current move.
    pub thinking: f64,
    /// Result and the name of its reason, if the game is finished.
    pub end: Option<(ResultLog, String)>,
}

impl LiveGame {
    /// Returns the final position of a saved game; `None` if its moves do not match the tournament.
    pub(crate) fn last_of(tournament: i64, spec: &Spec, log: &GameLog) -> Option<Self> {
        let mut game = spec.new_game(log.planned.opening_seed).ok()?;
        let mut live = Self::begin(tournament, &log.planned, &*game);
        for (number, played) in log.moves.iter().enumerate() {
            let before = game.position();
            if game.finish().is_some() {
                return None;
            }
            let text = game.play(&played.text).ok()?;
            live.last = Some((before, text));
            live.clocks[log.side_of(number)] = played.left;
        }
        live.set_position(&*game);
        live.end = Some((log.result, log.ending.clone()));
        Some(live)
    }

    fn begin(tournament: i64, planned: &Planned, game: &dyn TextGame) -> Self {
        let mut live = Self { tournament, number: planned.number, agents: planned.agents, ..Self::default() };
        live.set_position(game);
        live
    }

    fn set_position(&mut self, game: &dyn TextGame) {
        (self.position, self.plies, self.turn) = (game.position(), game.plies(), game.side_to_move().index());
        (self.start, self.moves) = (game.start(), game.moves());
    }
}

/// The games that a program plays, each in its own place. A finished game keeps its place until another game needs it.
#[derive(Default)]
pub struct Showcase {
    places: Mutex<Vec<Option<Shown>>>,
    changes: AtomicU64,
}

/// A game in its place.
struct Shown {
    game: LiveGame,
    /// Beginning of the current move, or end of the game.
    since: Instant,
}

impl Showcase {
    /// Returns the games by place. The place of a cancelled game is empty.
    pub fn games(&self) -> Vec<Option<LiveGame>> {
        let game = |Shown { game, since }: &Shown| LiveGame { thinking: since.elapsed().as_secs_f64(), ..game.clone() };
        self.lock().iter().map(|shown| shown.as_ref().map(game)).collect()
    }

    /// Returns a counter that grows with each change.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Adds a game in an empty place, in the place of the game that ended first, or in a new place.
    pub(crate) fn begin(
        &self,
        tournament: i64,
        planned: &Planned,
        game: &dyn TextGame,
        time: [TimeControl; 2],
    ) -> Place<'_> {
        let mut live = LiveGame::begin(tournament, planned, game);
        let whole = |control: TimeControl| control.game_time.or(control.move_time).map(|time| time.as_secs_f64());
        live.clocks = time.map(whole);
        let mut places = self.lock();
        let number = free_place(&mut places);
        places[number] = Some(Shown { game: live, since: Instant::now() });
        drop(places);
        self.count_change();
        Place { showcase: self, number, position: game.position() }
    }

    /// Shows the current state of a game that is played on another machine.
    pub(crate) fn mirror(&self, game: LiveGame) {
        let mut places = self.lock();
        let is_same = |shown: &Shown| (shown.game.tournament, shown.game.number) == (game.tournament, game.number);
        let place = places.iter().position(|shown| shown.as_ref().is_some_and(is_same));
        let number = place.unwrap_or_else(|| free_place(&mut places));
        let thinking = Duration::try_from_secs_f64(game.thinking).unwrap_or_default();
        let since = Instant::now().checked_sub(thinking).unwrap_or_else(Instant::now);
        places[number] = Some(Shown { game, since });
        drop(places);
        self.count_change();
    }

    /// Removes a game that was cancelled on another machine.
    pub(crate) fn remove(&self, tournament: i64, number: u32) {
        let is_same = |shown: &Shown| (shown.game.tournament, shown.game.number) == (tournament, number);
        for place in &mut *self.lock() {
            place.take_if(|shown| is_same(shown) && shown.game.end.is_none());
        }
        self.count_change();
    }

    fn count_change(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Shown>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the number of an empty place, of the place of the game that ended first, or of a new place.
fn free_place(places: &mut Vec<Option<Shown>>) -> usize {
    let free = |(number, shown): (usize, &Option<Shown>)| match shown {
        None => Some((None, number)),
        Some(shown) => shown.game.end.is_some().then_some((Some(shown.since), number)),
    };
    let number = places.iter().enumerate().filter_map(free).min().map_or(places.len(), |(_, number)| number);
    if number == places.len() {
        places.push(None);
    }
    number
}

/// The place of a game in play. Dropping it removes the game unless it is finished.
pub(crate) struct Place<'a> {
    showcase: &'a Showcase,
    number: usize,
    /// Position before the next move.
    position: String,
}

impl Place<'_> {
    /// Updates the game after a move.
    pub(crate) fn moved(&mut self, game: &dyn TextGame, ply: &Ply) {
        let before = std::mem::replace(&mut self.position, game.position());
        self.change(|live| {
            live.last = Some((before, ply.text.clone()));
            live.set_position(game);
            if let Some(left) = ply.left {
                live.clocks[ply.side.index()] = Some(left.as_secs_f64());
            }
        });
    }

    /// Sets the result of the game.
    pub(crate) fn over(&self, played: &Played) {
        self.change(|live| live.end = Some((played.outcome.into(), played.ending.name().to_owned())));
    }

    fn change(&self, change: impl FnOnce(&mut LiveGame)) {
        if let Some(shown) = &mut self.showcase.lock()[self.number] {
            change(&mut shown.game);
            shown.since = Instant::now();
        }
        self.showcase.count_change();
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let place = &mut self.showcase.lock()[self.number];
        if place.as_ref().is_some_and(|shown| shown.game.end.is_none()) {
            *place = None;
        }
        self.showcase.count_change();
    }
}

/// The state that a program publishes while it runs a tournament.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bulletin {
    /// Number of the tournament in the store.
    pub tournament: i64,
    /// Unique number of the run.
    pub run: u64,
    /// Time since the beginning of the run, in seconds.
    pub running: f64,
    /// Number of games that the program itself plays at the same time.
    pub jobs: usize,
    /// Build of the workers to which the games are handed out; `None` if the program plays them itself.
    pub build: Option<String>,
    /// Games of the program itself, by place.
    pub games: Vec<Option<LiveGame>>,
}

/// Minimum time between two publications.
const MIN_INTERVAL: Duration = Duration::from_millis(250);
/// Time between two publications without a change.
const MAX_INTERVAL: Duration = Duration::from_secs(1);
/// Time between two checks for a change.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A thread that publishes a run until the publisher is dropped. Publishing is best effort: errors are ignored.
pub(crate) struct Publisher<'scope> {
    end: Option<mpsc::Sender<()>>,
    thread: Option<ScopedJoinHandle<'scope, ()>>,
}

impl<'scope> Publisher<'scope> {
    /// Starts the thread. `bulletin` has the fields that all bulletins of the run share.
    pub(crate) fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        hold: &Hold,
        bulletin: Bulletin,
        showcase: &'env Showcase,
    ) -> Self {
        let snapshot = Snapshot::at(hold.location());
        let (end, ended) = mpsc::channel();
        let thread = scope.spawn(move || publish(snapshot, bulletin, showcase, &ended));
        Self { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Publisher<'_> {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn publish(mut snapshot: Snapshot, mut bulletin: Bulletin, showcase: &Showcase, ended: &mpsc::Receiver<()>) {
    let began = Instant::now();
    // Process ids are reused; the start time is unique.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    bulletin.run = time.as_micros() as u64;
    let (mut published, mut seen): (Option<Instant>, u64) = (None, 0);
    while ended.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) && !interrupt::is_ending() {
        let pause = if showcase.changes() == seen { MAX_INTERVAL } else { MIN_INTERVAL };
        if published.is_some_and(|published| published.elapsed() < pause) {
            continue;
        }
        seen = showcase.changes();
        bulletin.games = showcase.games();
        bulletin.running = began.elapsed().as_secs_f64();
        if let Ok(text) = serde_json::to_string(&bulletin) {
            snapshot.write(&text);
        }
        published = Some(Instant::now());
    }
    snapshot.remove();
}
