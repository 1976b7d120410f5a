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
        let mut add = |m| {
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
        };
        if only_noisy {
            policy.visit_noisy(p, add);
        } else {
            let _ = p.visit_moves(|m| {
                add(m);
                ControlFlow::<()>::Continue(())
            });
        }
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

/// The moves of a node, which are sorted only as far as they are searched.
pub(crate) struct Picker<'m, M> {
    moves: &'m mut [Candidate<M>],
    /// Number of moves that are in their final place.
    sorted: usize,
}

impl<'m, M: Copy> Picker<'m, M> {
    pub(crate) fn new(moves: &'m mut [Candidate<M>]) -> Self {
        Self { moves, sorted: 0 }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the first `index` moves, which have been picked.
    pub(crate) fn before(&self, index: usize) -> &[Candidate<M>] {
        &self.moves[..index]
    }

    /// Returns the move with this index in descending order of ranks.
    #[inline]
    pub(crate) fn pick(&mut self, index: usize) -> Candidate<M> {
        while self.sorted <= index {
            // Two simple loops: the compiler vectorizes the first one.
            let rest = &self.moves[self.sorted..];
            let highest = rest.iter().map(|candidate| candidate.rank).fold(i32::MIN, i32::max);
            let place = rest.iter().position(|candidate| candidate.rank == highest).unwrap_or(0);
            self.moves.swap(self.sorted, self.sorted + place);
            self.sorted += 1;
        }
        self.moves[index]
    }

    /// Removes the moves from `index` on that do not satisfy `keeps`. Returns the number of remaining moves.
    pub(crate) fn retain_from(&mut self, index: usize, keeps: impl Fn(M) -> bool) -> usize {
        let mut end = index;
        for later in index..self.moves.len() {
            if keeps(self.moves[later].m) {
                self.moves.swap(end, later);
                end += 1;
            }
        }
        self.moves = &mut core::mem::take(&mut self.moves)[..end];
        self.sorted = self.sorted.min(index);
        end
    }
}

#[cfg(test)]
mod tests {
    use game::SplitMix64;

    use super::*;

    #[test]
    fn moves_are_picked_in_descending_order_and_only_later_ones_are_removed() {
        let mut random = SplitMix64::new(2);
        for length in 0..40 {
            let candidate = |m: usize| Candidate { m, code: 0, rank: random.below(20) as i32 };
            let mut moves: Vec<_> = (0..length).map(candidate).collect();
            let ranks: Vec<i32> = moves.iter().map(|candidate| candidate.rank).collect();
            let mut sorted = ranks.clone();
            sorted.sort_unstable_by(|a, b| b.cmp(a));
            let (from, ahead) = (length / 3, length / 2);
            let mut picker = Picker::new(&mut moves);
            assert_eq!((0..ahead).map(|index| picker.pick(index).rank).collect::<Vec<_>>(), sorted[..ahead]);
            let first: Vec<usize> = picker.before(from).iter().map(|candidate| candidate.m).collect();
            let is_kept = |m: usize| m % 2 == 1;
            let end = picker.retain_from(from, is_kept);
            assert_eq!(end, picker.len());
            let rest: Vec<usize> = (from..end).map(|index| picker.pick(index).m).collect();
            assert!(rest.is_sorted_by(|&a, &b| ranks[a] >= ranks[b]) && rest.iter().all(|&m| is_kept(m)), "{rest:?}");
            let mut all: Vec<usize> = first.iter().copied().chain(rest).collect();
            all.extend((0..length).filter(|m| !is_kept(*m) && !first.contains(m)));
            all.sort_unstable();
            assert_eq!(all, (0..length).collect::<Vec<_>>(), "no kept move is lost");
        }
    }

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
