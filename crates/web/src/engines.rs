//! Searches for the pages, away from the sockets. Moves and analyses each have at most as many threads as there are
//! processors.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use engine::{PlayerOptions, Resources};
use games::{Asked, Setting, Thought};
use search::Stop;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;

use crate::errands::aside;
use crate::messages::{Answer, Game};
use crate::proving::Proofs;
use crate::room::{Turn, setting, texts};

/// How long each search of an analysis takes, one after the other, in milliseconds.
const LOOKS: [u64; 6] = [60, 250, 1_000, 4_000, 10_000, 30_000];
/// The longest search of an analysis while others wait, in milliseconds.
const LOOK_WITH_OTHERS: u64 = 1_000;
/// Budget for each position when a whole game is judged, in nodes.
const JUDGED_BY: u64 = 60_000;
/// Most lines of an analysis.
const MOST_LINES: usize = 5;

/// Places to think, as many as there are processors. Moves of players and analyses have places of their own; each kind
/// is served in order of arrival.
pub(crate) struct Engines {
    cores: usize,
    players: Arc<Semaphore>,
    analyses: Arc<Semaphore>,
    resources: Resources,
    pub(crate) proofs: Proofs,
}

/// A search that runs or waits for a place to think; it ends when this is dropped.
pub(crate) struct Thinking {
    stop: Stop,
    task: AbortHandle,
}

impl Thinking {
    /// Begins a search; `task` must stop when `stop` says so.
    pub(crate) fn begin(stop: Stop, task: impl Future<Output = ()> + Send + 'static) -> Self {
        Self { stop, task: tokio::spawn(task).abort_handle() }
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        self.stop.stop();
        self.task.abort();
    }
}

impl Engines {
    pub(crate) fn new(resources: Resources) -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let players = Arc::new(Semaphore::new(cores));
        let proofs = Proofs::new(resources.clone());
        Self { cores, players, analyses: Arc::new(Semaphore::new(cores)), resources, proofs }
    }

    /// Places that are taken.
    pub(crate) fn taken(&self) -> usize {
        2 * self.cores - self.players.available_permits() - self.analyses.available_permits()
    }

    /// An engine's move in a room, or a hint there.
    pub(crate) async fn turn(&self, turn: Turn, stop: Stop) -> Option<Thought> {
        let permit = Arc::clone(&self.players).acquire_owned().await.ok()?;
        let resources = self.resources.clone();
        let think = move || {
            let _permit = permit;
            let asked = Asked {
                start: Some(&turn.start),
                moves: &texts(&turn.moves),
                player: &turn.player,
                resources: &resources,
                host: machine::SYSTEM,
                seed: seed(),
            };
            turn.setting.think(&asked, stop, &mut |_| ()).ok().flatten()
        };
        aside(think).await.flatten()
    }

    /// A hint for the position of a turn.
    pub(crate) fn hint(self: &Arc<Self>, ply: u32, turn: Turn, out: mpsc::Sender<Answer>) -> Thinking {
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        Thinking::begin(stop, async move {
            let thought = engines.turn(turn, told).await;
            let _ = out.send(Answer::Hint { ply, thought }).await;
        })
    }

    /// Thinks about a game longer and longer, and tells what it thinks.
    pub(crate) fn analyse(
        self: &Arc<Self>,
        id: u32,
        game: Game,
        lines: usize,
        out: mpsc::Sender<Answer>,
    ) -> Result<Thinking, String> {
        let setting = setting(&game)?;
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        let lines = NonZeroUsize::new(lines.clamp(1, MOST_LINES)).unwrap_or(NonZeroUsize::MIN);
        let task = async move {
            for (i, ms) in LOOKS.into_iter().enumerate() {
                let Some((permit, threads)) = engines.place().await else { return };
                let others_wait = engines.analyses.available_permits() == 0 && threads.get() < engines.cores;
                let ms = if others_wait { ms.min(LOOK_WITH_OTHERS) } else { ms };
                let (game, told, hear) = (game.clone(), told.clone(), out.clone());
                let resources = engines.resources.clone();
                let done = i + 1 == LOOKS.len();
                // The place is given back before the answer is sent, because a page may read nothing.
                let look = move || {
                    let _permit = permit;
                    let movetime = Some(Duration::from_millis(ms));
                    let player = PlayerOptions { lines, threads, movetime, ..PlayerOptions::analysis() };
                    let (ply, began) = (game.moves.len(), Instant::now());
                    let answer = |thought, done| Answer::Thought {
                        id,
                        ply,
                        seconds: began.elapsed().as_secs_f64(),
                        thought,
                        done,
                    };
                    // A page that reads slowly misses some of the thoughts.
                    let mut tell = |thought: Thought| {
                        if lines == NonZeroUsize::MIN {
                            let _ = hear.try_send(answer(Some(thought), false));
                        }
                    };
                    let asked = Question { game: &game, player, resources };
                    let thought = asked.ask(setting, told.clone(), &mut tell);
                    let proven = thought.as_ref().is_none_or(Thought::is_proven);
                    let over = done || proven;
                    told.check(0).is_ok().then(|| (answer(thought, over), over))
                };
                let Some(Some((answer, over))) = aside(look).await else { return };
                if out.send(answer).await.is_err() || over {
                    return;
                }
            }
        };
        Ok(Thinking::begin(stop, task))
    }

    /// A place to think and its number of threads: all of them if no other analysis runs.
    async fn place(&self) -> Option<(tokio::sync::OwnedSemaphorePermit, NonZeroUsize)> {
        if let Ok(all) = Arc::clone(&self.analyses).try_acquire_many_owned(self.cores as u32) {
            return Some((all, NonZeroUsize::new(self.cores)?));
        }
        Some((Arc::clone(&self.analyses).acquire_owned().await.ok()?, NonZeroUsize::MIN))
    }

    /// Judges each position of a game, the last one first, because judgements near the end are most certain.
    pub(crate) fn judge(self: &Arc<Self>, id: u32, game: Game, out: mpsc::Sender<Answer>) -> Result<Thinking, String> {
        let setting = setting(&game)?;
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        let task = async move {
            let began = Instant::now();
            for ply in (0..=game.moves.len()).rev() {
                let Ok(permit) = Arc::clone(&engines.analyses).acquire_owned().await else { return };
                let (mut game, told) = (game.clone(), told.clone());
                game.moves.truncate(ply);
                let resources = engines.resources.clone();
                let look = move || {
                    let _permit = permit;
                    let player = PlayerOptions { nodes: Some(JUDGED_BY), ..PlayerOptions::analysis() };
                    let asked = Question { game: &game, player, resources };
                    let thought = asked.ask(setting, told.clone(), &mut |_| ());
                    let seconds = began.elapsed().as_secs_f64();
                    told.check(0).is_ok().then_some(Answer::Thought { id, ply, seconds, thought, done: ply == 0 })
                };
                let Some(Some(answer)) = aside(look).await else { return };
                if out.send(answer).await.is_err() {
                    return;
                }
            }
        };
        Ok(Thinking::begin(stop, task))
    }
}

/// What is asked about a game.
struct Question<'a> {
    game: &'a Game,
    player: PlayerOptions,
    resources: Resources,
}

impl Question<'_> {
    fn ask(&self, setting: Setting, stop: Stop, tell: &mut dyn FnMut(Thought)) -> Option<Thought> {
        let (start, moves) = (self.game.start.as_deref(), texts(&self.game.moves));
        let (player, resources) = (&self.player, &self.resources);
        let asked = Asked { start, moves: &moves, player, resources, host: machine::SYSTEM, seed: 1 };
        setting.think(&asked, stop, tell).ok().flatten()
    }
}

/// A seed that differs each time.
fn seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64
}
