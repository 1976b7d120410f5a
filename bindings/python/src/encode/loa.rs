//! Action ids and planes of Lines of Action. On 8×8 they match OpenSpiel's `lines_of_action`.

use game::{Outcome, Position as _, Side};
use loa::{Direction, Move, Position, Rules, Square};

use super::{ActionSpace, Encoded, write_planes};
use crate::encode::symmetry::Symmetry;

/// Returns the number of a square on its own board: N · rank + file.
const fn number(square: Square, size: usize) -> usize {
    size * square.rank() as usize + square.file() as usize
}

/// An id is ((N² · from) + to) · 2, plus one for a capture. Squares are numbered from a1 along the ranks. In a pass,
/// both squares are the same.
impl Encoded for Position {
    const PLANES: &'static [&'static str] = &["Black's pieces", "White's pieces", "empty squares"];
    const PAIRS: &'static [(usize, usize)] = &[(0, 1)];
    type Compact = FromDirection;

    fn action_count(size: usize) -> usize {
        2 * size.pow(4)
    }

    #[inline]
    fn action(p: &Position, m: Move) -> usize {
        let size = p.size();
        let captures = usize::from(p.pieces(!p.side_to_move()).has(m.to));
        if size == 8 {
            // The same formula with constants, because masks call this function dozens of times per ply.
            return 2 * (64 * m.from.index() + m.to.index()) + captures;
        }
        2 * (size * size * number(m.from, size) + number(m.to, size)) + captures
    }

    #[inline]
    fn visit_actions(p: &Position, mut visit: impl FnMut(usize)) {
        if p.rules() == Rules::Olympiad {
            // The only move may be a pass.
            return p.movable().into_iter().for_each(|m| visit(Self::action(p, m)));
        }
        for from in p.pieces(p.side_to_move()) {
            for to in p.targets(from) {
                visit(Self::action(p, Move { from, to }));
            }
        }
    }

    #[inline]
    fn find(p: &Position, action: usize) -> Option<Move> {
        let (size, captures) = (p.size(), action & 1 != 0);
        let squares = size * size;
        let (from, to) = (action / 2 / squares, action / 2 % squares);
        let square = |number: usize| Square::new((number % size) as u8, (number / size) as u8);
        let (from, to) = (square(from).filter(|_| from < squares)?, square(to)?);
        if from == to {
            return p.movable().into_iter().find(|m| m.is_pass() && m.from == from && !captures);
        }
        let (direction, _) = Direction::between(from, to)?;
        let m = p.move_along(from, direction)?;
        (m.to == to && p.pieces(!p.side_to_move()).has(to) == captures).then_some(m)
    }

    fn source(action: usize, size: usize, symmetry: Symmetry) -> usize {
        let (squares, captures) = (size * size, action % 2);
        let (from, to) = (action / 2 / squares, action / 2 % squares);
        2 * (squares * symmetry.square(from) + symmetry.square(to)) + captures
    }

    #[inline]
    fn observe(p: &Position, planes: &mut [f32]) {
        let [black, white] = p.sides();
        let empty = p.board() & !p.occupied();
        write_planes([black.0, white.0, empty.0], p.size(), planes);
    }

    #[inline]
    fn board_key(p: &Position) -> u64 {
        p.with_turn(Side::First).key().0
    }

    /// Checks only the side that has moved, unless it has captured a piece of the other side.
    #[inline]
    fn decided_by(p: &Position, irreversible: bool) -> Option<Outcome> {
        if irreversible {
            p.decided()
        } else {
            loa::is_connected(p.pieces(!p.side_to_move())).then(|| Outcome::Win(!p.side_to_move()))
        }
    }

    /// Returns `true` for captures, because captured pieces do not return.
    #[inline]
    fn bars_recurrence(p: &Self, m: Move) -> bool {
        p.pieces(!p.side_to_move()).has(m.to)
    }
}

/// The action space of 8·N² ids. An id is 8 · (N · rank + file) + direction, where rank and file locate the piece
/// before the move. Directions are numbered clockwise from the north. A pass has the id of a move to the north from its
/// square; a side that may pass has no other move.
pub(crate) struct FromDirection;

impl FromDirection {
    /// Returns the direction of a move; north for a pass.
    #[inline]
    fn direction(m: Move) -> usize {
        /// Directions by the signs of the change in file and in rank; a pass has neither.
        const DIRECTIONS: [[u8; 3]; 3] = [
            [Direction::SouthWest as u8, Direction::West as u8, Direction::NorthWest as u8],
            [Direction::South as u8, Direction::North as u8, Direction::North as u8],
            [Direction::SouthEast as u8, Direction::East as u8, Direction::NorthEast as u8],
        ];
        let sign = |to: u8, from: u8| usize::from(to > from) + 1 - usize::from(to < from);
        usize::from(DIRECTIONS[sign(m.to.file(), m.from.file())][sign(m.to.rank(), m.from.rank())])
    }
}

impl ActionSpace<Position> for FromDirection {
    fn count(size: usize) -> usize {
        8 * size * size
    }

    #[inline]
    fn id(p: &Position, m: Move) -> usize {
        8 * number(m.from, p.size()) + Self::direction(m)
    }

    #[inline]
    fn visit(p: &Position, mut visit: impl FnMut(usize)) {
        if p.rules() == Rules::Olympiad {
            return p.movable().into_iter().for_each(|m| visit(Self::id(p, m)));
        }
        for from in p.pieces(p.side_to_move()) {
            let first = 8 * number(from, p.size());
            // Collecting the directions first takes no branches.
            let has_move = |direction: &Direction| u8::from(p.move_along(from, *direction).is_some());
            let mut directions =
                Direction::ALL.iter().fold(0, |set, direction| set | has_move(direction) << *direction as u8);
            while directions != 0 {
                visit(first + directions.trailing_zeros() as usize);
                directions &= directions - 1;
            }
        }
    }

    #[inline]
    fn find(p: &Position, id: usize) -> Option<Move> {
        let (size, number, direction) = (p.size(), id / 8, Direction::ALL[id % 8]);
        let from = Square::new((number % size) as u8, u8::try_from(number / size).ok()?)?;
        p.move_along(from, direction).or_else(|| {
            let may_pass = p.rules() == Rules::Olympiad && direction == Direction::North;
            p.movable().into_iter().find(|m| may_pass && m.is_pass() && m.from == from)
        })
    }

    fn source(id: usize, size: usize, symmetry: Symmetry) -> usize {
        let (square, (files, ranks)) = (id / 8, Direction::ALL[id % 8].step());
        let step = (i32::from(ranks), i32::from(files));
        let (row, column, up, right) = symmetry.source_of_step(square / size, square % size, step);
        let step = (right as i8, up as i8);
        let direction = Direction::ALL.into_iter().find(|direction| direction.step() == step);
        8 * (size * row + column) + direction.map_or(0, |direction| direction as usize)
    }
}
