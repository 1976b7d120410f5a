use core::fmt;
use core::str::FromStr;

use board::{Bitboard, Colour, Kind, Men, Seeds, SetupError, SizeError, Square};
use game::{PositionError, Side};

/// A position of Breakthrough: the size, the pieces and the side to move, in 32 bytes. White is the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub(crate) Men<Breakthrough>);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Breakthrough;

impl Kind for Breakthrough {
    const SEEDS: Seeds = Seeds { board: 0xb7_0000, men: 0xb7_1000, turn: 0xb7_2000 };
    const FIRST: Colour = Colour::White;
    const FORM: &'static str = "rows from the top joined by `/`, then the side to move, as in `bbbb/bbbb/wwww/wwww w`";
}

impl Position {
    /// Supported board sizes.
    pub const SIZES: core::ops::RangeInclusive<usize> = Men::<Breakthrough>::SIZES;

    /// Returns the start position (rule 1).
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn start(size: usize) -> Result<Self, SizeError> {
        let mut start = Men::empty(size)?;
        let last = size as u8 - 1;
        for file in 0..=last {
            for (rank, side) in [(0, Side::First), (1, Side::First), (last - 1, Side::Second), (last, Side::Second)] {
                start.toggle(Square::at(8 * rank + file), side);
            }
        }
        Ok(Self(start))
    }

    /// Returns a board without pieces and with White to move.
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

    /// Returns the rank that wins the game for a side (rule 4).
    #[inline]
    pub const fn far_rank(&self, side: Side) -> Bitboard {
        let rank = match side {
            Side::First => 0xff << (8 * (self.size() - 1)),
            Side::Second => 0xff,
        };
        Bitboard(self.board().0 & rank)
    }

    /// Returns the pieces of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.0.pieces(side)
    }

    /// Returns White's and Black's pieces.
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

    /// Returns `true` if the board satisfies rule 4 or rule 5 for a side.
    #[inline]
    pub const fn has_won(&self, side: Side) -> bool {
        self.pieces(side).0 & self.far_rank(side).0 != 0 || self.sides()[1 - side.index()].is_empty()
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
