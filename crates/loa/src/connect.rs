use crate::{Bitboard, Square};

/// Rule 3: whether all pieces of a set form one group of eight-neighbours. One piece is a group; an empty set is not.
#[inline]
pub fn is_connected(pieces: Bitboard) -> bool {
    match pieces.first() {
        None => false,
        Some(seed) => fill(Bitboard::of(seed), pieces) == pieces,
    }
}

/// The group of `pieces` that holds this square: all that can be reached from it over neighbouring pieces.
pub fn group_of(square: Square, pieces: Bitboard) -> Bitboard {
    fill(Bitboard::of(square) & pieces, pieces)
}

/// All that can be reached from `seed` over neighbouring `pieces`; `seed` must be among the pieces.
#[inline]
pub fn fill(seed: Bitboard, pieces: Bitboard) -> Bitboard {
    let mut group = seed;
    loop {
        let grown = group.with_neighbours() & pieces;
        if grown == group {
            return group;
        }
        group = grown;
    }
}

/// The number of groups of a set, and its joints: the squares to which a move of one of its pieces can lead that
/// connects them all. Such a square is next to all groups, or to all but one group of a single piece, which may be the
/// piece that moves. No other square connects them; whether one of these does depends on the move.
#[inline]
pub fn groups_and_joints(pieces: Bitboard) -> (u32, Bitboard) {
    let (mut left, mut groups, mut all, mut all_but_one) = (pieces, 0, u64::MAX, 0);
    while let Some(seed) = left.first() {
        let group = fill(Bitboard::of(seed), left);
        left = Bitboard(left.0 & !group.0);
        let near = group.with_neighbours().0;
        all_but_one &= near;
        if group.count() == 1 {
            all_but_one |= all;
        }
        all &= near;
        groups += 1;
    }
    (groups, Bitboard(all | all_but_one))
}
