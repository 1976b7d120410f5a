//! Searches for pages, one at a time. The caller decides where and when each search runs.

use core::num::NonZeroUsize;
use core::time::Duration;

use engine::{PlayerOptions, Resources};
use games::{Asked, Thought};
use search::{Host, Stop};
use serde::{Deserialize, Serialize};

use crate::messages::{Answer, Game};
use crate::room::{Turn, record};

/// Durations of the successive searches of an analysis, in milliseconds.
pub const LOOKS: [u64; 6] = [60, 250, 1_000, 4_000, 10_000, 30_000];
/// Budget for each position when a whole game is evaluated, in nodes.
const JUDGED_BY: u64 = 60_000;
/// Maximum number of lines of an analysis.
const MOST_LINES: usize = 5;

/// The environment of a search, and its stop signal.
#[derive(Clone)]
pub struct Place {
    /// Resources of the players.
    pub resources: Resources,
    /// Clock and threads.
    pub host: Host,
    /// Number of threads of an analysis.
    pub threads: NonZeroUsize,
    /// Signal that ends the search early.
    pub stop: Stop,
}

impl Place {
    fn ask(&self, game: &Game, player: &PlayerOptions, seed: u64, tell: &mut dyn FnMut(Thought)) -> Option<Thought> {
        let asked = Asked { player, resources: &self.resources, host: self.host, seed };
        record(game).ok()?.think(&asked, self.stop.clone(), tell).ok().flatten()
    }

    /// Returns a function that measures the seconds since this call. Without a clock it returns zero.
    pub fn timer(&self) -> impl Fn() -> f64 + use<> {
        let clock = self.host.clock;
        let now = move || clock.map_or(Duration::ZERO, |clock| clock());
        let began = now();
        move || now().saturating_sub(began).as_secs_f64()
    }

    fn is_stopped(&self) -> bool {
        self.stop.check(0).is_err()
    }
}

/// Searches an engine's move in a room, or a hint; `seed` determines the small random part of a player.
pub fn turn(turn: &Turn, seed: u64, place: &Place) -> Option<Thought> {
    place.ask(&turn.game, &turn.seat.player()?, seed, &mut |_| ())
}

/// A request to analyse a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Analysis {
    /// Id of the request.
    pub id: u32,
    /// The game.
    pub game: Game,
    /// Requested number of lines.
    pub lines: usize,
}

impl Analysis {
    /// Performs one search of at most `ms` milliseconds, which has the index `look` in [`LOOKS`]. Intermediate results
    /// are passed to `tell` only if one line is requested. Returns the answer and whether it is the last one; `None` if
    /// the search was stopped.
    pub fn look(&self, look: usize, ms: u64, place: &Place, tell: &mut dyn FnMut(Answer)) -> Option<(Answer, bool)> {
        let lines = NonZeroUsize::new(self.lines.clamp(1, MOST_LINES)).unwrap_or(NonZeroUsize::MIN);
        let movetime = Some(Duration::from_millis(ms));
        let player = PlayerOptions { lines, threads: place.threads, movetime, ..PlayerOptions::analysis() };
        let (seconds, ply) = (place.timer(), self.game.moves.len());
        let answer = |thought, done| Answer::Thought { id: self.id, ply, seconds: seconds(), thought, done };
        let mut hear = |thought| {
            if lines == NonZeroUsize::MIN {
                tell(answer(Some(thought), false));
            }
        };
        let thought = place.ask(&self.game, &player, 1, &mut hear);
        let over = look + 1 == LOOKS.len() || thought.as_ref().is_none_or(Thought::is_proven);
        (!place.is_stopped()).then(|| (answer(thought, over), over))
    }
}

/// Evaluates the position after `ply` moves of a game within a fixed budget. Returns `None` if the search was stopped.
/// `seconds` returns the time since the search of the game's first position began.
pub fn judge(id: u32, game: &Game, ply: usize, seconds: &dyn Fn() -> f64, place: &Place) -> Option<Answer> {
    let mut game = game.clone();
    game.moves.truncate(ply);
    let player = PlayerOptions { nodes: Some(JUDGED_BY), ..PlayerOptions::analysis() };
    let thought = place.ask(&game, &player, 1, &mut |_| ());
    let answer = Answer::Thought { id, ply, seconds: seconds(), thought, done: ply == 0 };
    (!place.is_stopped()).then_some(answer)
}
