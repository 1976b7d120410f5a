//! Time management of a search whose time must last for a whole game.
//!
//! As in many chess programs, a search gets less time if the best move stays the same from iteration to iteration. It
//! gets more time if the best move changes or its score falls.

use core::time::Duration;

use crate::control::Limits;
use crate::host::Host;
use crate::params::{PACE_FALL, PACE_FALLEN, PACE_STEADY};
use crate::score::Score;

/// The time management of a search across its iterations.
pub(crate) struct TimeManager<M> {
    began: Duration,
    optimum: Duration,
    /// Strength of the adjustments by [`PACE_STEADY`] and [`PACE_FALLEN`], in percent: 0 always gives the optimum, 100
    /// applies them fully.
    swing: u32,
    last: Option<(M, Score)>,
    /// Number of iterations since the best move changed.
    steady: usize,
}

impl<M: PartialEq> TimeManager<M> {
    /// Creates the time manager of a main search that begins now; `None` without an optimum or a clock. If the chosen
    /// move turns out to lose, the search of the other moves has its own time manager.
    pub(crate) fn new(limits: &Limits, host: Host, swing: u32) -> Option<Self> {
        let (optimum, clock) = (limits.optimum?, host.clock?);
        Some(Self { began: clock(), optimum, swing, last: None, steady: 0 })
    }

    /// Records the result of an iteration. Returns the time on the clock at which the next iteration must end.
    pub(crate) fn end(&mut self, best: M, score: Score) -> Duration {
        let percent = self.percent(&best, score);
        self.last = Some((best, score));
        self.began.saturating_add(self.optimum.saturating_mul(percent) / 100)
    }

    /// Returns the time of the search, in percent of the optimum.
    fn percent(&mut self, best: &M, score: Score) -> u32 {
        let last = self.last.as_ref();
        self.steady = if last.is_some_and(|(last, _)| last == best) { self.steady + 1 } else { 0 };
        let has_fallen = last.is_some_and(|(_, before)| match (before.as_units(), score.as_units()) {
            (Some(before), Some(now)) => before - now >= PACE_FALL,
            (before, _) => before.is_some() && score < Score::DRAW,
        });
        let steady = PACE_STEADY[self.steady.min(PACE_STEADY.len() - 1)];
        let wanted = if has_fallen { steady * PACE_FALLEN / 100 } else { steady };
        (100 * 100 + wanted * self.swing).saturating_sub(100 * self.swing) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Sequential;

    fn now() -> Duration {
        Duration::from_secs(40)
    }

    /// Returns, for each of these results, the time at which the next iteration must end, in percent of the optimum.
    fn ends<const N: usize>(swing: u32, found: [(char, i32); N]) -> [u128; N] {
        let limits = Limits { optimum: Some(Duration::from_millis(100)), ..Limits::default() };
        let mut time_manager =
            TimeManager::new(&limits, Host { clock: Some(now), threads: &Sequential }, swing).expect("a time manager");
        found.map(|(best, score)| time_manager.end(best, Score::units(score)).saturating_sub(now()).as_millis())
    }

    #[test]
    fn a_search_that_changes_its_mind_takes_longer_than_one_that_does_not() {
        let steady = ends(100, [('a', 10); 9]);
        assert!(steady.is_sorted_by(|a, b| a >= b) && steady[8] < 100, "{steady:?}");
        let changing = ends(100, [('a', 10), ('b', 10), ('a', 10)]);
        assert!(changing[2] > 100 && changing[2] > steady[2], "{changing:?}");
        let falling = ends(100, [('a', 10), ('a', 10), ('a', -90)]);
        assert!(falling[2] > steady[2], "{falling:?}");
    }

    #[test]
    fn without_a_swing_every_move_takes_the_same_time() {
        assert_eq!(ends(0, [('a', 10), ('b', 10), ('b', -90), ('b', -90)]), [100; 4]);
    }

    #[test]
    fn without_an_optimum_or_a_clock_there_is_no_time_manager() {
        let limits = Limits { optimum: Some(Duration::from_secs(1)), ..Limits::default() };
        assert!(TimeManager::<char>::new(&limits, Host::NONE, 100).is_none());
        let host = Host { clock: Some(now), threads: &Sequential };
        assert!(TimeManager::<char>::new(&Limits::movetime(Duration::from_secs(1)), host, 100).is_none());
    }
}
