use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::Square;

/// A set of squares. A square's bit has the number [`Square::index`]: `a1` is the lowest bit, and each rank is a byte.
///
/// ```
/// use board::{Bitboard, Square};
///
/// let corner: Bitboard = ["a1", "b1", "a2"].into_iter().filter_map(Square::parse).collect();
/// assert_eq!(corner.count(), 3);
/// assert_eq!(corner & !Bitboard::FILE_A, Bitboard(0b10));
/// let names: Vec<String> = corner.into_iter().map(|square| square.to_string()).collect();
/// assert_eq!(names, ["a1", "b1", "a2"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// The leftmost file of every board.
    pub const FILE_A: Self = Self(0x0101_0101_0101_0101);
    /// The rightmost file of the 8×8 board.
    pub const FILE_H: Self = Self(0x8080_8080_8080_8080);

    /// Returns the squares of an N×N board, which lies in the lower left corner.
    pub const fn board(size: usize) -> Self {
        let mut bits = 0;
        let mut rank = 0;
        while rank < size {
            bits |= ((1_u64 << size) - 1) << (8 * rank);
            rank += 1;
        }
        Self(bits)
    }

    /// Returns the set of a single square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains this square.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the square with the lowest index.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::at(self.0.trailing_zeros() as u8)) }
    }

    /// Returns the square with the `n`-th lowest index, counted from zero.
    #[inline]
    #[must_use]
    pub const fn nth(self, n: usize) -> Option<Square> {
        let (mut left, mut rest) = (n, self.0);
        while left > 0 {
            rest &= rest.wrapping_sub(1);
            left -= 1;
        }
        Self(rest).first()
    }

    /// Returns the set with files and ranks exchanged.
    #[inline]
    #[must_use]
    pub const fn transposed(self) -> Self {
        let mut x = self.0;
        let t = 0x0f0f_0f0f_0000_0000 & (x ^ (x << 28));
        x ^= t ^ (t >> 28);
        let t = 0x3333_0000_3333_0000 & (x ^ (x << 14));
        x ^= t ^ (t >> 14);
        let t = 0x5500_5500_5500_5500 & (x ^ (x << 7));
        Self(x ^ t ^ (t >> 7))
    }

    /// Returns the set and all its neighbours in eight directions. On boards smaller than 8×8 the result may contain
    /// squares outside the board; mask it with the board.
    #[inline]
    #[must_use]
    pub const fn with_neighbours(self) -> Self {
        Self(self.0 | self.neighbours().0)
    }

    /// Returns all squares next to a square of the set, in eight directions. A square of the set itself is included
    /// only if it is next to another square of the set.
    #[inline]
    #[must_use]
    pub const fn neighbours(self) -> Self {
        let beside = (self.0 << 1 & !Self::FILE_A.0) | (self.0 >> 1 & !Self::FILE_H.0);
        let row = self.0 | beside;
        Self(beside | row << 8 | row >> 8)
    }
}

/// An iterator over the squares of a set in order of index.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | Self::of(square))
    }
}

impl BitAnd for Bitboard {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOr for Bitboard {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXor for Bitboard {
    type Output = Self;
    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
