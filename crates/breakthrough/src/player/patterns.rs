//! Sums over the neighbourhoods of pieces: the pattern tables of the learned evaluation.
//!
//! The pattern of a piece is the content of five squares: those that it attacks, those from which its own side guards
//! it, and the square straight ahead.

use std::sync::LazyLock;

use board::{Bitboard, Square};
use game::{Position as _, Side};

use crate::position::Position;

/// Number of patterns: a digit in base three for each of the five squares, 1 for an own piece, 2 for an enemy piece.
const PATTERNS: usize = 243;
/// Number of entries of one side: a pattern on each of 64 squares, from the point of view of the pattern's side, which
/// moves up the board.
const ENTRIES: usize = 64 * PATTERNS;

/// Bits of the five squares around a piece, in a set that is rotated so that the piece is on [`CENTRE`].
const AROUND: u32 = 0b101 | 0b111 << 16;
/// Index of the square of a piece in a rotated set.
const CENTRE: u32 = 9;

/// For each square, the bits of [`AROUND`] that are on the board.
static MASKS: [u32; 64] = {
    let mut masks = [AROUND; 64];
    let mut square = 0;
    while square < 64 {
        if square % 8 == 0 {
            masks[square] &= !(1 | 1 << 16);
        }
        if square % 8 == 7 {
            masks[square] &= !(1 << 2 | 1 << 18);
        }
        if square < 8 {
            masks[square] &= !0b101;
        }
        if square >= 56 {
            masks[square] &= !(0b111 << 16);
        }
        square += 1;
    }
    masks
};

/// Values of the digits of a pattern by the bits that remain of [`AROUND`] after the upper three are shifted by 13.
static DIGITS: [u8; 64] = {
    let values = [1, 0, 3, 9, 27, 81];
    let mut digits = [0; 64];
    let mut bits = 0;
    while bits < 64 {
        let mut bit = 0;
        while bit < 6 {
            if bits >> bit & 1 != 0 {
                digits[bits] += values[bit];
            }
            bit += 1;
        }
        bits += 1;
    }
    digits
};

/// A table of values for each pattern on each square, once for the side to move and once for its opponent. Mirror
/// images with left and right exchanged have the same value.
pub(super) struct PatternTable {
    /// Values for the side to move and for its opponent, by square and pattern. The patterns are padded.
    values: Box<[[[i16; 2]; 256]; 64]>,
}

impl PatternTable {
    /// Number of entries: those of the side to move, then those of its opponent.
    pub(super) const ENTRIES: usize = 2 * ENTRIES;

    /// Returns the canonical entry of each pair of mirror images, in ascending order.
    pub(super) fn canonical() -> impl Iterator<Item = usize> {
        CANONICAL.iter().enumerate().filter(|&(entry, &first)| entry == usize::from(first)).map(|(entry, _)| entry)
    }

    /// Creates a table with the value of each canonical entry, in order; `None` if there are too few or too many.
    pub(super) fn new(canonical: &[i16]) -> Option<Self> {
        let mut values: Box<[[[i16; 2]; 256]; 64]> =
            vec![[[0; 2]; 256]; 64].into_boxed_slice().try_into().expect("invariant: there are 64 squares");
        let places: Vec<usize> = Self::canonical().collect();
        if canonical.len() != places.len() {
            return None;
        }
        for (entry, &first) in CANONICAL.iter().enumerate() {
            let place = places.binary_search(&usize::from(first)).ok()?;
            let (whose, of_side) = (entry / ENTRIES, entry % ENTRIES);
            values[of_side / PATTERNS][of_side % PATTERNS][whose] = canonical[place];
        }
        Some(Self { values })
    }

    /// Returns the canonical entries of a position's pieces.
    pub(super) fn of(p: &Position) -> impl Iterator<Item = u16> {
        let (us, pieces) = (p.side_to_move(), p.sides());
        [us, !us].into_iter().enumerate().flat_map(move |(whose, side)| {
            let [own, enemy] = seen_by(side, pieces);
            let entry = move |square: Square| ENTRIES * whose + PATTERNS * square.index() + pattern(own, enemy, square);
            own.into_iter().map(move |square| CANONICAL[entry(square)])
        })
    }

    /// Returns the sums of the values of some of a side's pieces, if the side is to move and if its opponent is. The
    /// sets are from the point of view of the side.
    #[inline]
    pub(super) fn sums(&self, own: Bitboard, enemy: Bitboard, some: Bitboard) -> [i32; 2] {
        let mut sums = [0; 2];
        for square in some {
            let values = self.values[square.index()][pattern(own, enemy, square) & 255];
            sums[0] += i32::from(values[0]);
            sums[1] += i32::from(values[1]);
        }
        sums
    }
}

/// Returns a set's squares, and the squares whose patterns contain one of them.
#[inline]
pub(super) fn with_patterns_of(squares: Bitboard) -> Bitboard {
    let all = squares.0;
    let (not_a, not_h) = (all & !Bitboard::FILE_A.0, all & !Bitboard::FILE_H.0);
    Bitboard(all | all >> 8 | not_a >> 9 | not_h >> 7 | not_a << 7 | not_h << 9)
}

/// Returns the sets of the pieces of a side and of its opponent, from the point of view of the side.
#[inline]
pub(super) fn seen_by(side: Side, pieces: [Bitboard; 2]) -> [Bitboard; 2] {
    let turn = |set: Bitboard| if side == Side::First { set } else { Bitboard(set.0.swap_bytes()) };
    [turn(pieces[side.index()]), turn(pieces[(!side).index()])]
}

/// Returns the pattern of a piece.
#[inline]
fn pattern(own: Bitboard, enemy: Bitboard, square: Square) -> usize {
    let digits = |set: Bitboard| {
        let around =
            set.0.rotate_right((square.index() as u32).wrapping_sub(CENTRE) & 63) as u32 & MASKS[square.index()];
        usize::from(DIGITS[(around | around >> 13) as usize & 63])
    };
    digits(own) + 2 * digits(enemy)
}

/// Canonical entry of each entry: the smaller one of an entry and its mirror image.
static CANONICAL: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mirrored = |entry: usize| {
        let (first, square, pattern) = (entry / ENTRIES * ENTRIES, entry / PATTERNS % 64, entry % PATTERNS);
        let digit = |place: usize| pattern / 3_usize.pow(place as u32) % 3;
        let [back_left, back_right, left, ahead, right] = [0, 1, 2, 3, 4].map(digit);
        let pattern = back_right + 3 * back_left + 9 * right + 27 * ahead + 81 * left;
        first + PATTERNS * (square ^ 7) + pattern
    };
    (0..PatternTable::ENTRIES).map(|entry| entry.min(mirrored(entry)) as u16).collect()
});
