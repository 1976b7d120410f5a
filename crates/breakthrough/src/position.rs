use core::ops::ControlFlow;

use game::{Diagram, Key, MoveError, Outcome, Side, Stuck};
use thiserror::Error;

use crate::{Move, Refusal, Square, diagram, moves, text};

/// A position of Breakthrough: the size, the pieces and the side to move, 32 bytes. White is the first side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// White's and Black's pieces, bit [`Square::index`].
    sides: [u64; 2],
    /// Hash of everything else, kept up to date by [`Position::toggle`] and [`Position::pass_turn`] alone.
    key: Key,
    size: u8,
    side: Side,
}

/// A board size that the game is not played on here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board size {0}: expected 4 to 8")]
pub struct SizeError(pub usize);

/// A change of the board that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The square is not on this board.
    #[error("{square} is outside of the {size}x{size} board")]
    OffBoard {
        /// The square.
        square: Square,
        /// Squares a side.
        size: usize,
    },
}

impl Position {
    /// The sizes that the game is played on here.
    pub const SIZES: core::ops::RangeInclusive<usize> = 4..=8;

    /// Rule 1: the start position.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn start(size: usize) -> Result<Self, SizeError> {
        let mut start = Self::empty(size)?;
        let last = size as u8 - 1;
        for file in 0..=last {
            for (rank, side) in [(0, Side::First), (1, Side::First), (last - 1, Side::Second), (last, Side::Second)] {
                start.toggle(Square::at(8 * rank + file), side);
            }
        }
        Ok(start)
    }

    /// A board without pieces, White to move.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn empty(size: usize) -> Result<Self, SizeError> {
        if !Self::SIZES.contains(&size) {
            return Err(SizeError(size));
        }
        Ok(Self { sides: [0; 2], key: Key::mix(0xb7_0000 + size as u64), size: size as u8, side: Side::First })
    }

    /// The same position with another content of one square: a side's piece or nothing.
    ///
    /// # Errors
    /// If the square is not on this board.
    pub fn with(&self, square: Square, content: Option<Side>) -> Result<Self, SetupError> {
        if self.board() & square.bit() == 0 {
            return Err(SetupError::OffBoard { square, size: self.size() });
        }
        let mut changed = *self;
        for side in Side::BOTH {
            if (changed.pieces(side) & square.bit() != 0) != (content == Some(side)) {
                changed.toggle(square, side);
            }
        }
        Ok(changed)
    }

    /// The same board with this side to move.
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        if self.side == side { *self } else { self.passed() }
    }

    /// The same board with the turn passed: no move of the game, but of use to a search.
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = *self;
        passed.pass_turn();
        passed
    }

    /// Squares a side.
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// All squares of this board, bit [`Square::index`].
    #[inline]
    pub const fn board(&self) -> u64 {
        const BOARDS: [u64; 9] = {
            let mut boards = [0; 9];
            let mut size = 4;
            while size <= 8 {
                let mut rank = 0;
                while rank < size {
                    boards[size] |= ((1_u64 << size) - 1) << (8 * rank);
                    rank += 1;
                }
                size += 1;
            }
            boards
        };
        BOARDS[self.size as usize]
    }

    /// The rank that wins the game for a side (rule 4), bit [`Square::index`].
    #[inline]
    pub const fn far_rank(&self, side: Side) -> u64 {
        match side {
            Side::First => self.board() & 0xff << (8 * (self.size - 1)),
            Side::Second => self.board() & 0xff,
        }
    }

    /// The pieces of one side, bit [`Square::index`].
    #[inline]
    pub const fn pieces(&self, side: Side) -> u64 {
        self.sides[side.index()]
    }

    /// White's and Black's pieces, bit [`Square::index`].
    #[inline]
    pub const fn sides(&self) -> [u64; 2] {
        self.sides
    }

    /// The side whose piece stands on a square.
    pub fn at(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces(side) & square.bit() != 0)
    }

    /// Whether the board fulfils rule 4 or rule 5 for a side.
    #[inline]
    pub const fn has_won(&self, side: Side) -> bool {
        self.pieces(side) & self.far_rank(side) != 0 || self.sides[1 - side.index()] == 0
    }

    /// Puts a piece on an empty square or takes it off: the only writer of pieces, so that the key cannot be forgotten.
    #[inline]
    pub(crate) fn toggle(&mut self, square: Square, side: Side) {
        self.sides[side.index()] ^= square.bit();
        self.key ^= PIECE_KEYS[side.index()][square.index()];
    }

    /// The only writer of the side to move.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= BLACK_TO_MOVE;
    }
}

static PIECE_KEYS: [[Key; 64]; 2] = {
    let mut keys = [[Key(0); 64]; 2];
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i % 64] = Key::mix(0xb7_1000 + i as u64);
        i += 1;
    }
    keys
};
const BLACK_TO_MOVE: Key = Key::mix(0xb7_2000);

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Impossible; // rule 6
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["White", "Black"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        moves::visit(self, visit)
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        moves::count(self)
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        match self.check(m.from(), m.to()) {
            Ok(legal) if legal == m => None,
            Ok(legal) if legal.is_capture() => Some(Refusal::Captures(m.to())),
            Ok(_) => Some(Refusal::NothingToCapture(m.to())),
            Err(refusal) => Some(refusal),
        }
    }

    #[inline]
    fn play(&mut self, m: Move) {
        let (mover, enemy) = (self.side, !self.side);
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.toggle(m.from(), mover);
        if m.is_capture() {
            self.toggle(m.to(), enemy);
        }
        self.toggle(m.to(), mover);
        self.pass_turn();
    }

    /// Rules 4 and 5.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        [!self.side, self.side].into_iter().find(|&side| self.has_won(side)).map(Outcome::Win)
    }

    /// Pieces never move backward.
    fn is_irreversible(&self, _: Move) -> bool {
        true
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        m.code()
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        let (from, to) = Move::squares_of_code(code)?;
        self.check(from, to).ok()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        text::parse_move(self, text)
    }

    fn diagram(&self, last: Option<Move>) -> Diagram {
        diagram::diagram(self, last)
    }
}
