use core::fmt;
use core::str::FromStr;

use board::{Bitboard, Colour, Kind, Men, Seeds, SetupError, SizeError, Square};
use game::{PositionError, Side};

/// A position of Lines of Action: the size, the pieces, the side to move and the [`Rules`], in 32 bytes. Black is the
/// first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(pub(crate) Men<Rules>);

/// The rules for a move that connects both sides, and for a side without a legal move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rules {
    /// Rules 4 and 5: the side that has just moved wins, and the side without a move loses.
    #[default]
    Courses,
    /// Rules 4a and 5a: the game is drawn, and the side without a move passes. A position text names these rules by the
    /// word `mso` after the side to move.
    Olympiad,
}

impl Kind for Rules {
    const SEEDS: Seeds = Seeds { board: 0x10a0, men: 0x10a_0000, turn: 0x10a_1000 };
    const FIRST: Colour = Colour::Black;
    const FORM: &'static str = "rows from the top joined by `/`, then the side to move, as in `-bb-/w--w/w--w/-bb- b`";
    const VARIANTS: &'static [(&'static str, Self)] = &[("mso", Self::Olympiad)];
}

impl Position {
    /// Supported board sizes.
    pub const SIZES: core::ops::RangeInclusive<usize> = Men::<Rules>::SIZES;

    /// Returns the start position (rule 1).
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn start(size: usize) -> Result<Self, SizeError> {
        Self::start_with(size, |_| [Side::First, Side::First, Side::Second, Side::Second])
    }

    /// Returns the start position of Scrambled Eggs: the pieces stand on the same squares as at the usual start, and
    /// black and white pieces alternate around the board, beginning with White on a2. SGF files name it
    /// `SU[Scrambled-eggs]`. The squares are those of Richard's `PBeM` server,
    /// <http://www.gamerz.net/pbmserv/loa.html>.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn scrambled_eggs(size: usize) -> Result<Self, SizeError> {
        Self::start_with(size, |i| {
            // Clockwise from a2: up the first file, along the last rank, down the last file, along the first rank.
            let around = |n: usize| if n.is_multiple_of(2) { Side::Second } else { Side::First };
            let (edge, back) = (size - 2, size - 2 - i);
            [around(3 * edge + back), around(edge + i - 1), around(i - 1), around(2 * edge + back)]
        })
    }

    /// Returns a start position with pieces on all squares of the edge except the corners. `sides` maps a number from 1
    /// to the owners of the pieces with this number on the first and the last rank, and on the first and the last file.
    fn start_with(size: usize, sides: impl Fn(usize) -> [Side; 4]) -> Result<Self, SizeError> {
        let mut start = Men::empty(size)?;
        let last = size as u8 - 1;
        for i in 1..last {
            let squares = [(i, 0), (i, last), (0, i), (last, i)];
            for ((file, rank), side) in squares.into_iter().zip(sides(i.into())) {
                start.toggle(Square::at(8 * rank + file), side);
            }
        }
        Ok(Self(start))
    }

    /// Returns the rules for simultaneous connections and for sides without a move.
    #[inline]
    pub const fn rules(&self) -> Rules {
        self.0.variant()
    }

    /// Returns the same position under these rules.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> Self {
        Self(self.0.with_variant(rules))
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

    /// Returns the same board with the other side to move, whether or not the rules allow a pass.
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
