//! Symmetries of square boards, and their effect on action ids.

/// A symmetry of a board, numbered as the images of [`game::fold`]: bit 0 exchanges left and right, bit 1 top and
/// bottom, bit 2 rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    image: usize,
    size: i32,
}

impl Symmetry {
    /// Number of the rotation by 180 degrees.
    pub(crate) const HALF_TURN: usize = 3;

    /// Creates the symmetry with this number on a board of this size.
    pub(crate) const fn new(image: usize, size: usize) -> Self {
        Self { image, size: size as i32 }
    }

    /// Returns the square that the symmetry moves to this row and column.
    pub(crate) const fn source(self, row: usize, column: usize) -> (usize, usize) {
        let (row, column, _, _) = self.source_of_step(row, column, (0, 0));
        (row, column)
    }

    /// Returns the square and the step, in rows and columns, that the symmetry moves to this square and step.
    pub(crate) const fn source_of_step(self, row: usize, column: usize, step: (i32, i32)) -> (usize, usize, i32, i32) {
        let (mut row, mut column, mut down, mut right) = (row as i32, column as i32, step.0, step.1);
        if self.image & 1 != 0 {
            (column, right) = (self.size - 1 - column, -right);
        }
        if self.image & 2 != 0 {
            (row, down) = (self.size - 1 - row, -down);
        }
        if self.image & 4 != 0 {
            (row, column, down, right) = (column, row, right, down);
        }
        (row as usize, column as usize, down, right)
    }

    /// Returns the number of the square that the symmetry moves to the square with this number: size · row + column.
    pub(crate) const fn square(self, number: usize) -> usize {
        let size = self.size as usize;
        let (row, column) = self.source(number / size, number % size);
        size * row + column
    }
}
