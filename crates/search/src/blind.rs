use game::{Position, Side};

use crate::policy::Policy;

/// A policy without knowledge beyond the rules, for exact searches that must not depend on an evaluation.
pub struct Blind;

impl<P: Position> Policy<P> for Blind {
    type Accumulator = ();

    const SLOTS: usize = 1;

    fn evaluate(&self, _: &P) -> i32 {
        0
    }

    fn slot(&self, _: &P, _: P::Move) -> usize {
        0
    }

    /// Estimates from the number of moves alone: the attacker needs one winning move, but must refute every move of its
    /// opponent.
    fn difficulty(&self, p: &P, attacker: Side) -> (u32, u32) {
        let moves = p.count_moves() as u32;
        if p.side_to_move() == attacker { (1, moves) } else { (moves, 1) }
    }
}
