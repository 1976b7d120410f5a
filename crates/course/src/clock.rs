//! Clocks of a course.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

use jiff::{SignedDuration, Timestamp};

/// A clock.
pub trait Clock: Send + Sync {
    /// Returns the current time.
    fn now(&self) -> Timestamp;

    /// Returns the factor by which the clock of a rehearsal runs faster than time; `None` for a clock of real time.
    fn speed(&self) -> Option<f64> {
        None
    }
}

/// The clock of the operating system. It may jump in both directions.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

/// A clock for tests and rehearsals: it begins at a given time and runs faster than time.
#[derive(Clone, Copy, Debug)]
pub struct FastClock {
    start: Timestamp,
    factor: f64,
    began: Instant,
}

impl FastClock {
    /// Starts a clock that shows `start` now, and `factor` seconds more after each second.
    pub fn new(start: Timestamp, factor: f64) -> Self {
        Self { start, factor, began: Instant::now() }
    }
}

impl Clock for FastClock {
    fn now(&self) -> Timestamp {
        let passed = SignedDuration::try_from_secs_f64(self.began.elapsed().as_secs_f64() * self.factor);
        passed.ok().and_then(|passed| self.start.checked_add(passed).ok()).unwrap_or(Timestamp::MAX)
    }

    fn speed(&self) -> Option<f64> {
        Some(self.factor)
    }
}

/// A clock that never runs backwards: it stops while the clock below it is behind. Times are whole microseconds, so
/// that a stored time equals the time that was returned.
pub(crate) struct SteadyClock<C> {
    below: C,
    /// Latest returned time, in microseconds since 1970.
    latest: AtomicI64,
}

impl<C: Clock> SteadyClock<C> {
    pub(crate) fn new(below: C) -> Self {
        Self { below, latest: AtomicI64::new(i64::MIN) }
    }

    /// Advances the clock to `time`, if it is behind. Returns the new time.
    pub(crate) fn advance(&self, time: Timestamp) -> Timestamp {
        let time = time.as_microsecond();
        let latest = self.latest.fetch_max(time, Ordering::Relaxed).max(time);
        Timestamp::from_microsecond(latest).expect("invariant: it was a time")
    }

    /// Returns the time of the clock below.
    pub(crate) fn below(&self) -> Timestamp {
        self.below.now()
    }

    /// Sets the clock to `time`, even backwards.
    pub(crate) fn set(&self, time: Timestamp) {
        self.latest.store(time.as_microsecond(), Ordering::Relaxed);
    }
}

impl<C: Clock> Clock for SteadyClock<C> {
    fn now(&self) -> Timestamp {
        self.advance(self.below.now())
    }

    fn speed(&self) -> Option<f64> {
        self.below.speed()
    }
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }

    fn speed(&self) -> Option<f64> {
        (**self).speed()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// A clock that tests set by hand.
    #[derive(Clone)]
    pub(crate) struct HandClock(Arc<Mutex<Timestamp>>);

    impl HandClock {
        pub(crate) fn new(time: &str) -> Self {
            Self(Arc::new(Mutex::new(time.parse().expect("a time"))))
        }

        pub(crate) fn set(&self, time: &str) {
            *self.0.lock().expect("no panic") = time.parse().expect("a time");
        }

        pub(crate) fn skip(&self, seconds: i64) {
            let mut time = self.0.lock().expect("no panic");
            *time = time.checked_add(SignedDuration::from_secs(seconds)).expect("a time");
        }
    }

    impl Clock for HandClock {
        fn now(&self) -> Timestamp {
            *self.0.lock().expect("no panic")
        }
    }

    #[test]
    fn a_steady_clock_stops_while_the_clock_below_is_behind() {
        let hand = HandClock::new("2026-11-30T10:00:00.000000999Z");
        let steady = SteadyClock::new(hand.clone());
        let ten = steady.now();
        assert_eq!(ten.to_string(), "2026-11-30T10:00:00Z", "whole microseconds");
        hand.set("2026-11-30T09:00:00Z");
        assert_eq!((steady.now(), steady.below().to_string().as_str()), (ten, "2026-11-30T09:00:00Z"));
        hand.set("2026-11-30T10:00:01Z");
        assert_eq!(steady.now().to_string(), "2026-11-30T10:00:01Z");
        let later = "2027-01-01T00:00:00Z".parse().expect("a time");
        assert_eq!((steady.advance(later), steady.now()), (later, later));
        steady.set(ten);
        assert_eq!(steady.now().to_string(), "2026-11-30T10:00:01Z");
    }

    #[test]
    fn a_fast_clock_begins_at_its_start_and_never_overflows() {
        let start: Timestamp = "2026-11-30T10:00:00Z".parse().expect("a time");
        let fast = FastClock::new(start, 3.6e6);
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert!(fast.now() >= start.checked_add(SignedDuration::from_hours(2)).expect("a time"));
        assert_eq!(FastClock::new(start, 1e300).now(), Timestamp::MAX);
    }
}
