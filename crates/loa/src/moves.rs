use core::fmt;
use core::ops::ControlFlow;

use board::{Bitboard, Square};
use game::{Position as _, SplitMix64};

use crate::geometry::{Direction, LINES, RAYS, line, ray};
use crate::position::{Position, Rules};

/// A move of a piece from one square to another, written `a1-c3`; or a pass (rule 5a), written `pass`, with two equal
/// squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Source square.
    pub from: Square,
    /// Target square.
    pub to: Square,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() { f.write_str(PASS) } else { write!(f, "{}-{}", self.from, self.to) }
    }
}

/// Notation of a pass.
pub(crate) const PASS: &str = "pass";

impl Move {
    /// Returns `true` if this is a pass.
    #[inline]
    pub fn is_pass(self) -> bool {
        self.from == self.to
    }

    pub(crate) fn code(self) -> u16 {
        // The bit of a pass makes its code nonzero.
        u16::from(self.is_pass()) << 12 | (self.to.index() as u16) << 6 | self.from.index() as u16
    }

    pub(crate) fn from_code(code: u16) -> Option<Self> {
        let m = Self { from: Square::at(code as u8 & 63), to: Square::at((code >> 6) as u8 & 63) };
        (m.code() == code).then_some(m)
    }
}

/// Index offsets of one step in each [`Direction`].
const OFFSETS: [i32; 8] = [8, 9, 1, -7, -8, -9, -1, 7];

/// The pieces from the point of view of the side to move.
struct Boards {
    own: u64,
    enemy: u64,
    board: u64,
}

impl Boards {
    fn of(p: &Position) -> Self {
        let side = p.side_to_move();
        Self { own: p.pieces(side).0, enemy: p.pieces(!side).0, board: p.board().0 }
    }

    /// Applies rule 2 to one piece and one direction. Returns the index of the target square if the move is legal.
    #[inline]
    fn target(&self, from: usize, direction: usize) -> Option<u8> {
        let distance = ((self.own | self.enemy) & LINES[from][direction & 3]).count_ones() as i32;
        let reach = RAYS[from][direction];
        let to = from as i32 + OFFSETS[direction] * distance;
        // Off the 8×8 board the index wraps to a square that is not on the ray.
        let target = 1_u64 << (to & 63);
        if target & reach & self.board & !self.own == 0 || !(0..64).contains(&to) {
            return None;
        }
        let passed = reach & !RAYS[to as usize][direction] & !target;
        (passed & self.enemy == 0).then_some(to as u8)
    }

    /// Returns the square at which a piece arrives in each direction, whether or not the move is legal. Off the 8×8
    /// board the index wraps to a square that is not on the ray: no line has more than eight pieces.
    #[inline]
    fn destinations(&self, from: usize) -> [u8; 8] {
        let occupied = self.own | self.enemy;
        let distances: [i32; 4] = core::array::from_fn(|i| (occupied & LINES[from][i]).count_ones() as i32);
        core::array::from_fn(|i| (from as i32 + OFFSETS[i] * distances[i & 3]) as u8 & 63)
    }

    /// Like [`target`](Self::target) for all directions: returns the directions of the legal moves as bits, and the
    /// target squares. It has no branches, because the processor could not predict them.
    #[inline]
    fn targets(&self, from: usize) -> (u32, [u8; 8]) {
        let targets = self.destinations(from);
        let is_move = |direction: usize| {
            let (reach, to) = (RAYS[from][direction], targets[direction]);
            let target = 1_u64 << to;
            let passed = reach & !RAYS[usize::from(to)][direction] & !target;
            u32::from(target & reach & self.board & !self.own != 0) & u32::from(passed & self.enemy == 0)
        };
        let directions: [u32; 8] = core::array::from_fn(|i| is_move(i) << i);
        (directions.into_iter().fold(0, |all, bit| all | bit), targets)
    }

    /// Like [`targets`](Self::targets), but only captures count as moves.
    #[inline]
    fn captures(&self, from: usize) -> (u32, [u8; 8]) {
        let targets = self.destinations(from);
        let meets = |i: usize| u32::from(self.enemy & RAYS[from][i] & 1 << targets[i] != 0) << i;
        let met: [u32; 8] = core::array::from_fn(meets);
        let (mut met, mut directions) = (met.into_iter().fold(0, |all, bit| all | bit), 0);
        // Few targets hold an enemy piece, so only these rays are checked.
        while met != 0 {
            let direction = met.trailing_zeros() as usize & 7;
            met &= met - 1;
            let to = usize::from(targets[direction]);
            let passed = RAYS[from][direction] & !RAYS[to][direction] & !(1 << to);
            directions |= u32::from(passed & self.enemy == 0) << direction;
        }
        (directions, targets)
    }

    /// Like [`target`](Self::target), but returns a set of at most one square.
    #[inline]
    fn target_bit(&self, from: usize, direction: usize) -> u64 {
        let distance = ((self.own | self.enemy) & LINES[from][direction & 3]).count_ones() as i32;
        let reach = RAYS[from][direction];
        let to = (from as i32 + OFFSETS[direction] * distance) & 63;
        let target = 1_u64 << to;
        let passed = reach & !RAYS[to as usize][direction] & !target;
        // All ones if no enemy piece is in between.
        let free = u64::from(passed & self.enemy == 0).wrapping_neg();
        target & reach & self.board & !self.own & free
    }

    /// Applies rule 2 backwards: returns the index of the square from which a piece can move to this square in this
    /// direction, if there is one. The target must be on the board and must not hold a piece of the side to move.
    #[inline]
    fn source(&self, to: usize, direction: usize) -> Option<u8> {
        let distance = ((self.own | self.enemy) & LINES[to][direction & 3]).count_ones() as i32;
        let reach = RAYS[to][direction ^ 4];
        let from = to as i32 - OFFSETS[direction] * distance;
        let source = 1_u64 << (from & 63);
        if source & reach & self.own == 0 || !(0..64).contains(&from) {
            return None;
        }
        let passed = reach & !RAYS[from as usize][direction ^ 4] & !source;
        (passed & self.enemy == 0).then_some(from as u8)
    }
}

/// Visits the legal moves: sources in order of their index, directions clockwise from north. A pass is the only move.
#[inline]
pub(crate) fn visit<B>(p: &Position, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
    visit_along(p, |m, _| visit(m))?;
    pass(p).map_or(ControlFlow::Continue(()), visit)
}

/// Returns the pass, if rule 5a applies: the side to move has no other move.
#[inline]
pub(crate) fn pass(p: &Position) -> Option<Move> {
    if p.rules() == Rules::Courses {
        return None;
    }
    let boards = Boards::of(p);
    let is_stuck = Bitboard(boards.own).into_iter().all(|from| boards.targets(from.index()).0 == 0);
    // `Men::displace` from a square to itself changes only the turn, unless an enemy piece stands there. On a board
    // full of enemy pieces there is no other square; such a side cannot pass.
    let square = if is_stuck { Bitboard(boards.board & !boards.enemy).first() } else { None };
    square.map(|square| Move { from: square, to: square })
}

/// Like [`visit`] without the pass, and also gives the visitor the index of the move's line: 0 for the file, 1 for the
/// rising diagonal, 2 for the rank, 3 for the falling diagonal.
#[inline]
pub(crate) fn visit_along<B>(p: &Position, visit: impl FnMut(Move, usize) -> ControlFlow<B>) -> ControlFlow<B> {
    visit_found(p, Boards::targets, visit)
}

/// Visits the moves that `find` returns for each piece of the side to move.
#[inline]
fn visit_found<B>(
    p: &Position,
    find: impl Fn(&Boards, usize) -> (u32, [u8; 8]),
    mut visit: impl FnMut(Move, usize) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let boards = Boards::of(p);
    for from in Bitboard(boards.own) {
        let (mut directions, targets) = find(&boards, from.index());
        while directions != 0 {
            let direction = directions.trailing_zeros() as usize & 7;
            directions &= directions - 1;
            visit(Move { from, to: Square::at(targets[direction]) }, direction & 3)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns a random legal move; all legal moves are equally likely. It draws a piece and a direction until they give a
/// legal move. About a third of the draws succeed, so this is much faster than listing the moves.
#[inline]
pub(crate) fn random(p: &Position, rng: &mut SplitMix64) -> Option<Move> {
    let boards = Boards::of(p);
    let pairs = 8 * boards.own.count_ones() as usize;
    for _ in 0..RANDOM_TRIES {
        let pair = rng.below(pairs.max(1));
        let Some(from) = Bitboard(boards.own).nth(pair / 8) else { break };
        if let Some(to) = boards.target(from.index(), pair % 8) {
            return Some(Move { from, to: Square::at(to) });
        }
    }
    // The side to move has few legal moves or none.
    rng.choose(&p.movable()).copied()
}

/// Maximum number of draws before [`random`] lists the moves. If twelve pieces have only one legal move in total, half
/// of the calls exceed it.
const RANDOM_TRIES: u32 = 64;

impl Position {
    /// Visits the captures in the order of [`visit_moves`](game::Position::visit_moves).
    #[inline]
    pub fn visit_captures(&self, mut visit: impl FnMut(Move)) {
        let _ = visit_found(self, Boards::captures, |m, _| {
            visit(m);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Visits the legal moves that end on one of these squares, without a pass. This is useful if there are few such
    /// squares.
    #[inline]
    pub fn visit_moves_to<B>(
        &self,
        targets: Bitboard,
        mut visit: impl FnMut(Move) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let boards = Boards::of(self);
        for to in Bitboard(targets.0 & boards.board & !boards.own) {
            for direction in 0..8 {
                if let Some(from) = boards.source(to.index(), direction) {
                    visit(Move { from: Square::at(from), to })?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the target squares of the piece on a square; empty if the side to move has no piece there.
    ///
    /// The computation has no branches. Listing the targets of all pieces is therefore faster than
    /// [`visit_moves`](game::Position::visit_moves), which visits the moves in a fixed order.
    #[inline]
    pub fn targets(&self, from: Square) -> Bitboard {
        let boards = Boards::of(self);
        if boards.own >> from.index() & 1 == 0 {
            return Bitboard::EMPTY;
        }
        Bitboard((0..8).fold(0, |targets, direction| targets | boards.target_bit(from.index(), direction)))
    }

    /// Returns the legal move of the piece on a square in a direction, if the side to move has one. Rule 2 allows at
    /// most one.
    #[inline]
    pub fn move_along(&self, from: Square, direction: Direction) -> Option<Move> {
        let boards = Boards::of(self);
        let own = (boards.own >> from.index() & 1).wrapping_neg();
        Bitboard(boards.target_bit(from.index(), direction as usize) & own).first().map(|to| Move { from, to })
    }

    /// Returns the number of pieces of both colours on the line of action through a square. This is the distance that a
    /// piece there must move.
    pub fn line_count(&self, square: Square, direction: Direction) -> u32 {
        (line(square, direction) & self.occupied()).count()
    }

    /// Returns the squares strictly between the two squares of a move.
    pub(crate) fn between(m: Move, direction: Direction) -> Bitboard {
        ray(m.from, direction) & !ray(m.to, direction) & !Bitboard::of(m.to)
    }
}
