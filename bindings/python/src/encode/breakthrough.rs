//! Action ids and planes of Breakthrough.

use breakthrough::{Move, Position, Square};
use game::{Position as _, Side};

use super::{Encoded, Standard, write_planes};
use crate::encode::symmetry::Symmetry;

/// An id is 3 · (N · rank + file) + direction, where rank and file locate the piece before the move. The direction is 0
/// for a step towards file a, 1 for straight ahead, and 2 for a step away from file a.
impl Encoded for Position {
    const PLANES: &'static [&'static str] = &["White's pieces", "Black's pieces", "empty squares"];
    const PAIRS: &'static [(usize, usize)] = &[(0, 1)];
    const IS_DIRECTED: bool = true;
    type Compact = Standard;

    fn action_count(size: usize) -> usize {
        3 * size * size
    }

    #[inline]
    fn action(p: &Position, m: Move) -> usize {
        let direction = usize::from(m.to().file() + 1 - m.from().file());
        3 * (p.size() * usize::from(m.from().rank()) + usize::from(m.from().file())) + direction
    }

    #[inline]
    fn find(p: &Position, action: usize) -> Option<Move> {
        let (size, direction) = (p.size(), (action % 3) as u8);
        let (file, rank) = ((action / 3 % size) as u8, u8::try_from(action / 3 / size).ok()?);
        let ahead = if p.side_to_move() == Side::First { rank.checked_add(1)? } else { rank.checked_sub(1)? };
        p.check(Square::new(file, rank)?, Square::new((file + direction).checked_sub(1)?, ahead)?).ok()
    }

    fn source(action: usize, size: usize, symmetry: Symmetry) -> usize {
        let (square, step) = (action / 3, (0, (action % 3) as i32 - 1));
        let (row, column, _, step) = symmetry.source_of_step(square / size, square % size, step);
        3 * (size * row + column) + (step + 1) as usize
    }

    #[inline]
    fn observe(p: &Position, planes: &mut [f32]) {
        let [white, black] = p.sides();
        let empty = p.board() & !p.occupied();
        write_planes([white.0, black.0, empty.0], p.size(), planes);
    }

    fn board_key(p: &Position) -> u64 {
        p.with_turn(Side::First).key().0
    }
}
