use game::PliesLeft;

use crate::abdada::CurrentlySearching;
use crate::control::Stop;
use crate::technique::{Technique, Techniques};
use crate::transposition::TranspositionTable;
use crate::tuning::Tuning;

/// The parameters of a search: everything that a worker needs except the position.
pub(crate) struct SearchJob<'a, L> {
    pub(crate) policy: &'a L,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: Stop,
    pub(crate) node_limit: u64,
    /// Number of plies before the move limit at the root.
    pub(crate) left: PliesLeft,
    /// Maximum random change to an evaluation, in hundredths of a piece.
    pub(crate) noise: i32,
    /// Seed of the random changes.
    pub(crate) seed: u64,
    pub(crate) techniques: Techniques,
    pub(crate) tuning: Tuning,
    /// Moves that other threads are searching; `None` with a single thread.
    pub(crate) searching: Option<&'a CurrentlySearching>,
}

impl<L> Clone for SearchJob<'_, L> {
    fn clone(&self) -> Self {
        Self { stop: self.stop.clone(), ..*self }
    }
}

impl<L> SearchJob<'_, L> {
    /// Returns the same job without a node limit, for a helper that runs until it is stopped.
    pub(crate) fn for_helper(&self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), node_limit: u64::MAX, ..*self }
    }

    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.techniques.has(technique)
    }
}
