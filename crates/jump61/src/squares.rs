use core::fmt;
use core::ops::{BitAnd, BitOr, Not};

/// Indices per row. It exceeds the width of every board, so that a step across the left or right edge leads to an index
/// without a square.
pub(crate) const STRIDE: u8 = 12;

/// Returns one bit of a plane. Shifting a half is faster than shifting the plane: WebAssembly has no integers of 128
/// bits, and calls a function to shift one by a variable.
#[inline]
pub(crate) const fn bit_at(plane: u128, index: usize) -> u64 {
    let half = if index < 64 { plane } else { plane >> 64 };
    half as u64 >> (index % 64) & 1
}

/// Returns the plane with one bit. Like [`bit_at`], it shifts a half.
#[inline]
pub(crate) const fn plane_with(index: usize) -> u128 {
    let half = 1_u64 << (index % 64);
    if index < 64 { half as u128 } else { (half as u128) << 64 }
}

/// A square. Index = 12 · row + column, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// Returns the square in a row and a column, both from 0 to 9.
    pub const fn new(row: usize, column: usize) -> Option<Self> {
        if row < 10 && column < 10 { Some(Self(STRIDE * row as u8 + column as u8)) } else { None }
    }

    pub(crate) const fn at(index: u8) -> Self {
        Self(index)
    }

    /// Returns the index: 0 for the top left corner, always below 120.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the row: 0 for the top row.
    pub const fn row(self) -> usize {
        (self.0 / STRIDE) as usize
    }

    /// Returns the column: 0 for the leftmost column.
    pub const fn column(self) -> usize {
        (self.0 % STRIDE) as usize
    }
}

/// Writes `r:c`, both from 1.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.row() + 1, self.column() + 1)
    }
}

/// A set of squares, with one bit per square. [`Square::index`] is the position of the square's bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Squares(pub u128);

impl Squares {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of a single square.
    #[inline]
    pub const fn of(square: Square) -> Self {
        Self(plane_with(square.index()))
    }

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains this square.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        bit_at(self.0, square.index()) != 0
    }

    /// Returns the number of squares in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }
}

impl BitAnd for Squares {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Squares {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// An iterator over the squares of a set, row by row.
#[derive(Clone, Debug)]
pub struct Iter {
    /// Iterating over two words is faster than over one word of twice the size.
    low: u64,
    high: u64,
}

impl Iterator for Iter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let square = Square(self.low.trailing_zeros() as u8);
            self.low &= self.low - 1;
            return Some(square);
        }
        if self.high != 0 {
            let square = Square(64 + self.high.trailing_zeros() as u8);
            self.high &= self.high - 1;
            return Some(square);
        }
        None
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        Iter { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}
