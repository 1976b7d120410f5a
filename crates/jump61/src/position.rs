use core::fmt;
use core::ops::ControlFlow;

use game::{Diagram, Key, MoveError, Outcome, Side, Stuck};
use thiserror::Error;

use crate::geometry::{GEOMETRIES, Geometry};
use crate::spots::Spots;
use crate::{Square, Squares};

/// A position of Jump61: spots and colours as bit planes, so that a whole wave of a cascade is a few instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    spots: Spots,
    /// Red's and Blue's squares.
    sides: [u128; 2],
    size: u8,
    side: Side,
}

/// A spot is added to a square. Written `r:c`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(pub Square);

/// What a move does on the board, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A spot is added and the square takes the colour.
    Added {
        /// The square.
        square: Square,
        /// Its colour now.
        side: Side,
    },
    /// One wave of the cascade: these squares topple together and their neighbours take the colour.
    Toppled {
        /// The overfull squares.
        squares: Squares,
        /// Their colour.
        side: Side,
    },
}

/// A board size that the game is not played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board size {0}: expected 2 to 10")]
pub struct SizeError(pub usize);

/// A square content that cannot be set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// The square does not exist.
    #[error("no square {row}:{column}: rows and columns go from 1 to {size}")]
    Outside {
        /// Row, from 1.
        row: usize,
        /// Column, from 1.
        column: usize,
        /// Squares a side.
        size: usize,
    },
    /// Too many spots.
    #[error("{spots} spots on {square}: expected at most {neighbours}, its number of neighbours")]
    Spots {
        /// The square.
        square: Square,
        /// Spots that were asked for.
        spots: usize,
        /// The most that it can hold.
        neighbours: u8,
    },
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Position {
    /// The sizes that the game is played on.
    pub const SIZES: core::ops::RangeInclusive<usize> = 2..=10;

    /// Rule 1: the start position.
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

    /// Squares a side.
    #[inline]
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// All squares of this board.
    #[inline]
    pub fn board(&self) -> Squares {
        Squares(self.geometry().board)
    }

    #[inline]
    pub(crate) fn geometry(&self) -> &'static Geometry {
        &GEOMETRIES[self.size as usize]
    }

    /// The squares of one colour.
    #[inline]
    pub const fn squares(&self, side: Side) -> Squares {
        Squares(self.sides[side.index()])
    }

    /// The colour of a square, `None` for a neutral one.
    pub fn colour(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.squares(side).has(square))
    }

    /// The spots of a square.
    #[inline]
    pub const fn spots(&self, square: Square) -> u8 {
        self.spots.get(square.index())
    }

    /// All spots on the board.
    pub fn total_spots(&self) -> u32 {
        self.spots.total()
    }

    /// How many neighbours a square of this board has: two to four.
    pub fn neighbours(&self, square: Square) -> u8 {
        self.geometry().neighbours(square)
    }

    /// Squares with as many spots as neighbours: one more and they topple.
    #[inline]
    pub fn critical(&self) -> Squares {
        Squares(self.spots.critical(self.geometry()))
    }

    /// Squares with one spot less than neighbours: two more and they topple.
    #[inline]
    pub fn near_critical(&self) -> Squares {
        Squares(self.spots.near_critical(self.geometry()))
    }

    /// The squares with two neighbours, and those with three.
    #[inline]
    pub fn corners_and_edges(&self) -> [Squares; 2] {
        let geometry = self.geometry();
        [Squares(geometry.corners), Squares(geometry.edges)]
    }

    /// Squares with more spots than neighbours: only on a board that is all of one colour, or was before a square of it was
    /// set up anew.
    pub fn overfull(&self) -> Squares {
        Squares(self.spots.overfull(self.geometry()))
    }

    /// The squares that the side to move would have if it could add a spot to each of these squares at the same time: an
    /// upper bound for what it gets by adding to any one of them.
    #[inline]
    pub fn claimed_by_adding(&self, added: Squares) -> Squares {
        let mut spots = self.spots;
        spots.add_one(added.0);
        Squares(self.cascade(&mut spots, self.sides[self.side.index()] | added.0, &mut |_| ()))
    }

    /// The positions that a legal move goes through, for those who want to see it: with the spot added, and after each wave
    /// of the cascade; the last is the one after the move.
    pub fn waves(&self, m: Move) -> Vec<Self> {
        let mut waves: Vec<Self> = Vec::new();
        let mut own = self.sides[self.side.index()];
        let (mut spots, geometry) = (self.spots, self.geometry());
        game::Position::play_observed(&mut self.clone(), m, &mut |event| {
            own |= match event {
                Event::Added { square, .. } => {
                    spots.add_one(1 << square.index());
                    1 << square.index()
                }
                Event::Toppled { squares, .. } => spots.topple(squares.0, geometry),
            };
            let mut wave = *self;
            wave.spots = spots;
            wave.sides[self.side.index()] = own;
            wave.sides[(!self.side).index()] &= !own;
            waves.push(wave);
        });
        if let Some(last) = waves.last_mut() {
            last.side = !self.side;
        }
        waves
    }

    /// Rule 2: topples in waves what the side to move has overfull; returns its squares then. The test for the end comes
    /// before each topple, or a full board would never end.
    #[inline]
    fn cascade(&self, spots: &mut Spots, mut own: u128, see: &mut impl FnMut(Event)) -> u128 {
        let geometry = self.geometry();
        while own != geometry.board {
            let squares = spots.overfull(geometry) & own;
            if squares == 0 {
                break;
            }
            own |= spots.topple(squares, geometry);
            see(Event::Toppled { squares: Squares(squares), side: self.side });
        }
        own
    }

    /// The position with another content of one square, given from 1: spots of a colour, or, with no spots, neutral with
    /// one. Rule 5: the side to move is worked out anew.
    ///
    /// # Errors
    /// If the square does not exist or has fewer neighbours than that.
    pub fn with(&self, row: usize, column: usize, spots: usize, side: Side) -> Result<Self, SetError> {
        let square = self.square(row, column)?;
        let neighbours = self.neighbours(square);
        let spots = match u8::try_from(spots) {
            Ok(spots) if spots <= neighbours => spots,
            _ => return Err(SetError::Spots { square, spots, neighbours }),
        };
        let content = if spots == 0 { (1, None) } else { (spots, Some(side)) };
        let mut changed = *self;
        changed.put(square, content.0, content.1);
        changed.side = changed.side_by_spots();
        Ok(changed)
    }

    /// The square in a row and a column, both from 1.
    ///
    /// # Errors
    /// If the board has no such square.
    pub fn square(&self, row: usize, column: usize) -> Result<Square, SetError> {
        let inside = 1..=self.size();
        let square = (inside.contains(&row) && inside.contains(&column)).then(|| Square::new(row - 1, column - 1));
        square.flatten().ok_or(SetError::Outside { row, column, size: self.size() })
    }

    /// Writes one square, leaving the side to move to the caller.
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

    /// Rule 5.
    pub(crate) fn side_by_spots(&self) -> Side {
        let added = self.total_spots() as usize + self.size() * self.size(); // same parity as the difference
        if added.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    pub(crate) fn set_side_by_spots(&mut self) {
        self.side = self.side_by_spots();
    }
}

impl game::Position for Position {
    type Move = Move;
    type Event = Event;
    const STUCK: Stuck = Stuck::Impossible; // a side without a move faces a board of the other colour
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["Red", "Blue"];

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn visit_moves<B>(&self, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let open = self.board() & !self.squares(!self.side);
        open.into_iter().try_for_each(|square| visit(Move(square)))
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        u64::from((self.board() & !self.squares(!self.side)).count())
    }

    #[inline]
    fn play_observed(&mut self, m: Move, see: &mut impl FnMut(Event)) {
        let side = self.side;
        let bit = 1 << m.0.index();
        debug_assert!(
            self.board().0 & !self.sides[(!side).index()] & bit != 0,
            "invariant: only legal moves: {m}\n{self}"
        );
        let mut spots = self.spots;
        spots.add_one(bit);
        see(Event::Added { square: m.0, side });
        let own = self.cascade(&mut spots, self.sides[side.index()] | bit, see);
        self.spots = spots;
        self.sides[side.index()] = own;
        self.sides[(!side).index()] &= !own;
        self.side = !side;
    }

    /// Rule 3.
    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let board = self.geometry().board;
        Side::BOTH.into_iter().find(|side| self.sides[side.index()] == board).map(Outcome::Win)
    }

    /// Computed from the planes, which is cheaper than following a cascade square by square.
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
        let square = Square::at(index);
        (self.board() & !self.squares(!self.side)).has(square).then_some(Move(square))
    }

    fn diagram(&self, last: Option<Self::Move>) -> Diagram {
        crate::diagram::diagram(self, last)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        const FORM: &str = "row and column joined by `:`, as in `2:3`";
        let numbers = text.split_once(':').and_then(|(r, c)| Some((number(r)?, number(c)?)));
        let (row, column) = numbers.ok_or_else(|| MoveError::unreadable(text, FORM))?;
        let illegal = |reason: String| MoveError::Illegal { text: text.to_owned(), reason };
        let square = self.square(row, column).map_err(|e| illegal(e.to_string()))?;
        if self.squares(!self.side).has(square) {
            return Err(illegal(format!("the square is {}'s", Self::side_name(!self.side))));
        }
        Ok(Move(square))
    }
}

/// At most two digits: any longer number is no row of a board.
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
