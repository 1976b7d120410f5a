use game::{Position as _, Side};
use thiserror::Error;

use crate::{Bitboard, Direction, Move, Position, Square};

/// The rule that an illegal move breaks, with the facts on the board that explain it to a beginner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// A square is not on this board.
    #[error("{square} is outside of the {size}x{size} board")]
    OffBoard {
        /// The square.
        square: Square,
        /// Length of a side of the board, in squares.
        size: usize,
    },
    /// The source square is empty.
    #[error("{0} is empty")]
    EmptySource(Square),
    /// The piece on the source square belongs to the opponent.
    #[error("the piece on {square} is {}'s, and {} is to move", Position::side_name(!*.mover), Position::side_name(*.mover))]
    NotYours {
        /// The source square.
        square: Square,
        /// The side to move.
        mover: Side,
    },
    /// The squares share no file, rank or diagonal.
    #[error("a piece moves along a file, a rank or a diagonal")]
    NotOnALine,
    /// Rule 2: the distance is not the number of pieces on the line.
    #[error(
        "{needed} piece{} on the {}, so the piece moves exactly {needed} square{} along it, not {found}",
        plural(*.needed), .direction.line_name(), plural(*.needed)
    )]
    Distance {
        /// The direction of the move.
        direction: Direction,
        /// Number of pieces on the line of action.
        needed: u32,
        /// Distance of the move, in squares.
        found: u32,
    },
    /// Rule 2: an enemy piece is between the two squares.
    #[error("the enemy piece on {0} stands in between")]
    Blocked(Square),
    /// Rule 2: the target square holds a piece of the side to move.
    #[error("a piece of your own stands on {0}")]
    OwnPiece(Square),
}

const fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Returns the first rule that the move breaks for the side to move; `None` if it is legal.
pub(crate) fn refusal(p: &Position, m: Move) -> Option<Refusal> {
    let mover = p.side_to_move();
    let off_board = [m.from, m.to].into_iter().find(|&square| !p.board().has(square));
    if let Some(square) = off_board {
        return Some(Refusal::OffBoard { square, size: p.size() });
    }
    if !p.occupied().has(m.from) {
        return Some(Refusal::EmptySource(m.from));
    }
    if p.pieces(!mover).has(m.from) {
        return Some(Refusal::NotYours { square: m.from, mover });
    }
    let Some((direction, found)) = Direction::between(m.from, m.to) else {
        return Some(Refusal::NotOnALine);
    };
    let needed = p.line_count(m.from, direction);
    if found != needed {
        return Some(Refusal::Distance { direction, needed, found });
    }
    let blockers: Bitboard = Position::between(m, direction) & p.pieces(!mover);
    if let Some(square) = blockers.first() {
        return Some(Refusal::Blocked(square));
    }
    p.pieces(mover).has(m.to).then_some(Refusal::OwnPiece(m.to))
}
