//! Action ids and planes of Lines of Action. On 8×8 they match OpenSpiel's `lines_of_action`.

use game::{Outcome, Position as _, Side};
use loa::{Direction, Move, Position, Rules, Square};

use super::{Encoded, write_planes};

/// Returns the number of a square on its own board: N · rank + file.
const fn number(square: Square, size: usize) -> usize {
    size * square.rank() as usize + square.file() as usize
}

/// An id is ((N² · from) + to) · 2, plus one for a capture. Squares are numbered from a1 along the ranks. In a pass,
/// both squares are the same.
impl Encoded for Position {
    const PLANES: &'static [&'static str] = &["Black's pieces", "White's pieces", "empty squares"];

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
