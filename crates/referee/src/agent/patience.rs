//! Deadlines for answers, extended if other programs had the processor.

use std::time::{Duration, Instant};

use process::{Child, Pressure};

use crate::capped::complaint;
use crate::player::{Fault, FaultKind};

/// Processor use below which a late program counts as idle, in percent of the wait for its answer.
const IDLE_PERCENT: u32 = 5;
/// Minimum share of the measured time that the program must have spent waiting for a processor, in percent. Below this
/// share, the deadline is not extended.
const STARVED_PERCENT: u32 = 50;

/// The deadline for an answer. The deadline for a move is extended once, by the length of the move's limit, if the
/// program waited for a processor for at least half of the measured time. The measurement begins after a quarter of the
/// limit, so that quick moves need no measurement.
pub(super) struct Patience {
    began: Instant,
    deadline: Option<Instant>,
    measure: Measure,
}

/// The state of the measurement.
enum Measure {
    /// No measurement.
    Off,
    /// The measurement is due at this time.
    From(Instant),
    /// The measurement began at this time.
    Since(Instant, Pressure),
    /// The deadline was extended.
    Extended(Pressure),
}

impl Patience {
    /// Creates a deadline without measurement. `None` means no deadline.
    pub(super) fn until(deadline: Option<Instant>) -> Self {
        Self { began: Instant::now(), deadline, measure: Measure::Off }
    }

    /// Creates the deadline for a move that was requested at `began`, with measurement. `None` means no limit.
    pub(super) fn of_move(began: Instant, limit: Option<Duration>) -> Self {
        let measure = limit.map_or(Measure::Off, |limit| Measure::From(began + limit / 4));
        Self { began, deadline: limit.map(|limit| began + limit), measure }
    }

    /// Returns the time at which to call [`may_wait`](Self::may_wait) next.
    pub(super) fn next(&self) -> Instant {
        // Every wait has a deadline. Without a limit, the caller waits again after this time.
        let deadline = self.deadline.unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
        if let Measure::From(from) = self.measure { from.min(deadline) } else { deadline }
    }

    /// Begins the measurement if it is due, and extends the deadline if other programs had the processor. Returns
    /// `false` if the deadline has passed.
    pub(super) fn may_wait(&mut self, child: &mut Child) -> bool {
        let (now, Some(deadline)) = (Instant::now(), self.deadline) else { return true };
        if matches!(self.measure, Measure::From(from) if now >= from) {
            self.measure = Pressure::begin(child).map_or(Measure::Off, |pressure| Measure::Since(now, pressure));
        }
        if now < deadline {
            return true;
        }
        match std::mem::replace(&mut self.measure, Measure::Off) {
            Measure::Since(since, pressure)
                if pressure.waited(child) * 100 >= now.duration_since(since) * STARVED_PERCENT && now > since =>
            {
                self.deadline = Some(deadline + (deadline - self.began));
                self.measure = Measure::Extended(pressure);
                true
            }
            measure => {
                self.measure = measure;
                false
            }
        }
    }

    /// Returns the time since the answer was requested.
    pub(super) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Returns the time that the program spent ready to run while other programs had the processor; zero unless the
    /// deadline was extended.
    pub(super) fn waited(&self, child: &mut Child) -> Duration {
        match &self.measure {
            Measure::Extended(pressure) => pressure.waited(child).min(self.began.elapsed()),
            _ => Duration::ZERO,
        }
    }
}

/// Returns `true` if the program gave no answer in time. It may still give one.
pub(super) const fn is_late(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Time | FaultKind::Stall)
}

/// Returns the fault of a program that gave no answer in time: [`FaultKind::Stall`] if it was idle, otherwise
/// [`FaultKind::Time`]. `waited` is the time during which other programs had the processor.
pub(super) fn late(
    wait: Duration,
    used: Option<Duration>,
    waited: Duration,
    partial: &str,
    error_line: Option<String>,
) -> Fault {
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    let idle = waited.is_zero() && used.is_some_and(|used| used * 100 < wait * IDLE_PERCENT);
    let kind = if idle { FaultKind::Stall } else { FaultKind::Time };
    let used = used.map(|used| format!(", of which it used the processor for {}", seconds(used))).unwrap_or_default();
    let waited = match waited {
        Duration::ZERO => String::new(),
        waited => format!("; other programs had the processor for {}", seconds(waited)),
    };
    let partial = match partial.trim() {
        "" => String::new(),
        partial => format!("; it has written `{}` without the end of the line", game::text::excerpt(partial)),
    };
    let detail = format!("no answer in {}{used}{waited}{partial}{}", seconds(wait), complaint(error_line));
    Fault::new(kind, detail)
}
