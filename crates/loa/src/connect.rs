use board::{Bitboard, Square};

/// Returns `true` if all pieces of a set form one group of eight-neighbours (rule 3). A single piece is a group; an
/// empty set is not.
#[inline]
pub fn is_connected(pieces: Bitboard) -> bool {
    // The test is cheap and settles most positions.
    if euler_number(pieces) > 1 {
        return false;
    }
    match pieces.first() {
        None => false,
        Some(seed) => fill(Bitboard::of(seed), pieces) == pieces,
    }
}

/// Returns the number of groups minus the number of holes in them.
#[inline]
pub(crate) fn euler_number(pieces: Bitboard) -> i32 {
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let here = pieces.0;
    let (east, north) = (here >> 1 & NOT_H, here >> 8);
    let beyond = north >> 1 & NOT_H;
    let (pairs_east, pairs_north, fours) = (here & east, here & north, here & east & north & beyond);
    // Two squares that touch at a corner, with both other squares of their quad empty.
    let corners = (here & beyond & !east & !north) | (east & north & !here & !beyond);
    let count = |squares: u64| squares.count_ones() as i32;
    count(here) - count(pairs_east) - count(pairs_north) - count(corners) + count(fours)
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

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    /// Checks random sets of every density. Dense sets have holes.
    #[test]
    fn the_euler_number_is_the_number_of_groups_minus_that_of_holes() {
        let mut rng = SplitMix64::new(8);
        for round in 0..4_000 {
            let pieces = (0..64).filter(|_| rng.below(20) < round % 20).fold(0, |all, square| all | 1_u64 << square);
            let (groups, _) = groups_and_joints(Bitboard(pieces));
            let euler = euler_number(Bitboard(pieces));
            assert_eq!(euler, groups as i32 - holes(pieces), "{pieces:#x}");
            assert_eq!(is_connected(Bitboard(pieces)), groups == 1, "{pieces:#x}");
        }
    }

    /// Returns the number of regions of empty squares that do not touch the outside. Regions are connected by sides
    /// only, and the outside surrounds the board.
    fn holes(pieces: u64) -> i32 {
        // The board with a margin of one square, as rows of ten squares.
        let is_empty = |at: i32| {
            let (file, rank) = (at % 10 - 1, at / 10 - 1);
            let is_inside = (0..8).contains(&file) && (0..8).contains(&rank);
            !is_inside || pieces >> (8 * rank + file) & 1 == 0
        };
        let mut left: Vec<i32> = (0..100).filter(|&at| is_empty(at)).collect();
        let mut regions = 0;
        while let Some(seed) = left.pop() {
            regions += 1;
            let mut border = vec![seed];
            while let Some(at) = border.pop() {
                let near = |&other: &i32| (at - other).abs() == 10 || (at - other).abs() == 1 && at / 10 == other / 10;
                border.extend(left.extract_if(.., |other| near(other)));
            }
        }
        regions - 1
    }
}
