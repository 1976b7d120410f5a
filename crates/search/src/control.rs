use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use thiserror::Error;

use crate::host::{Clock, Host};
use crate::score::Score;

/// Limits of a search. The first limit that is reached ends the search. If no limit is set, the player's default node
/// budget applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Maximum depth of an iteration, in plies.
    pub depth: Option<u32>,
    /// Maximum number of visited positions. Unlike a time limit, it gives the same move on every machine.
    pub nodes: Option<u64>,
    /// Maximum time on the clock of [`Control::host`]. Without a clock this limit counts as unset; the search then ends
    /// at its other limits, or at the player's default node budget.
    pub movetime: Option<Duration>,
    /// Average time of a move, for a player whose time must last for a whole game. A search whose best move is stable
    /// ends earlier. A search whose best move has just changed, or whose score has fallen, continues longer: up to
    /// `movetime`, or up to four times the optimum if `movetime` is unset. Without a clock this limit counts as unset.
    pub optimum: Option<Duration>,
}

impl Limits {
    /// Returns a limit on the depth alone.
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), nodes: None, movetime: None, optimum: None }
    }

    /// Returns a limit on the nodes alone.
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: None, nodes: Some(nodes), movetime: None, optimum: None }
    }

    /// Returns a limit on the time alone.
    pub const fn movetime(movetime: Duration) -> Self {
        Self { depth: None, nodes: None, movetime: Some(movetime), optimum: None }
    }

    /// Returns the limits that apply on this host. Without a clock, the time limits are removed.
    pub(crate) fn on(self, host: Host) -> Self {
        if host.clock.is_some() { self } else { Self { movetime: None, optimum: None, ..self } }
    }

    /// Returns the maximum time for a choice.
    pub(crate) fn longest_time(&self) -> Option<Duration> {
        self.movetime.or(self.optimum.map(|time| time.saturating_mul(4)))
    }

    /// Returns the time that is divided among the parts of a choice.
    pub(crate) fn usual_time(&self) -> Option<Duration> {
        [self.optimum, self.movetime].into_iter().flatten().min()
    }
}

/// The error of a search that was stopped by a caller or a deadline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the search was stopped")]
pub struct Stopped;

/// A stop signal for searches, set by a caller, by another thread, or by a deadline.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// Another flag that also stops the search.
    other: Option<Arc<AtomicBool>>,
    /// `true` while the opponent is to move; see [`pondering`](Self::pondering).
    pondering: Option<Arc<AtomicBool>>,
    deadlines: Option<Deadlines>,
}

/// Deadlines on a clock.
#[derive(Clone, Copy, Debug)]
struct Deadlines {
    clock: Clock,
    /// Deadline that always applies.
    part: Duration,
    /// Deadline that applies while the player's own clock runs.
    whole: Duration,
    /// Like `whole`, but adjustable; see [`set_soft`](Stop::set_soft).
    soft: Duration,
}

impl Stop {
    /// Creates a stop signal without a deadline. Only [`stop`](Self::stop) sets it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a stop signal for a search during the opponent's turn. Time limits do not end the search before
    /// [`ponderhit`](Self::ponderhit), but they count from the beginning of the search, because results found in the
    /// opponent's time need not be found again.
    pub fn pondering() -> Self {
        Self { pondering: Some(Arc::new(AtomicBool::new(true))), ..Self::default() }
    }

    /// Reports that the opponent has made the expected move. Time limits apply from now on.
    pub fn ponderhit(&self) {
        if let Some(pondering) = &self.pondering {
            pondering.store(false, Ordering::Relaxed);
        }
    }

    /// Returns a copy with a deadline `time` from now. [`stop`](Self::stop) on the copy or on the original stops both.
    /// If the original has a deadline, the earlier of the two applies to the copy; all deadlines of a `Stop` must be on
    /// the same clock.
    #[must_use]
    pub fn after(&self, clock: Clock, time: Duration) -> Self {
        self.with_deadline(clock, |deadlines, now| deadlines.part = deadlines.part.min(now.saturating_add(time)))
    }

    /// Returns a copy with a deadline `time` from now for a part of a choice, if a time is set and the host has a
    /// clock.
    pub(crate) fn within(&self, time: Option<Duration>, host: Host) -> Self {
        match (time, host.clock) {
            (Some(time), Some(clock)) => self.after(clock, time),
            _ => self.clone(),
        }
    }

    /// Like [`within`](Self::within), but for the whole choice: the deadline does not apply while the opponent is to
    /// move.
    pub(crate) fn within_whole(&self, time: Option<Duration>, host: Host) -> Self {
        match (time, host.clock) {
            (Some(time), Some(clock)) => self.with_deadline(clock, |deadlines, now| {
                deadlines.whole = deadlines.whole.min(now.saturating_add(time));
            }),
            _ => self.clone(),
        }
    }

    fn with_deadline(&self, clock: Clock, set: impl FnOnce(&mut Deadlines, Duration)) -> Self {
        let never = Deadlines { clock, part: Duration::MAX, whole: Duration::MAX, soft: Duration::MAX };
        let mut deadlines = self.deadlines.unwrap_or(never);
        set(&mut deadlines, clock());
        Self { deadlines: Some(deadlines), ..self.clone() }
    }

    /// Moves the soft deadline for the whole choice to this time on the clock of the other deadlines. Does nothing if
    /// there are no other deadlines.
    pub(crate) fn set_soft(&mut self, at: Duration) {
        if let Some(deadlines) = &mut self.deadlines {
            deadlines.soft = at;
        }
    }

    /// Returns a copy that is also stopped by [`stop`](Self::stop) on `other`. A `Stop` can have only one `other`.
    #[must_use]
    pub(crate) fn or(&self, other: &Self) -> Self {
        assert!(self.other.is_none(), "invariant: a stop has at most one other");
        Self { other: Some(Arc::clone(&other.flag)), ..self.clone() }
    }

    /// Stops every search that shares this stop signal.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Returns `Ok` if the search may continue. Reads the flag and the clock only when `nodes` is a multiple of 256.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search must end.
    #[inline]
    pub fn check(&self, nodes: u64) -> Result<(), Stopped> {
        if nodes & 0xff != 0 {
            return Ok(());
        }
        let is_set = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        let is_late = || {
            self.deadlines.is_some_and(|deadlines| deadlines.have_passed(!self.pondering.as_ref().is_some_and(is_set)))
        };
        if is_set(&self.flag) || self.other.as_ref().is_some_and(is_set) || is_late() { Err(Stopped) } else { Ok(()) }
    }
}

/// A guard that stops the helpers when the leader ends. It also works if the leader panics: without it, the threads
/// would then never be joined.
pub(crate) struct StopWhenDropped<'a>(pub(crate) &'a Stop);

impl Drop for StopWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Deadlines {
    /// Returns `true` if a deadline has passed. With `all`, this includes the deadlines that apply only while the
    /// player's own clock runs.
    fn have_passed(self, all: bool) -> bool {
        let earliest = if all { self.part.min(self.whole).min(self.soft) } else { self.part };
        (self.clock)() >= earliest
    }
}

/// The results of a search so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress<M> {
    /// Finished depth, in plies.
    pub depth: u32,
    /// Score for the side to move.
    pub score: Score,
    /// Principal variation: best play for both sides.
    pub pv: Vec<M>,
    /// Number of visited positions.
    pub nodes: u64,
}

/// A callback that runs after each finished iteration.
pub type Listener<'a, M> = &'a mut dyn FnMut(&Progress<M>);

/// A caller's control of a running search: the stop signal, the progress callback and the host.
pub struct Control<'a, M> {
    /// Signal that stops the search.
    pub stop: Stop,
    /// Callback that runs after each finished iteration.
    pub progress: Option<Listener<'a, M>>,
    /// Clock and threads that the search may use.
    pub host: Host,
}

impl<M> Control<'_, M> {
    /// Creates a control without a clock or threads. The search runs to its limits.
    pub fn unattended() -> Self {
        Self::on(Host::NONE)
    }

    /// Creates a control with this clock and these threads. Its stop signal is unset.
    pub fn on(host: Host) -> Self {
        Self { stop: Stop::new(), progress: None, host }
    }

    pub(crate) fn report(&mut self, progress: &Progress<M>) {
        if let Some(listener) = &mut self.progress {
            listener(progress);
        }
    }
}
