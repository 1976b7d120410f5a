use game::PliesLeft;

use crate::busy::Busy;
use crate::control::Stop;
use crate::technique::{Technique, Techniques};
use crate::transposition::TranspositionTable;
use crate::tuning::Tuning;

/// What a search is about: everything that a worker needs to know but the position.
pub(crate) struct SearchJob<'a, L> {
    pub(crate) policy: &'a L,
    pub(crate) table: &'a TranspositionTable,
    pub(crate) stop: Stop,
    pub(crate) node_limit: u64,
    /// Plies left before the move limit at the root.
    pub(crate) left: PliesLeft,
    /// Largest random change of an evaluation, in hundredths of a piece.
    pub(crate) noise: i32,
    /// Fixes the random changes.
    pub(crate) seed: u64,
    pub(crate) techniques: Techniques,
    pub(crate) tuning: Tuning,
    /// Moves that other threads are searching; `None` if there is one thread only.
    pub(crate) busy: Option<&'a Busy>,
}

impl<L> Clone for SearchJob<'_, L> {
    fn clone(&self) -> Self {
        Self { stop: self.stop.clone(), ..*self }
    }
}

impl<L> SearchJob<'_, L> {
    /// The same job without a node limit, for a helper that ends when it is stopped.
    pub(crate) fn for_helper(&self, stop: &Stop) -> Self {
        Self { stop: stop.clone(), node_limit: u64::MAX, ..*self }
    }

    pub(crate) fn uses(&self, technique: Technique) -> bool {
        self.techniques.has(technique)
    }
}
