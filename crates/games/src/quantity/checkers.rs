//! Quantities of checkers.

use checkers::{Cell, Move, Position};
use game::{Message, Position as _, Side, message, plural};

use crate::quantity::{Change, Quantity, leader, pieces};

/// Returns the quantities of both sides.
pub(crate) fn checkers(p: &Position) -> Vec<Quantity> {
    Side::BOTH.into_iter().flat_map(|side| of_side(p, side)).collect()
}

fn of_side(p: &Position, side: Side) -> [Quantity; 4] {
    let (men, towers_owned) = p.count(side);
    // Only the side that is not to move can lose a piece with the next move.
    let in_danger = (side != p.side_to_move()).then(|| {
        let mut cells: Vec<Option<Cell>> = p.movable().into_iter().filter(|m| m.is_jump()).map(jumped).collect();
        cells.sort_unstable_by_key(|cell| cell.map(|cell| (cell.row(), cell.column())));
        cells.dedup();
        u32::try_from(cells.len()).unwrap_or(0)
    });
    [
        Quantity::new(side, men + towers_owned, 100, pieces),
        Quantity::new(side, towers_owned, 150, towers),
        Quantity { value: in_danger, ..Quantity::new(side, 0, -60, danger) },
        Quantity { value: steps(p, side), ..Quantity::new(side, 0, -40, leader) },
    ]
}

/// Returns the cell that a jump passes.
fn jumped(m: Move) -> Option<Cell> {
    let (from, to) = (m.from(), m.to());
    Cell::new(u8::midpoint(from.row(), to.row()), u8::midpoint(from.column(), to.column()))
}

/// Returns the distance of the leading man from the last row; `None` without men.
fn steps(p: &Position, side: Side) -> Option<u32> {
    let cells = (0..64).filter_map(|index| Cell::new(index / 8, index % 8));
    let men = cells.filter(|&cell| p.at(cell).is_some_and(|piece| piece.side == side && !piece.tower));
    men.map(|cell| u32::from(if side == Side::First { cell.row() } else { 7 - cell.row() })).min()
}

fn towers(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.towers",
        "{side} has {count} tower{s}; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}

fn danger(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.danger",
        "{side} has {count} piece{s} that can be captured; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}
