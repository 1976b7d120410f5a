//! Action ids and planes of the checkers variant.

use checkers::{Cell, Direction, Move, Position};
use game::{Position as _, Side};

use super::Encoded;

/// An id is 4 · cell + direction. Dark cells are numbered from 0 along the rows, starting with row 1. Directions are
/// numbered clockwise from the north-east. A piece has at most one step or jump in each direction.
impl Encoded for Position {
    const PLANES: &'static [&'static str] =
        &["Black's men", "Black's towers", "White's men", "White's towers", "empty dark cells"];

    fn action_count(_: usize) -> usize {
        4 * 32
    }

    #[inline]
    fn action(_: &Position, m: Move) -> usize {
        let (from, to) = (m.from(), m.to());
        let (north, east) = (to.row() < from.row(), to.column() > from.column());
        let direction = match (north, east) {
            (true, true) => Direction::NorthEast,
            (false, true) => Direction::SouthEast,
            (false, false) => Direction::SouthWest,
            (true, false) => Direction::NorthWest,
        };
        4 * dark(from) + direction as usize
    }

    #[inline]
    fn find(p: &Position, action: usize) -> Option<Move> {
        let (index, direction) = (action / 4, Direction::ALL[action % 4]);
        let from = (index < 32).then(|| cell(index)).flatten()?;
        let east = matches!(direction, Direction::NorthEast | Direction::SouthEast);
        let away = |by: u8| {
            let row = if direction.is_north() { from.row().checked_sub(by)? } else { from.row() + by };
            let column = if east { from.column() + by } else { from.column().checked_sub(by)? };
            p.check(from, Cell::new(row, column)?).ok()
        };
        away(1).or_else(|| away(2))
    }

    fn observe(p: &Position, planes: &mut [f32]) {
        planes.fill(0.0);
        for index in 0..32 {
            let Some(cell) = cell(index) else { continue };
            let plane = p.at(cell).map_or(4, |piece| 2 * piece.side.index() + usize::from(piece.tower));
            planes[64 * plane + 8 * usize::from(cell.row()) + usize::from(cell.column())] = 1.0;
        }
    }

    fn board_key(p: &Position) -> u64 {
        p.with_turn(Side::First).key().0
    }
}

/// Returns the number of a dark cell.
fn dark(cell: Cell) -> usize {
    cell.dark().expect("invariant: pieces stand on dark cells")
}

/// Returns the dark cell with this number, which must be below 32. Dark cells are B, D, F, H in the first row and A, C,
/// E, G in the second.
fn cell(index: usize) -> Option<Cell> {
    let row = index / 4;
    Cell::new(row as u8, (2 * (index % 4) + (row + 1) % 2) as u8)
}
