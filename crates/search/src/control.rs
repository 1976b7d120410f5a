use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::sync::Arc;

use thiserror::Error;

use crate::host::{Clock, Host};
use crate::score::Score;

/// How long a player may think. The first limit that is reached ends the search. If no limit is set, the player's
/// default node budget holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Visited positions. Unlike a limit on time, it gives the same move on every machine.
    pub nodes: Option<u64>,
    /// Time on the clock of [`Control::host`]. Without a clock this limit counts as unset, so that a search still ends:
    /// by its other limits, or by the player's default node budget.
    pub movetime: Option<Duration>,
    /// The time that a move should take on average, for a player whose time must last for a whole game. A search whose
    /// best move has stayed the same ends earlier. One that has just changed its mind, or whose value has fallen, goes
    /// on for longer, up to `movetime`, or four times as long as this if that is unset. Without a clock it counts as
    /// unset, too.
    pub optimum: Option<Duration>,
}

impl Limits {
    /// A limit on the depth alone.
    pub const fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), nodes: None, movetime: None, optimum: None }
    }

    /// A limit on the nodes alone.
    pub const fn nodes(nodes: u64) -> Self {
        Self { depth: None, nodes: Some(nodes), movetime: None, optimum: None }
    }

    /// A limit on the time alone.
    pub const fn movetime(movetime: Duration) -> Self {
        Self { depth: None, nodes: None, movetime: Some(movetime), optimum: None }
    }

    /// The limits that this host can keep: without a clock, all but the times.
    pub(crate) fn on(self, host: Host) -> Self {
        if host.clock.is_some() { self } else { Self { movetime: None, optimum: None, ..self } }
    }

    /// The longest time for a choice.
    pub(crate) fn longest_time(&self) -> Option<Duration> {
        self.movetime.or(self.optimum.map(|time| time.saturating_mul(4)))
    }

    /// The time that the parts of a choice share.
    pub(crate) fn usual_time(&self) -> Option<Duration> {
        [self.optimum, self.movetime].into_iter().flatten().min()
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
    /// Another flag that stops it.
    other: Option<Arc<AtomicBool>>,
    /// Whether the opponent is to move; see [`pondering`](Self::pondering).
    pondering: Option<Arc<AtomicBool>>,
    deadlines: Option<Deadlines>,
}

/// Times on a clock.
#[derive(Clone, Copy, Debug)]
struct Deadlines {
    clock: Clock,
    /// Holds always.
    part: Duration,
    /// Holds when the player's own clock runs.
    whole: Duration,
    /// The same; may be moved.
    soft: Duration,
}

impl Stop {
    /// Without a deadline: stops only when [`stop`](Self::stop) is called.
    pub fn new() -> Self {
        Self::default()
    }

    /// For a search while the opponent is to move. Limits on time do not end it before [`ponderhit`](Self::ponderhit).
    /// They count from the beginning of the search nevertheless: what was found in the opponent's time need not be
    /// found again.
    pub fn pondering() -> Self {
        Self { pondering: Some(Arc::new(AtomicBool::new(true))), ..Self::default() }
    }

    /// The opponent has made the move that was expected. From now on limits on time hold.
    pub fn ponderhit(&self) {
        if let Some(pondering) = &self.pondering {
            pondering.store(false, Ordering::Relaxed);
        }
    }

    /// The same stop with a deadline `time` from now. [`stop`](Self::stop) on either of them stops both. The earlier of
    /// two deadlines holds; all deadlines of one `Stop` are on the same clock.
    #[must_use]
    pub fn after(&self, clock: Clock, time: Duration) -> Self {
        self.with_deadline(clock, |deadlines, now| deadlines.part = deadlines.part.min(now.saturating_add(time)))
    }

    /// The same stop with a deadline `time` from now for a part of a choice, if a time is set and the host has a clock.
    pub(crate) fn within(&self, time: Option<Duration>, host: Host) -> Self {
        match (time, host.clock) {
            (Some(time), Some(clock)) => self.after(clock, time),
            _ => self.clone(),
        }
    }

    /// The same, but the deadline is one for the whole choice: it does not hold while the opponent is to move.
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

    /// Moves the soft deadline for the whole choice to this time on the clock of the other deadlines. Without them
    /// there is none.
    pub(crate) fn set_soft(&mut self, at: Duration) {
        if let Some(deadlines) = &mut self.deadlines {
            deadlines.soft = at;
        }
    }

    /// A copy that [`stop`](Self::stop) on the other one stops, too. It can be done once.
    #[must_use]
    pub(crate) fn or(&self, other: &Self) -> Self {
        debug_assert!(self.other.is_none(), "invariant: a stop has at most one other");
        Self { other: Some(Arc::clone(&other.flag)), ..self.clone() }
    }

    /// Stops every search that shares this.
    pub fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether the search may go on. Looks at the flag and the clock only when `nodes` is a multiple of 256.
    ///
    /// # Errors
    /// If it is time to stop.
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

/// Stops the helpers when the leader ends, also if it panics: otherwise the threads would never be joined.
pub(crate) struct StopWhenDropped<'a>(pub(crate) &'a Stop);

impl Drop for StopWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl Deadlines {
    /// Whether a deadline has passed. With `all`, the deadlines that hold only while the player's own clock runs
    /// count, too.
    fn have_passed(self, all: bool) -> bool {
        let earliest = if all { self.part.min(self.whole).min(self.soft) } else { self.part };
        (self.clock)() >= earliest
    }
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress<M> {
    /// Finished depth, in plies.
    pub depth: u32,
    /// Value for the side to move.
    pub score: Score,
    /// The principal variation: best play for both sides.
    pub pv: Vec<M>,
    /// Visited positions.
    pub nodes: u64,
}

/// Is called after each finished iteration.
pub type Listener<'a, M> = &'a mut dyn FnMut(&Progress<M>);

/// How a caller directs a running search: stops it, follows it, and says what it may use of the machine.
pub struct Control<'a, M> {
    /// Stops the search.
    pub stop: Stop,
    /// Is called after each finished iteration.
    pub progress: Option<Listener<'a, M>>,
    /// The clock and the threads that the search may use.
    pub host: Host,
}

impl<M> Control<'_, M> {
    /// Lets the search run to its limits, without a clock and on one thread.
    pub fn unattended() -> Self {
        Self::on(Host::NONE)
    }

    /// Lets the search run to its limits, with this clock and these threads.
    pub fn on(host: Host) -> Self {
        Self { stop: Stop::new(), progress: None, host }
    }

    pub(crate) fn report(&mut self, progress: &Progress<M>) {
        if let Some(listener) = &mut self.progress {
            listener(progress);
        }
    }
}
