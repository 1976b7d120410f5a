//! Thinking, away from the sockets, by no more threads than there are processors for each purpose.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use games::{Asked, Setting, Thought};
use search::{Limits, Stop};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::AbortHandle;

use crate::messages::{Answer, Line};
use crate::table::{Turn, setting};

/// An analysis looks again and again, each time for so many milliseconds.
const LOOKS: [u64; 6] = [60, 250, 1_000, 4_000, 10_000, 30_000];
/// While others wait, it looks no longer than this.
const LOOK_WITH_OTHERS: u64 = 1_000;
/// Budget for each position when a whole game is judged, in nodes.
const JUDGED_BY: u64 = 60_000;
/// Most lines of an analysis.
const MOST_LINES: usize = 5;

/// Who may think when. Moves of players and analyses do not wait for each other; within each the first to come is the first
/// to be served.
pub(crate) struct Engines {
    cores: usize,
    players: Arc<Semaphore>,
    analyses: Arc<Semaphore>,
}

/// Something that is thought about, or waits for a place to think; it ends when this is dropped.
pub(crate) struct Thinking {
    stop: Stop,
    task: AbortHandle,
}

impl Thinking {
    /// Begins; `task` must stop thinking when told so.
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
    pub(crate) fn new() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        let players = Arc::new(Semaphore::new(cores));
        Self { cores, players, analyses: Arc::new(Semaphore::new(cores)) }
    }

    /// An engine's move at a table, or a hint there.
    pub(crate) async fn turn(&self, turn: Turn, stop: Stop) -> Option<Thought> {
        let permit = Arc::clone(&self.players).acquire_owned().await.ok()?;
        let think = move || {
            let _permit = permit;
            let moves: Vec<&str> = turn.moves.iter().map(String::as_str).collect();
            let asked = Asked {
                start: Some(&turn.start),
                moves: &moves,
                lines: NonZeroUsize::MIN,
                strength: Some(turn.strength),
                threads: NonZeroUsize::MIN,
                limits: Limits::default(),
                seed: seed(),
            };
            turn.setting.think(&asked, stop, &mut |_| ()).ok().flatten()
        };
        tokio::task::spawn_blocking(think).await.ok().flatten()
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
        line: Line,
        lines: usize,
        out: mpsc::Sender<Answer>,
    ) -> Result<Thinking, String> {
        let setting = setting(&line)?;
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        let lines = NonZeroUsize::new(lines.clamp(1, MOST_LINES)).unwrap_or(NonZeroUsize::MIN);
        let task = async move {
            for (i, ms) in LOOKS.into_iter().enumerate() {
                let Some((permit, threads)) = engines.place().await else { return };
                let others_wait = engines.analyses.available_permits() == 0 && threads.get() < engines.cores;
                let ms = if others_wait { ms.min(LOOK_WITH_OTHERS) } else { ms };
                let (line, told, hear) = (line.clone(), told.clone(), out.clone());
                let done = i + 1 == LOOKS.len();
                let look = move || {
                    let _permit = permit;
                    let limits = Limits::movetime(Duration::from_millis(ms));
                    let (ply, began) = (line.moves.len(), Instant::now());
                    let answer = |thought, done| Answer::Thought {
                        id,
                        ply,
                        seconds: began.elapsed().as_secs_f64(),
                        thought,
                        done,
                    };
                    // A page that reads slowly misses some of what is on the way.
                    let mut tell = |thought: Thought| {
                        if lines == NonZeroUsize::MIN {
                            let _ = hear.try_send(answer(Some(thought), false));
                        }
                    };
                    let asked = Question { line: &line, lines, threads, limits };
                    let thought = asked.ask(setting, told.clone(), &mut tell);
                    let proven = thought.as_ref().is_none_or(Thought::is_proven);
                    let over = done || proven;
                    (told.check(0).is_ok() && hear.blocking_send(answer(thought, over)).is_ok()) && !over
                };
                if !tokio::task::spawn_blocking(look).await.unwrap_or(false) {
                    return;
                }
            }
        };
        Ok(Thinking::begin(stop, task))
    }

    /// A place to think and how many threads may: all if nobody else thinks.
    async fn place(&self) -> Option<(tokio::sync::OwnedSemaphorePermit, NonZeroUsize)> {
        if let Ok(all) = Arc::clone(&self.analyses).try_acquire_many_owned(self.cores as u32) {
            return Some((all, NonZeroUsize::new(self.cores)?));
        }
        Some((Arc::clone(&self.analyses).acquire_owned().await.ok()?, NonZeroUsize::MIN))
    }

    /// Judges each position of a game, the last one first, since what is nearest to the end is most certain.
    pub(crate) fn judge(self: &Arc<Self>, id: u32, line: Line, out: mpsc::Sender<Answer>) -> Result<Thinking, String> {
        let setting = setting(&line)?;
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        let task = async move {
            let began = Instant::now();
            for ply in (0..=line.moves.len()).rev() {
                let Ok(permit) = Arc::clone(&engines.analyses).acquire_owned().await else { return };
                let (mut line, told, hear) = (line.clone(), told.clone(), out.clone());
                line.moves.truncate(ply);
                let look = move || {
                    let _permit = permit;
                    let asked = Question {
                        line: &line,
                        lines: NonZeroUsize::MIN,
                        threads: NonZeroUsize::MIN,
                        limits: Limits::nodes(JUDGED_BY),
                    };
                    let thought = asked.ask(setting, told.clone(), &mut |_| ());
                    let seconds = began.elapsed().as_secs_f64();
                    let answer = Answer::Thought { id, ply, seconds, thought, done: ply == 0 };
                    told.check(0).is_ok() && hear.blocking_send(answer).is_ok()
                };
                if !tokio::task::spawn_blocking(look).await.unwrap_or(false) {
                    return;
                }
            }
        };
        Ok(Thinking::begin(stop, task))
    }
}

/// What is asked about a line.
struct Question<'a> {
    line: &'a Line,
    lines: NonZeroUsize,
    threads: NonZeroUsize,
    limits: Limits,
}

impl Question<'_> {
    fn ask(&self, setting: Setting, stop: Stop, tell: &mut dyn FnMut(Thought)) -> Option<Thought> {
        let moves: Vec<&str> = self.line.moves.iter().map(String::as_str).collect();
        let Self { lines, threads, limits, .. } = *self;
        let asked =
            Asked { start: self.line.start.as_deref(), moves: &moves, lines, strength: None, threads, limits, seed: 1 };
        setting.think(&asked, stop, tell).ok().flatten()
    }
}

/// Another one each time.
fn seed() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64
}
