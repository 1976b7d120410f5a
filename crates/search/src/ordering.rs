//! Move ordering.

use core::ops::ControlFlow;

use game::Position;

use crate::params::{HISTORY_BONUS, HISTORY_MOST, HISTORY_SQUARE, MAX_DEPTH, PROMISE_BITS};
use crate::policy::Policy;

/// Sorts stably by keys that are computed once per item. The keys are sorted separately from the items, so that all
/// games share the code for keys of one type.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], key: impl FnMut(&T) -> K) {
    let mut order: Vec<(K, usize)> = items.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    for place in 0..items.len() {
        // The current index of the item. Swaps for earlier places may have moved the item.
        let mut at = order[place].1;
        while at < place {
            at = order[at].1;
        }
        order[place].1 = at;
        items.swap(place, at);
    }
}

/// Move-ordering statistics of a search: killer moves by ply and a history counter for each kind of move.
pub(crate) struct Ordering {
    killers: Vec<[u16; 2]>,
    history: Vec<i32>,
}

/// A move with its code and its rank in the order.
#[derive(Clone, Copy)]
pub(crate) struct Candidate<M> {
    pub(crate) m: M,
    pub(crate) code: u16,
    rank: i32,
}

impl Ordering {
    pub(crate) fn new(slots: usize) -> Self {
        Self { killers: vec![[0; 2]; MAX_DEPTH as usize + 2], history: vec![0; slots] }
    }

    /// Fills `moves` with the legal moves and their ranks; with only the noisy moves if `only_noisy`.
    pub(crate) fn rank<P: Position, L: Policy<P>>(
        &self,
        (policy, p): (&L, &P),
        table_code: u16,
        ply: u32,
        only_noisy: bool,
        moves: &mut Vec<Candidate<P::Move>>,
    ) {
        moves.clear();
        let killers = self.killers[ply as usize];
        let _ = p.visit_moves(|m| {
            if only_noisy && !policy.is_noisy(p, m) {
                return ControlFlow::<()>::Continue(());
            }
            let code = P::pack(m);
            let rank = if code == table_code {
                i32::MAX
            } else if code == killers[0] {
                i32::MAX - 1
            } else if code == killers[1] {
                i32::MAX - 2
            } else {
                (self.history[policy.slot(p, m)] << PROMISE_BITS) + policy.promise(p, m).clamp(-127, 127)
            };
            moves.push(Candidate { m, code, rank });
            ControlFlow::Continue(())
        });
    }

    /// Returns the history counter of a kind of move, −[`HISTORY_MOST`] to [`HISTORY_MOST`].
    pub(crate) fn history(&self, slot: usize) -> i32 {
        self.history[slot]
    }

    /// Increases the history counter of a kind of move that has refuted a position, and makes the move a killer.
    pub(crate) fn reward(&mut self, code: u16, slot: usize, depth: u32, ply: u32) {
        let killers = &mut self.killers[ply as usize];
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
        gravitate(&mut self.history[slot], bonus(depth));
    }

    /// Decreases the history counter of a kind of move that was tried before the refutation.
    pub(crate) fn punish(&mut self, slot: usize, depth: u32) {
        gravitate(&mut self.history[slot], -bonus(depth));
    }
}

fn bonus(depth: u32) -> i32 {
    (depth * depth).min(HISTORY_SQUARE) as i32 * HISTORY_BONUS
}

/// Moves a counter by a bonus that shrinks as the counter nears its limit.
fn gravitate(counter: &mut i32, bonus: i32) {
    *counter += bonus - *counter * bonus.abs() / HISTORY_MOST;
}

/// Moves the highest-ranked move of `moves[index..]` to `index` and returns it. If several moves have this rank, takes
/// the first of them.
#[inline]
pub(crate) fn pick<M: Copy>(moves: &mut [Candidate<M>], index: usize) -> Candidate<M> {
    let (mut best, mut chosen) = (index, moves[index]);
    for (i, &candidate) in moves.iter().enumerate().skip(index + 1) {
        if candidate.rank > chosen.rank {
            (best, chosen) = (i, candidate);
        }
    }
    // This keeps the order of the other moves; a swap would not. In WebAssembly, it is faster than a rotation.
    moves.copy_within(index..best, index + 1);
    moves[index] = chosen;
    chosen
}

#[cfg(test)]
mod tests {
    use game::SplitMix64;

    use super::*;

    #[test]
    fn items_are_sorted_as_the_standard_library_sorts_them() {
        let mut random = SplitMix64::new(1);
        for length in 0..60 {
            let items: Vec<(usize, usize)> = (0..length).map(|number| (random.below(8), number)).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
        }
    }
}
