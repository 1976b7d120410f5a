//! Races: lower bounds on the length of a win, and pieces that cannot be stopped on the way to the far rank.
//!
//! The patterns follow A. Saffidine, N. Jouandeau and T. Cazenave, "Solving Breakthrough with Race Patterns and
//! Job-Level Proof Number Search" (2011).

use board::{Bitboard, Square};
use game::{Position as _, Side};
use search::Known;

use crate::position::Position;

/// Returns the number of ranks from a square to a side's far rank.
#[inline]
pub(super) fn ranks_to_go(p: &Position, side: Side, square: Square) -> u32 {
    match side {
        Side::First => p.size() as u32 - 1 - u32::from(square.rank()),
        Side::Second => u32::from(square.rank()),
    }
}

/// Returns the number of ranks from a side's foremost piece to its far rank; `None` if it has no piece.
#[inline]
pub(super) fn ranks_left(p: &Position, side: Side) -> Option<u32> {
    let pieces = p.pieces(side).0;
    let rank = match side {
        Side::First => (p.size() as u32 - 1).checked_sub(pieces.checked_ilog2()? / 8)?,
        Side::Second => pieces.trailing_zeros() / 8,
    };
    (pieces != 0).then_some(rank)
}

/// Returns `false` only if the side to move certainly cannot win within this many plies. A win requires bringing a
/// piece to the far rank or capturing every piece, and each move is at most one step towards one of these goals.
#[inline]
pub(super) fn may_win_within(p: &Position, plies: u32) -> bool {
    let enemies = p.pieces(!p.side_to_move()).count();
    ranks_left(p, p.side_to_move()).is_some_and(|ranks| plies + 1 >= 2 * ranks.min(enemies))
}

/// Returns the winner of the race of the foremost pieces, if one of them cannot be stopped and arrives first.
///
/// The number of plies is exact: no other piece can arrive earlier, the other side cannot delay the runner, and
/// capturing every piece would take at least as long.
#[inline]
pub(super) fn known(p: &Position) -> Option<Known> {
    let us = p.side_to_move();
    let (ours, theirs) = (ranks_left(p, us)?, ranks_left(p, !us)?);
    if ours == 0 || theirs == 0 {
        // A user may set up a decided position and continue to play from it.
        return None;
    }
    let count = |side: Side| p.pieces(side).count();
    if ours <= theirs {
        (count(!us) >= ours && runs(p, us, ours)).then(|| Known::Win(2 * ours - 1))
    } else {
        (count(us) >= theirs && runs(p, !us, theirs)).then(|| Known::Loss(2 * theirs))
    }
}

/// Returns `true` if one of a side's pieces that are `ranks` ranks away from the far rank cannot be stopped.
#[inline]
fn runs(p: &Position, side: Side, ranks: u32) -> bool {
    let rank = match side {
        Side::First => p.size() as u32 - 1 - ranks,
        Side::Second => ranks,
    };
    let enemy = upwards(p, side, p.pieces(!side));
    let foremost = upwards(p, side, p.pieces(side) & Bitboard(0xff << (8 * rank)));
    let catchers = &CATCHERS[usize::from(p.side_to_move() != side)];
    foremost.into_iter().any(|square| (catchers[square.index()] & enemy).is_empty())
}

/// Returns a set of squares from the point of view of a side, which moves up the board.
#[inline]
pub(super) fn upwards(p: &Position, side: Side, squares: Bitboard) -> Bitboard {
    match side {
        Side::First => squares,
        Side::Second => Bitboard(squares.0.swap_bytes() >> (8 * (8 - p.size()))),
    }
}

/// For each square of a runner that moves straight up the board: the squares from which an enemy piece can capture or
/// block it. The first table is for a runner that is to move, the second one for an enemy that is to move.
///
/// An enemy piece `r` ranks ahead and `f` files away meets the runner half way. It can change its file by one with each
/// of its moves, including the capture. This gives `f ≤ r / 2`, rounded down if the runner is to move and up if the
/// enemy is.
static CATCHERS: [[Bitboard; 64]; 2] = {
    let mut catchers = [[Bitboard::EMPTY; 64]; 2];
    let mut i = 0;
    while i < 2 * 64 {
        let (enemy_first, square): (usize, usize) = (i / 64, i % 64);
        let mut catcher = square - square % 8 + 8;
        while catcher < 64 {
            let ranks = catcher / 8 - square / 8;
            if 2 * (catcher % 8).abs_diff(square % 8) <= ranks + enemy_first {
                catchers[enemy_first][square].0 |= 1 << catcher;
            }
            catcher += 1;
        }
        i += 1;
    }
    catchers
};
