use board::{Bitboard, Square};

/// Returns `true` if all pieces of a set form one group of eight-neighbours (rule 3). A single piece is a group; an
/// empty set is not.
#[inline]
pub fn is_connected(pieces: Bitboard) -> bool {
    match pieces.first() {
        None => false,
        Some(seed) => fill(Bitboard::of(seed), pieces) == pieces,
    }
}

/// Returns the group of `pieces` that contains this square: all pieces that can be reached from it through neighbouring
/// pieces.
pub fn group_of(square: Square, pieces: Bitboard) -> Bitboard {
    fill(Bitboard::of(square) & pieces, pieces)
}

/// Returns all pieces that can be reached from `seed` through neighbouring `pieces`; `seed` must be one of the pieces.
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

/// Returns the number of groups of a set, and its joints. A joint is a square next to all groups, or next to all groups
/// except one that is a single piece: that piece may be the one that moves. Every move that connects all pieces ends on
/// a joint, but a move to a joint need not connect them.
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
