use core::fmt;
use core::ops::ControlFlow;

use board::{Bitboard, Square};
use game::{Position as _, Side, SplitMix64};

use crate::position::Position;

/// A move of a piece from one square to another, written `a2-a3`, or `b4xa3` for a capture.
///
/// [`Position::check`] creates a move from two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: Square,
    to: Square,
    captures: bool,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from, if self.captures { 'x' } else { '-' }, self.to)
    }
}

impl Move {
    /// Creates the move between two squares of this position, legal or not.
    #[inline]
    pub(crate) fn new(p: &Position, from: Square, to: Square) -> Self {
        Self { from, to, captures: p.pieces(!p.side_to_move()).has(to) }
    }

    /// Returns the source square.
    #[inline]
    pub const fn from(self) -> Square {
        self.from
    }

    /// Returns the target square.
    #[inline]
    pub const fn to(self) -> Square {
        self.to
    }

    /// Returns `true` if the move captures a piece (rule 3).
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.captures
    }

    /// Returns both squares as 12 bits. The squares differ, so no move has code 0.
    pub(crate) const fn code(self) -> u16 {
        (self.to.index() as u16) << 6 | self.from.index() as u16
    }

    pub(crate) fn squares_of_code(code: u16) -> Option<(Square, Square)> {
        (code < 1 << 12).then(|| (Square::at(code as u8 & 63), Square::at((code >> 6) as u8)))
    }
}

/// Shifts every square of a set one rank forward for a side: diagonally to the left, straight, diagonally to the right.
/// On boards smaller than 8×8 the result may contain squares outside the board; mask it with the board.
#[inline]
const fn forward(side: Side, pieces: Bitboard) -> [Bitboard; 3] {
    let (left, right) = (pieces.0 & !Bitboard::FILE_A.0, pieces.0 & !Bitboard::FILE_H.0);
    match side {
        Side::First => [Bitboard(left << 7), Bitboard(pieces.0 << 8), Bitboard(right << 9)],
        Side::Second => [Bitboard(left >> 9), Bitboard(pieces.0 >> 8), Bitboard(right >> 7)],
    }
}

/// Returns the target squares of the given pieces of the side to move (rules 2 and 3), by direction as in [`forward`].
#[inline]
fn targets(p: &Position, pieces: Bitboard) -> [Bitboard; 3] {
    let side = p.side_to_move();
    let not_own = p.board() & !p.pieces(side);
    let [left, straight, right] = forward(side, pieces);
    [left & not_own, straight & not_own & !p.pieces(!side), right & not_own]
}

/// Visits the legal moves: sources in order of their index, targets of a source from left to right.
#[inline]
pub(crate) fn visit<B>(p: &Position, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
    for from in p.pieces(p.side_to_move()) {
        let [left, straight, right] = targets(p, Bitboard::of(from));
        for to in left | straight | right {
            visit(Move::new(p, from, to))?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the number of moves that [`visit`] visits. Pieces of a side that move in the same direction never share a
/// target.
#[inline]
pub(crate) fn count(p: &Position) -> u64 {
    let own = p.pieces(p.side_to_move());
    targets(p, own).into_iter().map(|squares| u64::from(squares.count())).sum()
}

/// Returns a legal move, chosen uniformly at random.
#[inline]
pub(crate) fn random(p: &Position, rng: &mut SplitMix64) -> Option<Move> {
    let side = p.side_to_move();
    let targets = targets(p, p.pieces(side));
    let moves: u32 = targets.iter().map(|squares| squares.count()).sum();
    let mut n = rng.below(moves.max(1) as usize);
    for (direction, squares) in targets.into_iter().enumerate() {
        let count = squares.count() as usize;
        if n < count {
            let to = squares.nth(n)?;
            // A step back is the opponent's step forward, with left and right exchanged.
            let from = forward(!side, Bitboard::of(to))[2 - direction].first()?;
            return Some(Move::new(p, from, to));
        }
        n -= count;
    }
    None
}

impl Position {
    /// Returns the squares that pieces of a side attack: they can capture an opponent's piece on any of them.
    #[inline]
    pub fn attacks(&self, side: Side) -> Bitboard {
        let [left, _, right] = forward(side, self.pieces(side));
        (left | right) & self.board()
    }
}
