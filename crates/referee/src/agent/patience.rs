//! Deadlines for answers, extended if other programs had the processor.

use std::time::{Duration, Instant};

use process::{Child, Pressure};

use super::complaint;
use crate::{Fault, FaultKind};

/// A player that computed for less than this share of its time, in percent, was idle.
const IDLE_PERCENT: u32 = 5;
/// A program that had no processor for at least this share of the measured time gets its time once more, in percent.
const STARVED_PERCENT: u32 = 50;

/// The deadline for an answer. Measurement begins after a quarter of the time for a move, so quick moves cost none. If
/// other programs had the processor for most of the measured time, the deadline is extended once by the same time.
pub(super) struct Patience {
    began: Instant,
    deadline: Option<Instant>,
    measure: Measure,
}

/// State of the measurement.
enum Measure {
    /// No measurement.
    Off,
    /// A measurement that begins at this time.
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

    /// Waits for a move whose time has begun, or for ever if it has no limit.
    pub(super) fn of_move(began: Instant, limit: Option<Duration>) -> Self {
        let measure = limit.map_or(Measure::Off, |limit| Measure::From(began + limit / 4));
        Self { began, deadline: limit.map(|limit| began + limit), measure }
    }

    /// Returns the time at which to call [`may_wait`](Self::may_wait) next.
    pub(super) fn next(&self) -> Instant {
        // Without a limit the wait is repeated, because every single wait has a deadline.
        let deadline = self.deadline.unwrap_or_else(|| Instant::now() + Duration::from_hours(1));
        if let Measure::From(from) = self.measure { from.min(deadline) } else { deadline }
    }

    /// Measures the program when that is due. Returns `false` if the program is late.
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

    /// Returns the time that is not the program's own: it was ready to compute, but other programs had the processor.
    /// Zero unless it has got its time once more for that.
    pub(super) fn waited(&self, child: &mut Child) -> Duration {
        match &self.measure {
            Measure::Extended(pressure) => pressure.waited(child).min(self.began.elapsed()),
            _ => Duration::ZERO,
        }
    }
}

/// Returns `true` if the fault is a missing answer, so that the program may still give one.
pub(super) const fn is_late(fault: &Fault) -> bool {
    matches!(fault.kind, FaultKind::Time | FaultKind::Stall)
}

/// Returns the fault of a program that gave no answer in time: it was computing, or it was idle. `waited` is the time
/// for which other programs had its processor.
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
