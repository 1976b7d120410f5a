use crate::squares::{STRIDE, Square, Squares};

/// The squares of a board, grouped by their number of neighbours.
pub(crate) struct Geometry {
    pub(crate) board: u128,
    /// Squares with two neighbours.
    pub(crate) corners: u128,
    /// Squares with three neighbours.
    pub(crate) edges: u128,
    /// Squares with four neighbours.
    pub(crate) inner: u128,
}

impl Geometry {
    /// Returns the squares one step away from the squares in `of`, as one set per direction.
    #[inline]
    pub(crate) const fn steps(&self, of: u128) -> [u128; 4] {
        [(of << STRIDE) & self.board, of >> STRIDE, (of << 1) & self.board, (of >> 1) & self.board]
    }

    #[inline]
    pub(crate) const fn neighbours(&self, square: Square) -> u8 {
        2 + Squares(self.edges).has(square) as u8 + 2 * Squares(self.inner).has(square) as u8
    }
}

const fn geometry(size: usize) -> Geometry {
    let mut board = 0;
    let mut row_rim = 0;
    let mut column_rim = 0;
    let mut row = 0;
    while row < size {
        let mut column = 0;
        while column < size {
            let bit = 1 << (STRIDE as usize * row + column);
            board |= bit;
            if row == 0 || row + 1 == size {
                row_rim |= bit;
            }
            if column == 0 || column + 1 == size {
                column_rim |= bit;
            }
            column += 1;
        }
        row += 1;
    }
    Geometry {
        board,
        corners: row_rim & column_rim,
        edges: row_rim ^ column_rim,
        inner: board & !(row_rim | column_rim),
    }
}

/// Geometries by board size, 2 to 10.
pub(crate) static GEOMETRIES: [Geometry; 11] = [
    geometry(0),
    geometry(0),
    geometry(2),
    geometry(3),
    geometry(4),
    geometry(5),
    geometry(6),
    geometry(7),
    geometry(8),
    geometry(9),
    geometry(10),
];

impl Squares {
    /// Returns the squares of the set and their neighbours on a board of this size.
    #[must_use]
    pub fn with_neighbours(self, size: usize) -> Self {
        let [a, b, c, d] = GEOMETRIES[size].steps(self.0);
        Self(self.0 | a | b | c | d)
    }
}
