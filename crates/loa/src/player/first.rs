//! The first player of Lines of Action. It stays unchanged as an opponent for measuring later players.

use board::Bitboard;
use game::{Position as _, Side};
use search::Policy;

use crate::connect::group_of;
use crate::moves::Move;
use crate::position::Position;

/// Evaluation by concentration and groups, which all strong programs use (Winands, "Informed Search in Complex Games",
/// 2004, chapter 2: concentration and connectedness).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LoaPolicy;

/// Value of reducing a side's average distance to its centre of mass by one square, in hundredths of a piece. Guessed.
const CONCENTRATION: i32 = 120;
/// Value of having one group fewer. Guessed.
const GROUP: i32 = 20;
/// Value of being to move. Guessed.
const TEMPO: i32 = 10;

impl Policy<Position> for LoaPolicy {
    type Accumulator = ();

    /// One slot for each pair of source and target squares.
    const SLOTS: usize = 64 * 64;

    fn evaluate(&self, p: &Position) -> i32 {
        let side = p.side_to_move();
        let view = |side: Side| worth(p.pieces(side));
        view(side) - view(!side) + TEMPO
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.from.index() << 6 | m.to.index()
    }

    /// Ranks moves towards the middle first.
    fn promise(&self, p: &Position, m: Move) -> i32 {
        let middle = p.size() as i32 - 1;
        let off = |square: board::Square| {
            let (file, rank) = (2 * i32::from(square.file()), 2 * i32::from(square.rank()));
            (file - middle).abs().max((rank - middle).abs())
        };
        off(m.from) - off(m.to)
    }
}

pub(super) fn worth(pieces: Bitboard) -> i32 {
    let count = pieces.count() as i32;
    if count == 0 {
        return 0;
    }
    -CONCENTRATION * spread(pieces, count) / (8 * count) - GROUP * groups(pieces)
}

/// Returns the sum of the distances to the centre of mass minus the minimum sum for this number of pieces, in eighths
/// of a king's step.
fn spread(pieces: Bitboard, count: i32) -> i32 {
    let (files, ranks) = pieces
        .into_iter()
        .fold((0, 0), |(files, ranks), square| (files + i32::from(square.file()), ranks + i32::from(square.rank())));
    let (file, rank) = (8 * files / count, 8 * ranks / count);
    let distance = |square: board::Square| {
        (8 * i32::from(square.file()) - file).abs().max((8 * i32::from(square.rank()) - rank).abs())
    };
    let sum: i32 = pieces.into_iter().map(distance).sum();
    // One piece in the middle, eight around it, the rest at distance two.
    let least = 8 * ((count - 1) + (count - 9).max(0));
    (sum - least).max(0)
}

fn groups(mut pieces: Bitboard) -> i32 {
    let mut groups = 0;
    while let Some(square) = pieces.first() {
        pieces &= !group_of(square, pieces);
        groups += 1;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn together_is_better_than_apart() {
        let p: Position = "bb--ww/bb----/------/------/-----w/----ww b".parse().expect("a position");
        assert!(LoaPolicy.evaluate(&p) > 100);
        assert_eq!(groups(p.pieces(Side::First)), 1);
        assert_eq!(groups(p.pieces(Side::Second)), 2);
    }
}
