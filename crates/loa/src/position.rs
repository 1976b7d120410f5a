use core::fmt;
use core::ops::ControlFlow;
use core::str::FromStr;

use board::{Bitboard, Colour, Kind, Men, Seeds, SetupError, SizeError, Square};
use game::{Diagram, Key, MoveError, Outcome, PositionError, Side, SplitMix64, Stuck};

use crate::{Move, Refusal, explain, is_connected, lines, moves, replies, threats};

/// A position of Lines of Action: the size, the pieces and the side to move, in 32 bytes. Black is the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position(Men<LinesOfAction>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LinesOfAction {}

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

    /// Returns the position with another content of one square: a side's piece or nothing.
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

    /// Returns the board with the turn passed. This is not a move of the game, but searches use it.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Self {
        Self(self.0.passed())
    }

    /// Returns `true` if the side to move may be able to force a win within this many plies. `false` is certain and
    /// cheap to compute, but the function returns it for at most two plies only.
    #[inline]
    pub fn may_win_within(&self, plies: u32) -> bool {
        threats::may_win_within(self, plies)
    }

    /// Visits the moves that may begin a forced win within `plies` plies, at least two. Moves that win immediately may
    /// be skipped. For two and three plies it visits few moves; for more, all.
    #[inline]
    pub fn visit_attempts(&self, plies: u32, visit: impl FnMut(Move)) {
        threats::visit_attempts(self, plies, visit);
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

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Loses; // rule 5
    const MAY_LOSE_BY_MOVING: bool = true; // rule 4
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.0.side_to_move()
    }

    #[inline]
    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit(self, visit)
    }

    #[inline]
    fn random_move(&self, rng: &mut SplitMix64) -> Option<Move> {
        moves::random(self, rng)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        lines::count(self)
    }

    #[inline]
    fn count_replies(&self) -> u64 {
        replies::count(self)
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        explain::refusal(self, m)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.0.displace(m.from, m.to);
    }

    /// Applies rules 3 and 4.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let just_moved = !self.side_to_move();
        [just_moved, !just_moved].into_iter().find(|&side| is_connected(self.pieces(side))).map(Outcome::Win)
    }

    #[inline]
    fn key(&self) -> Key {
        self.0.key()
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        m.code()
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        Move::from_code(code).filter(|&m| self.is_legal(m))
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        self.0.diagram(last.map(|m| (m.from, m.to)))
    }

    fn same_board(&self, other: &Self) -> bool {
        Side::BOTH.into_iter().all(|side| self.pieces(side) == other.pieces(side))
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        let squares = text.split_once('-').and_then(|(from, to)| Some((Square::parse(from)?, Square::parse(to)?)));
        let Some((from, to)) = squares else {
            return Err(MoveError::unreadable(text, "two squares joined by `-`, as in `b1-d3`"));
        };
        self.check(from, to).map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}
