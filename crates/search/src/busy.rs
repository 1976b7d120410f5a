//! What threads that search together are at, so that they do not do the same at the same time.

use core::sync::atomic::{AtomicU64, Ordering};

use game::Key;

/// Moves that some thread is searching. A thread leaves such a move to the end, when its value is often in the table.
///
/// Source: T. Kerrigan, "Simplified ABDADA" (2014), after J.-C. Weill, "The ABDADA distributed minimax search algorithm" (1996).
pub(crate) struct Busy {
    slots: Box<[AtomicU64]>,
}

/// Nodes less deep than this are cheaper than looking.
pub(crate) const DEFER_DEPTH: u32 = 5;
const SLOTS: usize = 1 << 15;

impl Busy {
    pub(crate) fn new() -> Self {
        Self { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// A move in a position, searched to a depth.
    pub(crate) fn job(key: Key, code: u16, depth: u32) -> u64 {
        Key::mix(key.0 ^ u64::from(code) << 16 ^ u64::from(depth)).0
    }

    fn slot(&self, job: u64) -> &AtomicU64 {
        &self.slots[job as usize % SLOTS]
    }

    /// Whether somebody is at it. A lost race costs time, nothing else.
    pub(crate) fn is_at(&self, job: u64) -> bool {
        self.slot(job).load(Ordering::Relaxed) == job
    }

    pub(crate) fn begin(&self, job: u64) {
        self.slot(job).store(job, Ordering::Relaxed);
    }

    pub(crate) fn end(&self, job: u64) {
        let _ = self.slot(job).compare_exchange(job, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_seen_while_it_is_done() {
        let busy = Busy::new();
        let (one, other) = (Busy::job(Key::mix(1), 7, 5), Busy::job(Key::mix(1), 7, 6));
        assert_ne!(one, other, "another depth is another job");
        busy.begin(one);
        assert!(busy.is_at(one) && !busy.is_at(other));
        busy.end(other);
        assert!(busy.is_at(one), "nobody ends another's job");
        busy.end(one);
        assert!(!busy.is_at(one));
    }
}
