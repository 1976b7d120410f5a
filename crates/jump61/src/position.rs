use core::fmt;
use core::ops::ControlFlow;

use game::{Diagram, Explain, Key, Message, MoveError, Outcome, Side, Stuck, message};
use thiserror::Error;

use crate::geometry::{GEOMETRIES, Geometry};
use crate::spots::Spots;
use crate::{Square, Squares};

/// A position of Jump61. Spots and colours are bit planes, so that a whole wave of a cascade takes a few instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    spots: Spots,
    /// Squares of Red and of Blue.
    sides: [u128; 2],
    size: u8,
    side: Side,
}

/// A move that adds a spot to a square, written `r:c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub Square);

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
    /// Length of a side of the board, in squares.
    pub size: usize,
}

impl Explain for OffBoard {
    fn message(&self) -> Message {
        let Self { row, column, size } = self;
        message!("jump61.outside", "no square {row}:{column}: rows and columns go from 1 to {size}", row, column, size)
    }
}

/// The rule that an illegal move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Refusal {
    /// The square is not on this board.
    #[error(transparent)]
    OffBoard(#[from] OffBoard),
    /// Rule 2: the square belongs to the opponent.
    NotYours {
        /// The square.
        square: Square,
        /// Side that owns the square.
        owner: Side,
    },
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        match self {
            Self::OffBoard(error) => error.message(),
            Self::NotYours { owner, .. } => {
                let owner = Message::name(<Position as game::Position>::side_name(*owner));
                message!("jump61.not_yours", "the square is {owner}'s", owner)
            }
        }
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

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
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

    /// Returns the length of a side of the board, in squares.
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

    /// Returns the squares with one spot less than neighbours. They topple after two more spots.
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
    /// change of one square of such a board.
    pub fn overfull(&self) -> Squares {
        Squares(self.spots.overfull(self.geometry()))
    }

    /// Returns the squares that the side to move would have if it could add a spot to each of these squares at the same
    /// time. This is an upper bound for the result of adding a spot to any one of them.
    #[inline]
    pub fn claimed_by_adding(&self, added: Squares) -> Squares {
        let mut spots = self.spots;
        spots.add_one(added.0);
        Squares(self.cascade(&mut spots, self.sides[self.side.index()] | added.0, &mut |_, _| ()))
    }

    /// Returns the intermediate positions of a legal move, for display: with the spot added, and after each wave of the
    /// cascade. The last one is the position after the move.
    pub fn waves(&self, m: Move) -> Vec<Self> {
        let bit = 1 << m.0.index();
        let (mut spots, own) = (self.spots, self.sides[self.side.index()] | bit);
        spots.add_one(bit);
        let wave = |spots: Spots, own| {
            let mut wave = Self { spots, ..*self };
            wave.sides[self.side.index()] = own;
            wave.sides[(!self.side).index()] &= !own;
            wave
        };
        let mut waves = vec![wave(spots, own)];
        self.cascade(&mut spots, own, &mut |spots, own| waves.push(wave(*spots, own)));
        if let Some(last) = waves.last_mut() {
            last.side = !self.side;
        }
        waves
    }

    /// Topples the overfull squares of the side to move in waves (rule 2), and returns the squares of this side
    /// afterwards. The loop checks for a full board before each wave, because a full board could topple forever. `see`
    /// is called after each wave.
    #[inline]
    fn cascade(&self, spots: &mut Spots, mut own: u128, see: &mut impl FnMut(&Spots, u128)) -> u128 {
        let geometry = self.geometry();
        while own != geometry.board {
            let squares = spots.overfull(geometry) & own;
            if squares == 0 {
                break;
            }
            own |= spots.topple(squares, geometry);
            see(spots, own);
        }
        own
    }

    /// Returns the position with another content of one square: a pile of spots, or neutral. The side to move follows
    /// from the new number of spots (rule 5).
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
    fn find(&self, square: Square) -> Result<Square, OffBoard> {
        self.square(square.row() + 1, square.column() + 1)
    }

    /// Returns the move on a square, if it is legal.
    ///
    /// # Errors
    /// If it is illegal. The error is the rule that the move breaks.
    pub fn check(&self, square: Square) -> Result<Move, Refusal> {
        match self.at(self.find(square)?) {
            Some(Pile { side, .. }) if side != self.side => Err(Refusal::NotYours { square, owner: side }),
            _ => Ok(Move(square)),
        }
    }

    /// Returns the squares to which the side to move may add a spot.
    #[inline]
    fn open(&self) -> Squares {
        self.board() & !self.pieces(!self.side)
    }

    /// Sets the content of one square. The caller must update the side to move.
    pub(crate) fn put(&mut self, square: Square, spots: u8, side: Option<Side>) {
        self.spots.set(square.index(), spots);
        for owner in Side::BOTH {
            let bit = 1 << square.index();
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

impl game::Position for Position {
    type Move = Move;
    type Refusal = Refusal;
    const STUCK: Stuck = Stuck::Impossible; // then the opponent has every square, so the game is decided
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["Red", "Blue"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.open().into_iter().try_for_each(|square| visit(Move(square)))
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        u64::from(self.open().count())
    }

    fn refusal(&self, m: Move) -> Option<Refusal> {
        self.check(m.0).err()
    }

    #[inline]
    fn play(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "invariant: only legal moves are played: {m}\n{self}");
        // Assign the fields one by one: copying the whole position would make this a third slower.
        let side = self.side;
        let bit = 1 << m.0.index();
        let mut spots = self.spots;
        spots.add_one(bit);
        let own = self.cascade(&mut spots, self.sides[side.index()] | bit, &mut |_, _| ());
        self.spots = spots;
        self.sides[side.index()] = own;
        self.sides[(!side).index()] &= !own;
        self.side = !side;
    }

    /// Applies rule 3.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let board = self.geometry().board;
        Side::BOTH.into_iter().find(|side| self.sides[side.index()] == board).map(Outcome::Win)
    }

    /// Computes the key from the planes, which is cheaper than updating it square by square in a cascade.
    #[inline]
    fn key(&self) -> Key {
        let mut sum = u64::from(self.size);
        for (i, plane) in self.spots.planes().iter().chain(&self.sides).enumerate() {
            let [low, high] = KEYS[i];
            let product = u128::from(*plane as u64 ^ low) * u128::from((*plane >> 64) as u64 ^ high);
            sum = sum.rotate_left(11) ^ product as u64 ^ (product >> 64) as u64;
        }
        Key::mix(sum)
    }

    #[inline]
    fn pack(m: Move) -> u16 {
        m.0.index() as u16 + 1
    }

    fn unpack(&self, code: u16) -> Option<Move> {
        let index = u8::try_from(code.checked_sub(1)?).ok().filter(|&index| index < 120)?;
        self.check(Square::at(index)).ok()
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        crate::diagram::diagram(self, last)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError<Refusal>> {
        const FORM: &str = "row and column joined by `:`, as in `2:3`";
        let numbers = text.split_once(':').and_then(|(r, c)| Some((number(r)?, number(c)?)));
        let (row, column) = numbers.ok_or_else(|| MoveError::unreadable(text, FORM))?;
        let checked = self.square(row, column).map_err(Refusal::from).and_then(|square| self.check(square));
        checked.map_err(|reason| MoveError::Illegal { text: text.to_owned(), reason })
    }
}

/// Parses a number of at most two digits. A longer number is not a row of a board.
fn number(text: &str) -> Option<usize> {
    let digits = (1..=2).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

static KEYS: [[u64; 2]; 6] = {
    let mut keys = [[0; 2]; 6];
    let mut i = 0;
    while i < 12 {
        keys[i / 2][i % 2] = Key::mix(0x7061 + i as u64).0;
        i += 1;
    }
    keys
};
