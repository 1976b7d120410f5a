//! Action ids and planes of the checkers variant.

use checkers::{Cell, Direction, Move, Position};
use game::{Position as _, Side};

use super::{Encoded, Standard};
use crate::encode::symmetry::Symmetry;

/// An id is 4 · cell + direction. Dark cells are numbered from 0 along the rows, starting with row 1. Directions are
/// numbered clockwise from the north-east. A piece has at most one step or jump in each direction.
impl Encoded for Position {
    const PLANES: &'static [&'static str] =
        &["Black's men", "Black's towers", "White's men", "White's towers", "empty dark cells"];
    const PAIRS: &'static [(usize, usize)] = &[(0, 2), (1, 3)];
    const IS_DIRECTED: bool = true;
    type Compact = Standard;

    fn action_count(_: usize) -> usize {
        4 * 32
    }

    #[inline]
    fn action(_: &Position, m: Move) -> usize {
        let (from, to) = (m.from(), m.to());
        4 * dark(from) + direction(to.row() < from.row(), to.column() > from.column()) as usize
    }

    #[inline]
    fn find(p: &Position, action: usize) -> Option<Move> {
        let (index, towards) = (action / 4, Direction::ALL[action % 4]);
        let from = (index < 32).then(|| cell(index)).flatten()?;
        let east = matches!(towards, Direction::NorthEast | Direction::SouthEast);
        let away = |by: u8| {
            let row = if towards.is_north() { from.row().checked_sub(by)? } else { from.row() + by };
            let column = if east { from.column() + by } else { from.column().checked_sub(by)? };
            p.check(from, Cell::new(row, column)?).ok()
        };
        away(1).or_else(|| away(2))
    }

    /// Supports the symmetries that map dark cells to dark cells.
    fn source(action: usize, _: usize, symmetry: Symmetry) -> usize {
        let (index, towards) = (action / 4, Direction::ALL[action % 4]);
        let (row, column) = place(index);
        let east = matches!(towards, Direction::NorthEast | Direction::SouthEast);
        let step = (if towards.is_north() { -1 } else { 1 }, if east { 1 } else { -1 });
        let (row, column, down, right) = symmetry.source_of_step(row, column, step);
        4 * (4 * row + column / 2) + direction(down < 0, right > 0) as usize
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

/// Returns the row and the column of the dark cell with this number. Dark cells are B, D, F, H in the first row and A,
/// C, E, G in the second.
fn place(index: usize) -> (usize, usize) {
    let row = index / 4;
    (row, 2 * (index % 4) + (row + 1) % 2)
}

/// Returns the dark cell with this number, which must be below 32.
fn cell(index: usize) -> Option<Cell> {
    let (row, column) = place(index);
    Cell::new(row as u8, column as u8)
}

/// Returns the direction from its parts.
fn direction(north: bool, east: bool) -> Direction {
    match (north, east) {
        (true, true) => Direction::NorthEast,
        (false, true) => Direction::SouthEast,
        (false, false) => Direction::SouthWest,
        (true, false) => Direction::NorthWest,
    }
}
