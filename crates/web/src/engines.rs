//! Runs searches for the pages in threads that do not serve sockets. Moves and analyses each use at most as many
//! threads as there are processors.

use core::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Instant;

use engine::Resources;
use games::Thought;
use room::Turn;
use room::messages::{Answer, Game};
use room::thinking::{self, Analysis, LOOKS, Place};
use search::Stop;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::task::AbortHandle;

use crate::errands::aside;
use crate::proving::Proofs;
use crate::rooms::since_1970;

/// Maximum search time of an analysis while others wait, in milliseconds.
const LOOK_WITH_OTHERS: u64 = 1_000;
/// Search slots, as many as there are processors. Moves of players and analyses have separate slots. Each kind is
/// served in order of arrival.
pub(crate) struct Engines {
    cores: usize,
    players: Arc<Semaphore>,
    analyses: Arc<Semaphore>,
    resources: Resources,
    pub(crate) proofs: Proofs,
}

/// A search that is running or waiting for a slot; stopped on drop.
pub(crate) struct Thinking {
    stop: Stop,
    task: AbortHandle,
}

impl Thinking {
    /// Starts a search. `task` must end when `stop` is set.
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

    /// Returns the number of slots in use.
    pub(crate) fn taken(&self) -> usize {
        2 * self.cores - self.players.available_permits() - self.analyses.available_permits()
    }

    /// Returns the environment of a search with this number of threads.
    fn place(&self, threads: NonZeroUsize, stop: Stop) -> Place {
        Place { resources: self.resources.clone(), host: machine::SYSTEM, threads, stop }
    }

    /// Computes an engine's move, or a hint, for a room.
    pub(crate) async fn turn(&self, turn: Turn, stop: Stop) -> Option<Thought> {
        let permit = Arc::clone(&self.players).acquire_owned().await.ok()?;
        let place = self.place(NonZeroUsize::MIN, stop);
        let think = move || {
            let _permit = permit;
            // A different seed for each move.
            thinking::turn(&turn, since_1970().as_nanos() as u64, &place)
        };
        aside(think).await.flatten()
    }

    /// Computes a hint for the position of a turn.
    pub(crate) fn hint(self: &Arc<Self>, ply: u32, turn: Turn, out: mpsc::Sender<Answer>) -> Thinking {
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        Thinking::begin(stop, async move {
            let thought = engines.turn(turn, told).await;
            let _ = out.send(Answer::Hint { ply, thought }).await;
        })
    }

    /// Analyses a game with increasing time limits, and sends the results.
    pub(crate) fn analyse(self: &Arc<Self>, analysis: Analysis, out: mpsc::Sender<Answer>) -> Thinking {
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        let task = async move {
            for (i, ms) in LOOKS.into_iter().enumerate() {
                let Some((permit, threads)) = engines.some_threads().await else { return };
                let others_wait = engines.analyses.available_permits() == 0 && threads.get() < engines.cores;
                let ms = if others_wait { ms.min(LOOK_WITH_OTHERS) } else { ms };
                let (analysis, hear) = (analysis.clone(), out.clone());
                let place = engines.place(threads, told.clone());
                // The slot is freed before the answer is sent, because a page may read slowly.
                let look = move || {
                    let _permit = permit;
                    // A page that reads slowly misses some updates.
                    analysis.look(i, ms, &place, &mut |answer| {
                        let _ = hear.try_send(answer);
                    })
                };
                let Some(Some((answer, over))) = aside(look).await else { return };
                if out.send(answer).await.is_err() || over {
                    return;
                }
            }
        };
        Thinking::begin(stop, task)
    }

    /// Acquires a slot and returns its number of threads: all threads if no other analysis runs.
    async fn some_threads(&self) -> Option<(OwnedSemaphorePermit, NonZeroUsize)> {
        if let Ok(all) = Arc::clone(&self.analyses).try_acquire_many_owned(self.cores as u32) {
            return Some((all, NonZeroUsize::new(self.cores)?));
        }
        Some((Arc::clone(&self.analyses).acquire_owned().await.ok()?, NonZeroUsize::MIN))
    }

    /// Evaluates each position of a game, last position first, because evaluations near the end are most reliable.
    pub(crate) fn judge(self: &Arc<Self>, id: u32, game: Game, out: mpsc::Sender<Answer>) -> Thinking {
        let stop = Stop::new();
        let (engines, told) = (Arc::clone(self), stop.clone());
        let task = async move {
            let began = Instant::now();
            for ply in (0..=game.moves.len()).rev() {
                let Ok(permit) = Arc::clone(&engines.analyses).acquire_owned().await else { return };
                let game = game.clone();
                let place = engines.place(NonZeroUsize::MIN, told.clone());
                let look = move || {
                    let _permit = permit;
                    thinking::judge(id, &game, ply, &|| began.elapsed().as_secs_f64(), &place)
                };
                let Some(Some(answer)) = aside(look).await else { return };
                if out.send(answer).await.is_err() {
                    return;
                }
            }
        };
        Thinking::begin(stop, task)
    }
}
