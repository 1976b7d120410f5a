use core::fmt;

/// One of the 64 cells. `A1` is at the top left. Play is on the dark cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(u8);

impl Cell {
    /// Returns the cell in a row (0 is the top row) and a column (0 is A), both below 8.
    pub const fn new(row: u8, column: u8) -> Option<Self> {
        if row < 8 && column < 8 { Some(Self(8 * row + column)) } else { None }
    }

    /// Returns the dark cell with this index; see [`Cell::dark`].
    pub(crate) const fn of_dark(index: usize) -> Self {
        let row = index / 4;
        // The dark cells are B, D, F, H in the first row and A, C, E, G in the second.
        Self((8 * row + 2 * (index % 4) + (row + 1) % 2) as u8)
    }

    /// Returns the row: 0 for the top row.
    pub const fn row(self) -> u8 {
        self.0 / 8
    }

    /// Returns the column: 0 for column A.
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// Returns the index of a dark cell, 0 to 31 in row-major order; `None` for a light cell.
    pub const fn dark(self) -> Option<usize> {
        if (self.row() + self.column()) % 2 == 1 { Some(self.0 as usize / 2) } else { None }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'A' + self.column()), self.row() + 1)
    }
}

/// A direction of a move, in the order in which the course's program tries them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the names are self-explanatory
pub enum Direction {
    NorthEast,
    SouthEast,
    SouthWest,
    NorthWest,
}

impl Direction {
    /// All four directions, clockwise from the north-east.
    pub const ALL: [Self; 4] = [Self::NorthEast, Self::SouthEast, Self::SouthWest, Self::NorthWest];

    const fn step(self) -> (i8, i8) {
        match self {
            Self::NorthEast => (-1, 1),
            Self::SouthEast => (1, 1),
            Self::SouthWest => (1, -1),
            Self::NorthWest => (-1, -1),
        }
    }

    /// Returns `true` if the direction leads towards row 1.
    pub const fn is_north(self) -> bool {
        matches!(self, Self::NorthEast | Self::NorthWest)
    }
}

/// The dark cells one and two steps away from a dark cell in a direction; [`OUTSIDE`] beyond the edge of the board.
#[derive(Clone, Copy)]
pub(crate) struct Reach {
    pub(crate) step: u8,
    pub(crate) jump: u8,
}

/// Placeholder for no cell.
pub(crate) const OUTSIDE: u8 = 32;

pub(crate) static REACH: [[Reach; 4]; 32] = {
    let mut table = [[Reach { step: OUTSIDE, jump: OUTSIDE }; 4]; 32];
    let mut index = 0;
    while index < 32 {
        let mut d = 0;
        while d < 4 {
            table[index][d] = Reach { step: away(index, d, 1), jump: away(index, d, 2) };
            d += 1;
        }
        index += 1;
    }
    table
};

const fn away(index: usize, direction: usize, steps: i8) -> u8 {
    let cell = Cell::of_dark(index);
    let (rows, columns) = Direction::ALL[direction].step();
    let row = cell.row() as i8 + steps * rows;
    let column = cell.column() as i8 + steps * columns;
    if row < 0 || row > 7 || column < 0 || column > 7 { OUTSIDE } else { (8 * row + column) as u8 / 2 }
}
