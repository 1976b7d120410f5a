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
