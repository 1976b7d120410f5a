//! The first player of Jump61. It stays unchanged as an opponent for measuring later players.

use game::{Position as _, Side};
use search::Policy;

use crate::moves::Move;
use crate::position::Position;

use super::bound::may_win_within;

/// Evaluation by squares, and by critical squares that are not next to a critical square of the enemy.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jump61Policy;

/// Value of a square, in hundredths of a square.
const SQUARE: i32 = 100;
/// Value of a critical square that is not next to a critical square of the enemy. Guessed.
const LOADED: i32 = 60;
/// Penalty for a square next to a critical square of the enemy. Guessed.
const EXPOSED: i32 = 25;

impl Policy<Position> for Jump61Policy {
    type Accumulator = ();

    /// One slot for each square.
    const SLOTS: usize = 128;

    fn evaluate(&self, p: &Position) -> i32 {
        let us = p.side_to_move();
        worth(p, us) - worth(p, !us)
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.0.index()
    }

    /// Ranks squares by the number of spots that they still need to topple, the lowest number first.
    #[inline]
    fn promise(&self, p: &Position, m: Move) -> i32 {
        4 + i32::from(p.spots(m.0)) - i32::from(p.neighbours(m.0))
    }

    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        may_win_within(p, plies)
    }
}

fn worth(p: &Position, side: Side) -> i32 {
    let own = p.pieces(side);
    let loaded = p.critical();
    let enemy_loaded = loaded & p.pieces(!side);
    let exposed = own & enemy_loaded.with_neighbours(p.size());
    let safe = own & loaded & !exposed;
    SQUARE * own.count() as i32 + LOADED * safe.count() as i32 - EXPOSED * exposed.count() as i32
}
