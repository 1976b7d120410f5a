//! The games that a program plays at this moment, for those who watch, and how they are published.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use game::TextGame;
use process::interrupt;
use referee::{Played, Ply, TimeControl};
use serde::{Deserialize, Serialize};

use crate::store::Notice;
use crate::{GameLog, Hold, Planned, ResultLog, Spec};

/// A game that is being played, or one that is just over and has no successor yet. Times are in seconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LiveGame {
    /// The tournament's number in the store.
    pub tournament: i64,
    /// The game's number in the plan.
    pub number: u32,
    /// Numbers of the agents, that with the first side first.
    pub agents: [usize; 2],
    /// The position text before the last move of a player, and that move.
    pub last: Option<(String, String)>,
    /// The position text.
    pub position: String,
    /// Moves so far, with those of the opening.
    pub plies: u32,
    /// The side to move: 0 or 1.
    pub turn: usize,
    /// What each side has left for the game, or for a move if only that is limited, when the side to move began to
    /// think.
    pub clocks: [Option<f64>; 2],
    /// How long the side to move has been thinking.
    pub thinking: f64,
    /// The result and the name of its reason, once the game is over.
    pub end: Option<(ResultLog, String)>,
}

impl LiveGame {
    /// The last position of a saved game. `None` if its moves are not those of its tournament.
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
        live.see(&*game);
        live.end = Some((log.result, log.ending.clone()));
        Some(live)
    }

    fn begin(tournament: i64, planned: &Planned, game: &dyn TextGame) -> Self {
        let mut live = Self { tournament, number: planned.number, agents: planned.agents, ..Self::default() };
        live.see(game);
        live
    }

    fn see(&mut self, game: &dyn TextGame) {
        (self.position, self.plies, self.turn) = (game.position(), game.plies(), game.side_to_move().index());
    }
}

/// The games that a program plays, each at a place of its own. A game that is over stays until another one takes its
/// place.
#[derive(Default)]
pub struct Showcase {
    places: Mutex<Vec<Option<Shown>>>,
    changes: AtomicU64,
}

/// A game at its place.
struct Shown {
    game: LiveGame,
    /// When the side to move began to think, or the game ended.
    since: Instant,
}

impl Showcase {
    /// The games by their places. A place is empty if its game was broken off.
    pub fn games(&self) -> Vec<Option<LiveGame>> {
        let game = |Shown { game, since }: &Shown| LiveGame { thinking: since.elapsed().as_secs_f64(), ..game.clone() };
        self.lock().iter().map(|shown| shown.as_ref().map(game)).collect()
    }

    /// A number that grows with each change.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Relaxed)
    }

    /// Shows a new game: at the place of the one that has been over for longest, or at a new one.
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
        let free = |(number, shown): (usize, &Option<Shown>)| match shown {
            None => Some((None, number)),
            Some(shown) => shown.game.end.is_some().then_some((Some(shown.since), number)),
        };
        let number = places.iter().enumerate().filter_map(free).min().map_or(places.len(), |(_, number)| number);
        if number == places.len() {
            places.push(None);
        }
        places[number] = Some(Shown { game: live, since: Instant::now() });
        drop(places);
        self.note();
        Place { showcase: self, number, position: game.position() }
    }

    fn note(&self) {
        self.changes.fetch_add(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Shown>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The place of a game that is being played. It is empty from when it is dropped, unless the game is over.
pub(crate) struct Place<'a> {
    showcase: &'a Showcase,
    number: usize,
    /// The position before the next move.
    position: String,
}

impl Place<'_> {
    /// Shows the game after a move.
    pub(crate) fn moved(&mut self, game: &dyn TextGame, ply: &Ply) {
        let before = std::mem::replace(&mut self.position, game.position());
        self.change(|live| {
            live.last = Some((before, ply.text.clone()));
            live.see(game);
            if let Some(left) = ply.left {
                live.clocks[ply.side.index()] = Some(left.as_secs_f64());
            }
        });
    }

    /// Shows how the game has ended.
    pub(crate) fn over(&self, played: &Played) {
        self.change(|live| live.end = Some((played.outcome.into(), played.ending.name().to_owned())));
    }

    fn change(&self, change: impl FnOnce(&mut LiveGame)) {
        if let Some(shown) = &mut self.showcase.lock()[self.number] {
            change(&mut shown.game);
            shown.since = Instant::now();
        }
        self.showcase.note();
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let place = &mut self.showcase.lock()[self.number];
        if place.as_ref().is_some_and(|shown| shown.game.end.is_none()) {
            *place = None;
        }
        self.showcase.note();
    }
}

/// What the program that runs a tournament publishes while it does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bulletin {
    /// The tournament's number in the store.
    pub tournament: i64,
    /// A number of this run, which another run does not have.
    pub run: u64,
    /// Seconds since the run began.
    pub running: f64,
    /// Games at the same time in the program itself.
    pub jobs: usize,
    /// The build of the workers that the games are handed out to; none if the program plays them itself.
    pub build: Option<String>,
    /// The games that it plays, by their places.
    pub games: Vec<Option<LiveGame>>,
}

/// Shortest and longest time between two publications, and how often a change is looked for.
const SOONEST: Duration = Duration::from_millis(250);
const LATEST: Duration = Duration::from_secs(1);
const TURN: Duration = Duration::from_millis(50);

/// Publishes a run in a thread of its own until it is dropped. What cannot be published is not: nobody waits for it.
pub(crate) struct Herald<'scope> {
    end: Option<mpsc::Sender<()>>,
    thread: Option<ScopedJoinHandle<'scope, ()>>,
}

impl<'scope> Herald<'scope> {
    /// `bulletin` is what all bulletins of the run have in common.
    pub(crate) fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        hold: &Hold,
        bulletin: Bulletin,
        showcase: &'env Showcase,
    ) -> Self {
        let notice = Notice::at(hold.location());
        let (end, ended) = mpsc::channel();
        let thread = scope.spawn(move || publish(notice, bulletin, showcase, &ended));
        Self { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Herald<'_> {
    fn drop(&mut self) {
        self.end.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn publish(mut notice: Notice, mut bulletin: Bulletin, showcase: &Showcase, ended: &mpsc::Receiver<()>) {
    let began = Instant::now();
    // Unlike a number of the process, the time is not used again.
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    bulletin.run = time.as_micros() as u64;
    let (mut published, mut seen): (Option<Instant>, u64) = (None, 0);
    while ended.recv_timeout(TURN) == Err(RecvTimeoutError::Timeout) && !interrupt::is_ending() {
        let pause = if showcase.changes() == seen { LATEST } else { SOONEST };
        if published.is_some_and(|published| published.elapsed() < pause) {
            continue;
        }
        seen = showcase.changes();
        bulletin.games = showcase.games();
        bulletin.running = began.elapsed().as_secs_f64();
        if let Ok(text) = serde_json::to_string(&bulletin) {
            notice.put_up(&text);
        }
        published = Some(Instant::now());
    }
    notice.take_down();
}
