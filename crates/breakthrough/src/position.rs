use core::ops::ControlFlow;

use game::{Diagram, Key, MoveError, Outcome, Side, Stuck};
use thiserror::Error;

use crate::{Move, Square, diagram, moves, text};

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

/// What a move does on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A piece leaves a square, because it moves or is captured.
    Lifted {
        /// From here.
        square: Square,
        /// Whose piece.
        side: Side,
    },
    /// A piece arrives.
    Placed {
        /// Here.
        square: Square,
        /// Whose piece.
        side: Side,
    },
}

/// A board size that the game is not played on here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board size {0}: expected 4 to 8")]
pub struct SizeError(pub usize);

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

    /// The same position with the content of one square and the side to move changed; `None` for a square outside.
    #[must_use]
    pub fn with(&self, square: Square, content: Option<Side>, side_to_move: Side) -> Option<Self> {
        if self.board() & square.bit() == 0 {
            return None;
        }
        let mut changed = *self;
        for side in Side::BOTH {
            if (changed.pieces(side) & square.bit() != 0) != (content == Some(side)) {
                changed.toggle(square, side);
            }
        }
        if changed.side != side_to_move {
            changed.pass_turn();
        }
        Some(changed)
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

    /// Whose piece stands on a square.
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
    type Event = Event;
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

    #[inline]
    fn play_observed(&mut self, m: Move, see: &mut impl FnMut(Event)) {
        let (mover, enemy) = (self.side, !self.side);
        debug_assert!(self.check(m.from(), m.to()) == Ok(m), "invariant: only legal moves are played: {m}\n{self}");
        self.toggle(m.from(), mover);
        see(Event::Lifted { square: m.from(), side: mover });
        if m.is_capture() {
            self.toggle(m.to(), enemy);
            see(Event::Lifted { square: m.to(), side: enemy });
        }
        self.toggle(m.to(), mover);
        see(Event::Placed { square: m.to(), side: mover });
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

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        text::parse_move(self, text)
    }

    fn diagram(&self, last: Option<Move>) -> Diagram {
        diagram::diagram(self, last)
    }
}
