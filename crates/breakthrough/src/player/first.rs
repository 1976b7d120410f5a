//! The first player of Breakthrough. It stays unchanged as an opponent for measuring later players.

use game::{Position as _, Side};
use search::Policy;

use crate::moves::Move;
use crate::position::Position;

/// Evaluation by pieces and by the ranks that they have advanced.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BreakthroughPolicy;

/// Value of a piece, in hundredths of a piece.
const PIECE: i32 = 100;
/// Value of each rank that a piece has advanced, in hundredths of a piece. Guessed.
const RANK: i32 = 8;

impl Policy<Position> for BreakthroughPolicy {
    type Accumulator = ();

    /// One slot for each pair of squares, from and to.
    const SLOTS: usize = 64 * 64;

    fn evaluate(&self, p: &Position) -> i32 {
        let us = p.side_to_move();
        worth(p, us) - worth(p, !us)
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.from().index() << 6 | m.to().index()
    }

    /// Ranks captures first.
    fn promise(&self, _: &Position, m: Move) -> i32 {
        i32::from(m.is_capture())
    }
}

pub(super) fn worth(p: &Position, side: Side) -> i32 {
    let last = p.size() as i32 - 1;
    let advanced = |square: board::Square| match side {
        Side::First => i32::from(square.rank()),
        Side::Second => last - i32::from(square.rank()),
    };
    p.pieces(side).into_iter().map(|square| PIECE + RANK * advanced(square)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_more_outweighs_a_rank() {
        let p: Position = "b-b-/----/--w-/w-w- w".parse().expect("a position");
        assert_eq!(BreakthroughPolicy.evaluate(&p), 108);
        assert_eq!(BreakthroughPolicy.evaluate(&p.passed()), -108);
    }
}
