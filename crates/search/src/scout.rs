//! A search with helper threads lets the first of them look for a forced win when the side to move is clearly ahead.

use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use game::{PliesLeft, Position};

use crate::control::Stop;
use crate::forced::{ForcedWins, win_lengths};
use crate::params::{CLEARLY_AHEAD, SCOUT_DEPTH};
use crate::policy::Policy;
use crate::score::Score;

/// What a scout looks for.
#[derive(Clone, Copy)]
pub(crate) struct Quest {
    /// The lengths of wins, in plies: above the first number, up to the second one.
    pub(crate) lengths: (u32, u32),
    /// The size of its table.
    pub(crate) table_mib: usize,
}

/// A look for forced wins beside a search.
pub(crate) struct Scout<P: Position> {
    quest: Quest,
    /// Whether the search sees its side clearly ahead.
    is_wanted: AtomicBool,
    /// The principal variation of a win, and its length.
    found: Mutex<Option<(Vec<P::Move>, u32)>>,
    /// Stops the main search.
    done: Stop,
    /// Stops what the helper does when it is wanted for the first time.
    call: Stop,
}

impl<P: Position> Scout<P> {
    pub(crate) fn new(quest: Quest) -> Self {
        Self { quest, is_wanted: AtomicBool::new(false), found: Mutex::new(None), done: Stop::new(), call: Stop::new() }
    }

    /// A stop for the main search: the caller's, and set too when the scout has found a win.
    pub(crate) fn stop(&self, told: &Stop) -> Stop {
        told.or(&self.done)
    }

    /// A stop for the helper's own search: its own, and set too when the main search wants the scout.
    pub(crate) fn call(&self, told: &Stop) -> Stop {
        told.or(&self.call)
    }

    /// The main search tells what it has found so far.
    pub(crate) fn tell(&self, depth: u32, score: Score) {
        let is_ahead = depth >= SCOUT_DEPTH && score >= Score::units(CLEARLY_AHEAD);
        self.is_wanted.store(is_ahead, Ordering::Relaxed);
        if is_ahead {
            self.call.stop();
        }
    }

    /// Looks for a win while it is wanted. Returns whether nothing is left to look for.
    pub(crate) fn look<L: Policy<P>>(&self, policy: &L, p: &P, left: PliesLeft, stop: &Stop) -> bool {
        let is_wanted = || self.is_wanted.load(Ordering::Relaxed) && stop.check(0).is_ok();
        if !is_wanted() {
            return false;
        }
        let (above, most) = self.quest.lengths;
        let mut forced = ForcedWins::new(policy, stop.clone(), self.quest.table_mib);
        for length in win_lengths::<P>(most).filter(|&length| length > above) {
            if !is_wanted() {
                return false;
            }
            if let Ok(Some((m, plies))) = forced.win_of_length(p, length, left) {
                let line = forced.winning_line(p, m, plies, left);
                *self.found.lock().unwrap_or_else(PoisonError::into_inner) = Some((line, plies));
                self.done.stop();
                break;
            }
        }
        true
    }

    /// What it has found.
    pub(crate) fn into_found(self) -> Option<(Vec<P::Move>, u32)> {
        self.found.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::blind::Blind;

    /// White wins in five plies.
    pub(crate) const WIN: &str = "--b--b--/--------/----b---/------b-/----ww--/----bwww/-w-bw---/-------- w";

    #[test]
    fn a_scout_looks_when_its_side_is_ahead_and_stops_the_search() {
        let p: loa::Position = WIN.parse().expect("a position");
        let scout = Scout::new(Quest { lengths: (3, 7), table_mib: 4 });
        let (left, told) = (PliesLeft::UNLIMITED, Stop::new());
        let call = scout.call(&told);
        for (depth, score) in [(SCOUT_DEPTH, CLEARLY_AHEAD - 1), (SCOUT_DEPTH - 1, CLEARLY_AHEAD)] {
            scout.tell(depth, Score::units(score));
            assert!(!scout.look(&Blind, &p, left, &told) && call.check(0).is_ok());
        }
        scout.tell(SCOUT_DEPTH, Score::units(CLEARLY_AHEAD));
        assert!(call.check(0).is_err() && told.check(0).is_ok(), "the helper is called from its own search");
        let search = scout.stop(&told);
        assert!(search.check(0).is_ok());
        assert!(scout.look(&Blind, &p, left, &told));
        assert!(search.check(0).is_err() && told.check(0).is_ok(), "the caller's stop is not touched");
        let (pv, plies) = scout.into_found().expect("a win");
        assert_eq!((pv.len(), plies), (5, 5));
    }

    #[test]
    fn a_stopped_scout_finds_nothing() {
        let p: loa::Position = WIN.parse().expect("a position");
        let scout = Scout::new(Quest { lengths: (3, 7), table_mib: 4 });
        scout.tell(SCOUT_DEPTH, Score::units(CLEARLY_AHEAD));
        let told = Stop::new();
        told.stop();
        assert!(!scout.look(&Blind, &p, PliesLeft::UNLIMITED, &told));
        assert!(scout.into_found().is_none());
    }
}
