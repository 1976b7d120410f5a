use core::fmt;
use core::ops::ControlFlow;

use game::Side;

use crate::cell::{Cell, Direction, OUTSIDE, REACH};
use crate::position::Position;

/// A move or a jump from one dark cell to another, written `G6-F5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Index of the source cell.
    pub(crate) from: u8,
    /// Index of the target cell.
    pub(crate) to: u8,
}

impl Move {
    /// Returns the source cell.
    pub const fn from(self) -> Cell {
        Cell::of_dark(self.from as usize)
    }

    /// Returns the target cell.
    pub const fn to(self) -> Cell {
        Cell::of_dark(self.to as usize)
    }

    /// Returns `true` for a jump over an enemy.
    pub const fn is_jump(self) -> bool {
        self.from().row().abs_diff(self.to().row()) == 2
    }

    /// Returns the index of the cell in the middle of a jump; `None` for a move.
    pub(crate) fn captured(self) -> Option<usize> {
        let (from, to) = (self.from(), self.to());
        let middle = Cell::new(u8::midpoint(from.row(), to.row()), u8::midpoint(from.column(), to.column()));
        middle.filter(|_| self.is_jump()).and_then(Cell::dark)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.from(), self.to())
    }
}

/// Visits the moves in the course's order: sources row by row from A1, directions clockwise from the north-east.
#[inline]
pub(crate) fn visit<B>(p: &Position, mut visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
    let mut sources = p.pieces(p.side).0;
    while sources != 0 {
        let from = sources.trailing_zeros() as usize;
        sources &= sources - 1;
        let tower = p.towers().0 >> from & 1 != 0;
        for direction in Direction::ALL {
            if let Some(to) = target(p, from, direction, tower) {
                visit(Move { from: from as u8, to })?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Applies rules 2 to 4: returns the only possible target of a piece of the side to move in a direction.
#[inline]
pub(crate) fn target(p: &Position, from: usize, direction: Direction, tower: bool) -> Option<u8> {
    if !tower && direction.is_north() != (p.side == Side::First) {
        return None;
    }
    let reach = REACH[from][direction as usize];
    let empty = !(p.pieces(Side::First) | p.pieces(Side::Second)).0;
    if reach.step == OUTSIDE {
        None
    } else if empty >> reach.step & 1 != 0 {
        Some(reach.step)
    } else if reach.jump != OUTSIDE && p.pieces(!p.side).0 >> reach.step & empty >> reach.jump & 1 != 0 {
        Some(reach.jump)
    } else {
        None
    }
}
