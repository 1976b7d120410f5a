use core::ops::{BitAnd, BitOr, Not};

use crate::cell::Cell;

/// A set of dark cells, one bit for each. A cell's bit has the number [`Cell::dark`]: B1 is the lowest bit, and each
/// row is four bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Cells(pub u32);

impl Cells {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns `true` if the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains this cell. A set never contains a light cell.
    #[inline]
    pub const fn has(self, cell: Cell) -> bool {
        match cell.dark() {
            Some(index) => self.0 >> index & 1 != 0,
            None => false,
        }
    }

    /// Returns the number of cells in the set.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the indices of the cells in the set, in order.
    #[inline]
    pub fn indices(self) -> impl Iterator<Item = usize> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let index = (rest != 0).then(|| rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            index
        })
    }
}

/// An iterator over the cells of a set, row by row.
#[derive(Clone, Debug)]
pub struct Iter(u32);

impl Iterator for Iter {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.0 == 0 {
            return None;
        }
        let cell = Cell::of_dark(self.0.trailing_zeros() as usize);
        self.0 &= self.0 - 1;
        Some(cell)
    }
}

impl IntoIterator for Cells {
    type Item = Cell;
    type IntoIter = Iter;

    #[inline]
    fn into_iter(self) -> Iter {
        Iter(self.0)
    }
}

impl BitAnd for Cells {
    type Output = Self;
    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Cells {
    type Output = Self;
    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Not for Cells {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
