use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::Score;

/// How long a player may think: the first limit that is reached ends the search. None at all means the player's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Visited positions. The only budget that gives the same move on every machine.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub movetime: Option<Duration>,
}

impl Limits {
    /// A limit on the depth alone.
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), nodes: None, movetime: None }
    }

    /// A limit on the nodes alone.
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: None, nodes: Some(nodes), movetime: None }
    }

    /// A limit on the time alone.
    pub const fn movetime(movetime: Duration) -> Self {
        Self { depth: None, nodes: None, movetime: Some(movetime) }
    }
}

/// A search was told to stop, or its time was up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// Tells searches to stop: by hand, from another thread, or at a deadline.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    deadline: Option<Instant>,
}

impl Stop {
    /// Stops when told to.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, and at a deadline too.
    #[must_use]
    pub fn with_deadline(&self, deadline: Option<Instant>) -> Self {
        let earlier = match (self.deadline, deadline) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self { flag: Arc::clone(&self.flag), deadline: earlier }
    }

    /// Tells every search that shares this to stop.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// # Errors
    /// If it is time to stop. Looks at the clock only every 256th node, and only where there is a deadline.
    #[inline]
    pub fn check(&self, nodes: u64) -> Result<(), Stopped> {
        if nodes & 0xff != 0 {
            return Ok(());
        }
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.flag.load(Ordering::Relaxed) || late() { Err(Stopped) } else { Ok(()) }
    }
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress<M> {
    /// Finished depth, in plies.
    pub depth: u32,
    /// Value for the side to move.
    pub score: Score,
    /// Best play for both sides.
    pub line: Vec<M>,
    /// Visited positions.
    pub nodes: u64,
}

/// Somebody who is told of each finished iteration.
pub type Listener<'a, M> = &'a mut dyn FnMut(&Progress<M>);

/// The hand on a running search: stops it and listens to it.
pub struct Control<'a, M> {
    /// Stops the search.
    pub stop: Stop,
    /// Is told of each finished iteration.
    pub progress: Option<Listener<'a, M>>,
}

impl<M> Control<'_, M> {
    /// Nobody stops the search, nobody listens.
    pub fn unattended() -> Self {
        Self { stop: Stop::new(), progress: None }
    }

    pub(crate) fn report(&mut self, progress: &Progress<M>) {
        if let Some(listener) = &mut self.progress {
            listener(progress);
        }
    }
}
