use game::{Explain, Message, Side, message};
use thiserror::Error;

use crate::geometry::{GEOMETRIES, Geometry};
use crate::spots::Spots;
use crate::squares::{Square, Squares};

/// A position of Jump61. Spots and colours are bit planes, so that a whole wave of a cascade takes a few instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) spots: Spots,
    /// Squares of Red and of Blue.
    pub(crate) sides: [u128; 2],
    size: u8,
    pub(crate) side: Side,
}

/// The content of a square that is not neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pile {
    /// Side that owns the square.
    pub side: Side,
    /// Number of spots.
    pub spots: u8,
}

/// The error of an unsupported board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board size {0}: expected 2 to 10")]
pub struct SizeError(pub usize);

/// The error of a square outside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct OffBoard {
    /// Row, from 1.
    pub row: usize,
    /// Column, from 1.
    pub column: usize,
    /// Board size, in squares per side.
    pub size: usize,
}

impl Explain for OffBoard {
    fn message(&self) -> Message {
        let Self { row, column, size } = self;
        message!("jump61.outside", "no square {row}:{column}: rows and columns go from 1 to {size}", row, column, size)
    }
}

/// The error of an invalid change of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The square is not on this board.
    #[error(transparent)]
    OffBoard(#[from] OffBoard),
    /// The number of spots is zero or too high.
    #[error("{spots} spots on {square}: expected {}at most {neighbours}, its number of neighbours", if *.spots == 0 { "at least 1 and " } else { "" })]
    Spots {
        /// The square.
        square: Square,
        /// Requested number of spots.
        spots: u8,
        /// Maximum number of spots of the square, which is its number of neighbours.
        neighbours: u8,
    },
}

impl Position {
    /// Supported board sizes.
    pub const SIZES: core::ops::RangeInclusive<usize> = 2..=10;

    /// Returns the start position (rule 1).
    ///
    /// # Errors
    /// If the size is not 2 to 10.
    pub fn start(size: usize) -> Result<Self, SizeError> {
        if !Self::SIZES.contains(&size) {
            return Err(SizeError(size));
        }
        let spots = Spots::ones(GEOMETRIES[size].board);
        Ok(Self { spots, sides: [0, 0], size: size as u8, side: Side::First })
    }

    /// Returns the board size, in squares per side.
    #[inline]
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// Returns all squares of this board.
    #[inline]
    pub fn board(&self) -> Squares {
        Squares(self.geometry().board)
    }

    #[inline]
    pub(crate) fn geometry(&self) -> &'static Geometry {
        &GEOMETRIES[self.size as usize]
    }

    /// Returns the squares of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Squares {
        Squares(self.sides[side.index()])
    }

    /// Returns the content of a square; `None` if it is neutral.
    pub fn at(&self, square: Square) -> Option<Pile> {
        let side = Side::BOTH.into_iter().find(|&side| self.pieces(side).has(square))?;
        Some(Pile { side, spots: self.spots(square) })
    }

    /// Returns the number of spots of a square. A neutral square has one spot.
    #[inline]
    pub const fn spots(&self, square: Square) -> u8 {
        self.spots.get(square.index())
    }

    /// Returns the bit planes of the numbers of spots, beginning with the lowest bit.
    #[inline]
    pub(crate) const fn spots_planes(&self) -> &[u128; 4] {
        self.spots.planes()
    }

    /// Returns the total number of spots on the board.
    pub fn total_spots(&self) -> u32 {
        self.spots.total()
    }

    /// Returns the number of neighbours of a square of this board: two to four.
    pub fn neighbours(&self, square: Square) -> u8 {
        self.geometry().neighbours(square)
    }

    /// Returns the squares with as many spots as neighbours. They topple after one more spot.
    #[inline]
    pub fn critical(&self) -> Squares {
        Squares(self.spots.critical(self.geometry()))
    }

    /// Returns the squares with one spot fewer than neighbours. They topple after two more spots.
    #[inline]
    pub fn near_critical(&self) -> Squares {
        Squares(self.spots.near_critical(self.geometry()))
    }

    /// Returns the squares with two neighbours, and the squares with three.
    #[inline]
    pub fn corners_and_edges(&self) -> [Squares; 2] {
        let geometry = self.geometry();
        [Squares(geometry.corners), Squares(geometry.edges)]
    }

    /// Returns the squares with exactly this many spots.
    #[inline]
    pub fn with_spots(&self, spots: u8) -> Squares {
        Squares(self.spots.equal(spots) & self.geometry().board)
    }

    /// Returns the squares with more spots than neighbours. They exist only on a board with a single colour, or after a
    /// change to one square of such a board.
    pub fn overfull(&self) -> Squares {
        Squares(self.spots.overfull(self.geometry()))
    }

    /// Returns the position with a pile of spots on a square, or with the square neutral. The side to move follows from
    /// the new number of spots (rule 5).
    ///
    /// # Errors
    /// If the square is not on this board, or if the pile has no spots or more spots than the square has neighbours.
    pub fn with(&self, square: Square, content: Option<Pile>) -> Result<Self, SetupError> {
        self.find(square)?;
        let neighbours = self.neighbours(square);
        let (spots, side) = match content {
            None => (1, None),
            Some(Pile { side, spots }) if (1..=neighbours).contains(&spots) => (spots, Some(side)),
            Some(Pile { spots, .. }) => return Err(SetupError::Spots { square, spots, neighbours }),
        };
        let mut changed = *self;
        changed.put(square, spots, side);
        changed.set_side_by_spots();
        Ok(changed)
    }

    /// Returns the square in a row and a column, both from 1.
    ///
    /// # Errors
    /// If the board has no such square.
    pub fn square(&self, row: usize, column: usize) -> Result<Square, OffBoard> {
        let inside = 1..=self.size();
        let square = (inside.contains(&row) && inside.contains(&column)).then(|| Square::new(row - 1, column - 1));
        square.flatten().ok_or(OffBoard { row, column, size: self.size() })
    }

    /// Returns the square if it is on this board.
    pub(crate) fn find(&self, square: Square) -> Result<Square, OffBoard> {
        self.square(square.row() + 1, square.column() + 1)
    }

    /// Sets the content of one square. The caller must update the side to move.
    pub(crate) fn put(&mut self, square: Square, spots: u8, side: Option<Side>) {
        self.spots.set(square.index(), spots);
        for owner in Side::BOTH {
            let bit = Squares::of(square).0;
            self.sides[owner.index()] &= !bit;
            if side == Some(owner) {
                self.sides[owner.index()] |= bit;
            }
        }
    }

    /// Sets the side to move by rule 5.
    pub(crate) fn set_side_by_spots(&mut self) {
        let added = self.total_spots() as usize + self.size() * self.size(); // same parity as the difference
        self.side = if added.is_multiple_of(2) { Side::First } else { Side::Second };
    }
}
