//! Counters of changes, and the signal that ends the threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A part of the course whose changes are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Phase, announcements, numbers of teams and games.
    About,
    /// Scoreboard and teams.
    Standings,
    /// Finished games.
    Games,
    /// Boards of games in play.
    Live,
    /// Uploads, steps and practice games of a team.
    Own,
    /// Pages of the staff.
    Staff,
    /// A team: its place on the scoreboard, and its uploads.
    Team,
}

/// Counters of changes.
#[derive(Default)]
pub(super) struct Pulse {
    /// Number of all changes.
    all: Mutex<u64>,
    changed: Condvar,
    topics: [AtomicU64; 7],
    is_stopping: AtomicBool,
}

impl Pulse {
    /// Counts a change of these topics, and wakes all waiting threads.
    pub(super) fn tell(&self, topics: &[Topic]) {
        for &topic in topics {
            self.topics[topic as usize].fetch_add(1, Ordering::Relaxed);
        }
        *self.all.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.changed.notify_all();
    }

    /// Returns the number of changes of a topic.
    pub(super) fn of(&self, topic: Topic) -> u64 {
        self.topics[topic as usize].load(Ordering::Relaxed)
    }

    /// Returns the number of all changes.
    pub(super) fn all(&self) -> u64 {
        *self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until there are more changes than `seen`, the threads are to end, or the time is over. Returns the number
    /// of changes.
    pub(super) fn wait(&self, seen: u64, timeout: Duration) -> u64 {
        let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |all: &mut u64| *all <= seen && !self.is_stopping();
        let (all, _) = self.changed.wait_timeout_while(all, timeout, same).unwrap_or_else(PoisonError::into_inner);
        *all
    }

    /// Waits for this time, or until the threads are to end.
    pub(super) fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_stopping() && Instant::now() < until {
            self.wait(self.all(), until.saturating_duration_since(Instant::now()));
        }
    }

    /// Returns `true` if the threads are to end.
    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::SeqCst)
    }

    /// Returns the flag that is set when the threads are to end.
    pub(super) fn stopping(&self) -> &AtomicBool {
        &self.is_stopping
    }

    /// Asks all threads to end.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::SeqCst);
        self.tell(&[]);
    }
}
