use core::ops::ControlFlow;

use game::{Diagram, Key, MoveError, Outcome, Side, Stuck};
use thiserror::Error;

use crate::{Bitboard, Move, Refusal, Square, explain, is_connected, lines, moves, replies};

/// A position of Lines of Action: the size, the pieces and the side to move, 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Black's and White's pieces.
    sides: [Bitboard; 2],
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
        for i in 1..last {
            for (file, rank, side) in
                [(i, 0, Side::First), (i, last, Side::First), (0, i, Side::Second), (last, i, Side::Second)]
            {
                start.toggle(Square::at(8 * rank + file), side);
            }
        }
        Ok(start)
    }

    /// A board without pieces, Black to move.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn empty(size: usize) -> Result<Self, SizeError> {
        if !Self::SIZES.contains(&size) {
            return Err(SizeError(size));
        }
        let sides = [Bitboard::EMPTY; 2];
        Ok(Self { sides, key: Key::mix(0x10a0 + size as u64), size: size as u8, side: Side::First })
    }

    /// The same position with another content of one square: a side's piece or nothing.
    ///
    /// # Errors
    /// If the square is not on this board.
    pub fn with(&self, square: Square, content: Option<Side>) -> Result<Self, SetupError> {
        if !self.board().has(square) {
            return Err(SetupError::OffBoard { square, size: self.size() });
        }
        let mut changed = *self;
        for side in Side::BOTH {
            if changed.pieces(side).has(square) != (content == Some(side)) {
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

    /// The same board with the turn passed. This is not a move of the game, but searches use it.
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

    /// All squares of this board.
    #[inline]
    pub const fn board(&self) -> Bitboard {
        const BOARDS: [Bitboard; 9] = {
            let mut boards = [Bitboard::EMPTY; 9];
            let mut size = 4;
            while size <= 8 {
                boards[size] = Bitboard::board(size);
                size += 1;
            }
            boards
        };
        BOARDS[self.size as usize]
    }

    /// The pieces of one side.
    #[inline]
    pub fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// Black's and White's pieces.
    #[inline]
    pub const fn sides(&self) -> [Bitboard; 2] {
        self.sides
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The side whose piece stands on a square.
    pub fn at(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces(side).has(square))
    }

    /// Puts a piece on an empty square or takes it off: the only writer of pieces, so that the key cannot be forgotten.
    #[inline]
    pub(crate) fn toggle(&mut self, square: Square, side: Side) {
        self.sides[side.index()] ^= Bitboard::of(square);
        self.key ^= PIECE_KEYS[side.index()][square.index()];
    }

    /// The only writer of the side to move.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }
}

static PIECE_KEYS: [[Key; 64]; 2] = {
    let mut keys = [[Key(0); 64]; 2];
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i % 64] = Key::mix(0x10a_0000 + i as u64);
        i += 1;
    }
    keys
};
const WHITE_TO_MOVE: Key = Key::mix(0x10a_1000);

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Loses; // rule 5
    const MAY_LOSE_BY_MOVING: bool = true; // rule 4
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];

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
        let (mover, enemy) = (self.side, !self.side);
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        self.toggle(m.from, mover);
        if self.pieces(enemy).has(m.to) {
            self.toggle(m.to, enemy);
        }
        self.toggle(m.to, mover);
        self.pass_turn();
    }

    /// Rules 3 and 4.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let just_moved = !self.side;
        [just_moved, self.side].into_iter().find(|&side| is_connected(self.pieces(side))).map(Outcome::Win)
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
        Move::from_code(code).filter(|&m| self.is_legal(m))
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        crate::diagram::diagram(self, last)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        let squares = text.split_once('-').and_then(|(from, to)| Some((Square::parse(from)?, Square::parse(to)?)));
        let Some((from, to)) = squares else {
            return Err(MoveError::unreadable(text, "two squares joined by `-`, as in `b1-d3`"));
        };
        self.check(from, to).map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}
