//! The clocks of a game. They do not read the machine's clock: every function receives the time, in milliseconds since
//! a fixed moment.
//!
//! The first move of a game is free: the other side's clock starts after it. Taking moves back restores the times that
//! both sides had in that position.

use core::ops::RangeInclusive;
use core::time::Duration;

use game::{Message, message};

use crate::messages::answer::ClockView;
use crate::messages::game::Clock;

/// Minimum and maximum time, in milliseconds.
const TIMES: RangeInclusive<u64> = 100..=24 * 3_600_000;
/// Maximum increment, in milliseconds.
const LONGEST_INCREMENT: u64 = 600_000;

/// The clocks of both sides.
#[derive(Clone, Debug)]
pub(crate) struct Clocks {
    clock: Clock,
    /// Remaining times of both sides at the start of each position, beginning with the first, in milliseconds.
    left: Vec<[u64; 2]>,
    /// Index of the current position in `left`.
    at: usize,
    /// `true` if the clocks run from the start, because the game was begun elsewhere.
    is_continued: bool,
    /// Time used by the side to move before its clock last started, in milliseconds.
    used: u64,
    /// Time at which the clock of the side to move started; `None` if it is stopped.
    since: Option<u64>,
}

impl Clocks {
    /// Creates stopped clocks. `left` has the remaining times if the game was begun elsewhere.
    ///
    /// # Errors
    /// If a time is too short or too long.
    pub(crate) fn new(clock: Clock, left: Option<[u64; 2]>) -> Result<Self, Message> {
        let (ms, increment) = match clock {
            Clock::Game { ms, increment } => (ms, increment),
            Clock::Move { ms } => (ms, 0),
        };
        if !TIMES.contains(&ms) {
            let (least, most) = (TIMES.start(), TIMES.end());
            return Err(message!(
                "clock.time",
                "A clock of {ms} ms is not possible: expected {least} to {most} ms.",
                ms,
                least,
                most
            ));
        }
        if increment > LONGEST_INCREMENT {
            let most = LONGEST_INCREMENT;
            return Err(message!(
                "clock.increment",
                "An increment of {ms} ms is not possible: expected at most {most} ms.",
                ms = increment,
                most
            ));
        }
        let begin = left.map_or([ms; 2], |left| left.map(|ms| ms.clamp(1, *TIMES.end())));
        Ok(Self { clock, left: vec![begin], at: 0, is_continued: left.is_some(), used: 0, since: None })
    }

    /// Returns the time control.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Returns the time that both sides have left, in milliseconds.
    pub(crate) fn left(&self, turn: usize, now: u64) -> [u64; 2] {
        let mut left = self.left[self.at];
        let running = self.since.map_or(0, |since| now.saturating_sub(since));
        left[turn] = left[turn].saturating_sub(self.used + running);
        left
    }

    /// Returns the time at which the side to move loses on time, if its clock runs.
    pub(crate) fn deadline(&self, turn: usize) -> Option<u64> {
        Some(self.since? + self.left[self.at][turn].saturating_sub(self.used))
    }

    /// Returns `true` if the side to move has run out of time.
    pub(crate) fn is_out(&self, turn: usize, now: u64) -> bool {
        self.deadline(turn).is_some_and(|deadline| now >= deadline)
    }

    /// Returns `true` if the clocks may run: a move has been made, or the game was begun elsewhere.
    pub(crate) fn has_begun(&self) -> bool {
        self.is_continued || self.at > 0
    }

    /// Restarts a running clock.
    pub(crate) fn restart(&mut self, now: u64) {
        self.since = self.since.map(|_| now);
    }

    /// Starts or stops the clock of the side to move.
    pub(crate) fn run(&mut self, on: bool, now: u64) {
        match self.since {
            None if on => self.since = Some(now),
            Some(since) if !on => {
                self.used += now.saturating_sub(since);
                self.since = None;
            }
            _ => (),
        }
    }

    /// Records a move of a side. The caller starts the other side's clock.
    pub(crate) fn moved(&mut self, side: usize, now: u64) {
        let mut left = self.left(side, now);
        match self.clock {
            // The free first move has no increment.
            Clock::Game { increment, .. } => left[side] += if self.has_begun() { increment } else { 0 },
            Clock::Move { ms } => left = [ms; 2],
        }
        self.left.truncate(self.at + 1);
        self.left.push(left);
        self.go(1);
    }

    /// Moves back to an earlier position if `by` is negative, or forward again if it is positive.
    pub(crate) fn go(&mut self, by: isize) {
        self.at = self.at.saturating_add_signed(by).min(self.left.len() - 1);
        (self.used, self.since) = (0, None);
    }

    /// Returns the time that an engine should use for its next move. The result stays the same while the clock runs.
    pub(crate) fn budget(&self, turn: usize) -> Duration {
        let left = Duration::from_millis(self.left[self.at][turn].saturating_sub(self.used));
        match self.clock {
            Clock::Game { increment, .. } => engine::time_for_move(left, Duration::from_millis(increment)),
            // A quarter is reserved for the transfer of the request and the move.
            Clock::Move { .. } => left * 3 / 4,
        }
    }

    /// Returns the clocks as shown on pages.
    pub(crate) fn view(&self, turn: usize, now: u64) -> ClockView {
        let running = self.since.is_some().then_some(turn);
        ClockView { clock: self.clock, left: self.left(turn, now), running, at: now }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clocks(clock: Clock) -> Clocks {
        Clocks::new(clock, None).expect("a clock")
    }

    #[test]
    fn sudden_death_and_increments() {
        let mut clocks = clocks(Clock::Game { ms: 10_000, increment: 2_000 });
        clocks.run(clocks.has_begun(), 0);
        assert_eq!((clocks.left(0, 5_000), clocks.deadline(0)), ([10_000; 2], None), "the first move is free");
        clocks.moved(0, 5_000);
        clocks.run(true, 5_000);
        assert_eq!((clocks.left(1, 8_000), clocks.deadline(1)), ([10_000, 7_000], Some(15_000)));
        clocks.moved(1, 8_000);
        clocks.run(true, 8_000);
        assert_eq!(clocks.left(0, 8_000), [10_000, 9_000]);
        assert!(!clocks.is_out(0, 17_999) && clocks.is_out(0, 18_000));
        assert_eq!(clocks.left(0, 99_000), [0, 9_000]);
    }

    #[test]
    fn a_fixed_time_for_each_move_is_restored_after_it() {
        let mut clocks = clocks(Clock::Move { ms: 3_000 });
        clocks.moved(0, 0);
        clocks.run(true, 0);
        assert_eq!(clocks.left(1, 2_900), [3_000, 100]);
        clocks.moved(1, 2_900);
        assert_eq!(clocks.left(0, 2_900), [3_000; 2]);
        assert_eq!(clocks.budget(0), Duration::from_millis(2_250));
    }

    #[test]
    fn a_stopped_clock_keeps_its_time_and_an_undo_restores_times() {
        let mut clocks = clocks(Clock::Game { ms: 10_000, increment: 0 });
        clocks.moved(0, 0);
        clocks.run(true, 0);
        clocks.run(false, 4_000);
        assert_eq!((clocks.left(1, 60_000), clocks.deadline(1)), ([10_000, 6_000], None));
        clocks.run(true, 60_000);
        let budget = clocks.budget(1);
        assert_eq!(clocks.left(1, 61_000), [10_000, 5_000]);
        assert_eq!(clocks.budget(1), budget, "the budget does not depend on the running time");
        clocks.moved(1, 61_000);
        clocks.run(true, 61_000);
        clocks.go(-1);
        clocks.run(true, 70_000);
        assert_eq!(clocks.left(1, 71_000), [10_000, 9_000], "the times at the start of the position");
        clocks.go(1);
        assert_eq!(clocks.left(0, 80_000), [10_000, 5_000], "the move is replayed");
        clocks.go(-9);
        assert!(!clocks.has_begun());
        clocks.moved(0, 0);
        assert_eq!(clocks.left.len(), 2);
    }

    #[test]
    fn a_game_that_is_continued_has_its_times_and_runs_at_once() {
        let clock = Clock::Game { ms: 60_000, increment: 0 };
        let mut clocks = Clocks::new(clock, Some([0, 7_000])).expect("a clock");
        clocks.run(clocks.has_begun(), 5);
        assert_eq!(clocks.view(1, 10), ClockView { clock, left: [1, 6_995], running: Some(1), at: 10 });
        for (ms, increment) in [(0, 0), (99, 0), (u64::MAX, 0), (1_000, u64::MAX)] {
            assert!(Clocks::new(Clock::Game { ms, increment }, None).is_err());
        }
        assert!(Clocks::new(Clock::Move { ms: 0 }, None).is_err());
    }
}
