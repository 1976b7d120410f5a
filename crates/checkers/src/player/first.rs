//! The first player of the checkers variant. It stays unchanged as an opponent for measuring later players.

use game::{Position as _, Side};
use search::Policy;

use crate::cell::Cell;
use crate::moves::Move;
use crate::position::Position;

/// Evaluation by the course's cost function.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CheckersPolicy;

/// Value of a man, in hundredths of a man.
const MAN: i32 = 100;

impl Policy<Position> for CheckersPolicy {
    type Accumulator = ();

    /// One slot for each pair of cells, from and to.
    const SLOTS: usize = 64 * 64;

    fn evaluate(&self, p: &Position) -> i32 {
        let cost = MAN * p.cost();
        if p.side_to_move() == Side::First { cost } else { -cost }
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        let index = |cell: Cell| 8 * usize::from(cell.row()) + usize::from(cell.column());
        index(m.from()) << 6 | index(m.to())
    }

    /// Ranks jumps first.
    fn promise(&self, _: &Position, m: Move) -> i32 {
        i32::from(m.is_jump())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tower_counts_three_men_for_its_side() {
        let p: Position =
            "......../..B...../......../......../......../......../.w....../........ w".parse().expect("a position");
        assert_eq!(CheckersPolicy.evaluate(&p), -200);
    }
}
