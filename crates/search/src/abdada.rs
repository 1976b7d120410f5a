//! Moves that other threads are searching. A thread defers these moves, so that the threads do not repeat work.
//!
//! Source: T. Kerrigan, "Simplified ABDADA" (2014), after J.-C. Weill, "The ABDADA distributed minimax search
//! algorithm" (1996).

use core::ops::Range;
use core::sync::atomic::{AtomicU64, Ordering};
use std::collections::VecDeque;

use game::Key;

use crate::params::BUSY_SLOTS;

/// The moves that the threads are searching now, shared by all threads.
pub(crate) struct CurrentlySearching {
    slots: Box<[AtomicU64]>,
}

impl CurrentlySearching {
    pub(crate) fn new() -> Self {
        Self { slots: (0..BUSY_SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the mark of a move, for a search of its position to this depth.
    fn mark(key: Key, code: u16, depth: u32) -> u64 {
        Key::mix(key.0 ^ u64::from(code) << 16 ^ u64::from(depth)).0
    }

    fn slot(&self, mark: u64) -> &AtomicU64 {
        &self.slots[mark as usize % BUSY_SLOTS]
    }

    /// Returns `true` if a thread is searching the move with this mark. A data race only costs time.
    fn has(&self, mark: u64) -> bool {
        self.slot(mark).load(Ordering::Relaxed) == mark
    }

    fn begin(&self, mark: u64) {
        self.slot(mark).store(mark, Ordering::Relaxed);
    }

    fn end(&self, mark: u64) {
        let _ = self.slot(mark).compare_exchange(mark, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}

/// The order in which a node's moves are searched. Moves that another thread is searching are deferred to the end. By
/// then, their values are often in the transposition table.
pub(crate) struct MoveQueue<'a> {
    searching: Option<&'a CurrentlySearching>,
    key: Key,
    depth: u32,
    fresh: Range<usize>,
    deferred: VecDeque<usize>,
}

/// A move that is searched next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QueuedMove {
    /// Index of the move.
    pub(crate) index: usize,
    /// `true` if the move has not been deferred before.
    pub(crate) is_fresh: bool,
}

impl<'a> MoveQueue<'a> {
    /// Creates the queue for a node that has this key, this depth and `moves` moves. Without `searching`, no move is
    /// deferred.
    pub(crate) fn new(searching: Option<&'a CurrentlySearching>, (key, depth): (Key, u32), moves: usize) -> Self {
        Self { searching, key, depth, fresh: 0..moves, deferred: VecDeque::new() }
    }

    /// Returns the next move.
    #[inline]
    pub(crate) fn next_move(&mut self) -> Option<QueuedMove> {
        match self.fresh.next() {
            Some(index) => Some(QueuedMove { index, is_fresh: true }),
            None => self.deferred.pop_front().map(|index| QueuedMove { index, is_fresh: false }),
        }
    }

    /// Replaces the moves that have not been returned yet.
    pub(crate) fn set_fresh(&mut self, moves: Range<usize>) {
        self.fresh = moves;
    }

    /// Marks the move with this code as being searched until the claim is dropped. If another thread is searching the
    /// move, defers it and returns `None`: [`next_move`](Self::next_move) then returns it again after all fresh moves.
    /// The first move is never deferred, and no move is deferred twice.
    #[inline]
    pub(crate) fn claim(&mut self, next: QueuedMove, code: u16) -> Option<Claim<'a>> {
        let Some(searching) = self.searching else { return Some(Claim(None)) };
        let mark = CurrentlySearching::mark(self.key, code, self.depth);
        if next.index > 0 && next.is_fresh && searching.has(mark) {
            self.deferred.push_back(next.index);
            return None;
        }
        searching.begin(mark);
        Some(Claim(Some((searching, mark))))
    }
}

/// A mark on the move that this thread is searching.
pub(crate) struct Claim<'a>(Option<(&'a CurrentlySearching, u64)>);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        if let Some((searching, mark)) = self.0 {
            searching.end(mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_busy_while_it_is_searched() {
        let searching = CurrentlySearching::new();
        let (one, other) = (CurrentlySearching::mark(Key::mix(1), 7, 5), CurrentlySearching::mark(Key::mix(1), 7, 6));
        assert_ne!(one, other, "the same move at another depth is other work");
        searching.begin(one);
        assert!(searching.has(one) && !searching.has(other));
        searching.end(other);
        assert!(searching.has(one), "the end of other work changes nothing");
        searching.end(one);
        assert!(!searching.has(one));
    }

    /// Returns the order in which a thread searches four moves while another thread is searching the moves with these
    /// codes.
    fn order(busy_codes: &[u16]) -> Vec<usize> {
        let searching = CurrentlySearching::new();
        let node = (Key::mix(3), 9);
        for &code in busy_codes {
            searching.begin(CurrentlySearching::mark(node.0, code, node.1));
        }
        let (mut queue, mut order) = (MoveQueue::new(Some(&searching), node, 4), Vec::new());
        while let Some(next) = queue.next_move() {
            if queue.claim(next, 10 + next.index as u16).is_some() {
                order.push(next.index);
            }
        }
        order
    }

    #[test]
    fn busy_moves_come_last_but_for_the_first_move() {
        assert_eq!(order(&[]), [0, 1, 2, 3]);
        assert_eq!(order(&[11, 12]), [0, 3, 1, 2]);
        assert_eq!(order(&[10, 13]), [0, 1, 2, 3]);
    }
}
