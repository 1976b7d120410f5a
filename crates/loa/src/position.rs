use core::fmt;
use core::str::FromStr;

use board::{Bitboard, Colour, Kind, Men, Seeds, SetupError, SizeError, Square};
use game::{PositionError, Side};

/// A position of Lines of Action: the size, the pieces and the side to move, in 32 bytes. Black is the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub(crate) Men<LinesOfAction>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinesOfAction {}

impl Kind for LinesOfAction {
    const SEEDS: Seeds = Seeds { board: 0x10a0, men: 0x10a_0000, turn: 0x10a_1000 };
    const FIRST: Colour = Colour::Black;
    const FORM: &'static str = "rows from the top joined by `/`, then the side to move, as in `-bb-/w--w/w--w/-bb- b`";
}

impl Position {
    /// Supported board sizes.
    pub const SIZES: core::ops::RangeInclusive<usize> = Men::<LinesOfAction>::SIZES;

    /// Returns the start position (rule 1).
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn start(size: usize) -> Result<Self, SizeError> {
        let mut start = Men::empty(size)?;
        let last = size as u8 - 1;
        for i in 1..last {
            for (file, rank, side) in
                [(i, 0, Side::First), (i, last, Side::First), (0, i, Side::Second), (last, i, Side::Second)]
            {
                start.toggle(Square::at(8 * rank + file), side);
            }
        }
        Ok(Self(start))
    }

    /// Returns a board without pieces and with Black to move.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn empty(size: usize) -> Result<Self, SizeError> {
        Men::empty(size).map(Self)
    }

    /// Returns the position with a side's piece on a square, or with the square empty.
    ///
    /// # Errors
    /// If the square is not on this board.
    pub fn with(&self, square: Square, content: Option<Side>) -> Result<Self, SetupError> {
        self.0.with(square, content).map(Self)
    }

    /// Returns the board with this side to move.
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        Self(self.0.with_turn(side))
    }

    /// Returns the same board with the other side to move. The game has no pass, but searches use this function.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Self {
        Self(self.0.passed())
    }

    /// Returns the length of a side of the board, in squares.
    #[inline]
    pub const fn size(&self) -> usize {
        self.0.size()
    }

    /// Returns all squares of this board.
    #[inline]
    pub const fn board(&self) -> Bitboard {
        self.0.board()
    }

    /// Returns the pieces of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.0.pieces(side)
    }

    /// Returns Black's and White's pieces.
    #[inline]
    pub const fn sides(&self) -> [Bitboard; 2] {
        self.0.sides()
    }

    /// Returns the pieces of both sides.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        self.0.occupied()
    }

    /// Returns the side whose piece is on a square; `None` if the square is empty.
    pub fn at(&self, square: Square) -> Option<Side> {
        self.0.at(square)
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        text.parse().map(Self)
    }
}
