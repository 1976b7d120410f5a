//! The thread that watches the deadline and plays the final.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::clock::Clock;
use crate::config::sections::Publish;
use crate::service::course::{Service, lock};
use crate::service::open::CLOSED_AT;
use crate::service::pulse::Topic;
use crate::store::audit::Actor;
use crate::store::error::CourseError;
use crate::store::phase::Phase;

/// Maximum time between two looks at the clock.
const TICK: Duration = Duration::from_millis(200);
/// Time between two attempts to freeze the versions or to play the final.
const RETRY: Duration = Duration::from_secs(1);
/// Maximum time for which staff's action waits until received uploads are stored.
const STORING: Duration = Duration::from_secs(30);
/// Pause after a phase that could not end.
const AFTER_FAILURE: Duration = Duration::from_secs(5);
/// Pause after a final that could not be played.
const AFTER_FINAL: Duration = Duration::from_mins(1);

impl Service {
    /// Moves the course from phase to phase until it stops.
    pub(super) fn keep_time(self: &Arc<Self>) {
        let mut earliest = Instant::now();
        while !self.pulse.is_stopping() {
            let seen = self.pulse.all();
            let is_asked = self.retry_final.swap(false, Ordering::SeqCst);
            if is_asked || Instant::now() >= earliest {
                let kept = catch_unwind(AssertUnwindSafe(|| self.keep_phase()));
                let pause = kept.unwrap_or_else(|_| Err("a panic".to_owned())).unwrap_or_else(|error| {
                    self.report(&format!("phase {}: {error}", self.phase().name()));
                    if self.phase() == Phase::Final { AFTER_FINAL } else { AFTER_FAILURE }
                });
                earliest = Instant::now() + pause;
            }
            self.pulse.wait(seen, TICK);
        }
    }

    /// Does what the phase requires. Returns the time before the next call.
    fn keep_phase(&self) -> Result<Duration, String> {
        let shown = |error: CourseError| error.to_string();
        match self.refresh_phase().map_err(shown)? {
            Phase::Open => {
                // The time of an upload is recorded under this lock, so none with an earlier time can follow.
                let storing = lock(&self.storing);
                let is_over = self.clock.now() >= self.config.deadline.timestamp();
                if is_over && *storing == 0 {
                    drop(storing);
                    self.close(&Actor::Course).map_err(shown)?;
                }
                Ok(Duration::ZERO)
            }
            Phase::Closing => {
                self.freeze(&Actor::Course).map_err(shown)?;
                Ok(if self.phase() == Phase::Final { Duration::ZERO } else { RETRY })
            }
            Phase::Final => {
                self.clear_stage();
                if self.play_final()? {
                    self.advance(Phase::Done, &Actor::Course).map_err(shown)?;
                }
                Ok(Duration::ZERO)
            }
            Phase::Done if self.config.last.publish == Publish::AtOnce => {
                self.advance(Phase::Published, &Actor::Course).map_err(shown)?;
                Ok(Duration::ZERO)
            }
            Phase::Done | Phase::Published => {
                if self.is_ladder_open() {
                    self.open_stage();
                }
                Ok(RETRY)
            }
        }
    }

    /// Lets games of the ladder begin again after the final.
    fn open_stage(&self) {
        let _field = lock(&self.field);
        if !self.pulse.is_stopping() && self.halt.swap(false, Ordering::SeqCst) {
            self.pulse.tell(&[Topic::Live]);
        }
    }

    /// Ends the time for uploads, after those that were received are stored.
    pub(super) fn close(&self, actor: &Actor) -> Result<(), CourseError> {
        let until = Instant::now() + STORING;
        while *lock(&self.storing) > 0 && Instant::now() < until && !self.pulse.is_stopping() {
            self.pulse.wait(self.pulse.all(), TICK);
        }
        let deadline = self.config.deadline.timestamp().to_string();
        self.write(|store| {
            // Recorded first, so that a moved deadline is recognised after a crash between the two.
            store.set_meta(CLOSED_AT, &deadline)?;
            store.advance(Phase::Closing, actor)
        })?;
        self.refresh_phase().map(drop)
    }

    /// Moves to another phase.
    pub(super) fn advance(&self, to: Phase, actor: &Actor) -> Result<(), CourseError> {
        self.write(|store| store.advance(to, actor))?;
        self.refresh_phase().map(drop)
    }

    /// Freezes the versions of the final, unless uploads from before the deadline are unchecked or a team has an
    /// extension.
    pub(super) fn freeze(&self, actor: &Actor) -> Result<(), CourseError> {
        match self.write(|store| store.freeze_all(actor)) {
            Ok(_) => (),
            Err(CourseError::Conflict { .. }) => return Ok(()),
            Err(error) => return Err(error),
        }
        self.halt.store(true, Ordering::SeqCst);
        self.refresh_phase().map(drop)
    }

    /// Cancels the games in play, and waits until they have ended.
    fn clear_stage(&self) {
        self.halt.store(true, Ordering::SeqCst);
        self.pulse.tell(&[Topic::Live]);
        while !self.pulse.is_stopping() {
            let seen = self.pulse.all();
            if lock(&self.field).is_idle() {
                break;
            }
            self.pulse.wait(seen, TICK);
        }
    }
}
