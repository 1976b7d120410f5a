use game::{Position as _, Side};
use thiserror::Error;

use crate::{Move, Position, Square};

/// The rule that an illegal move breaks, with the facts on the board.
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
    #[error("the piece on {square} is {}'s, and {} is to move", name(!*.mover), name(*.mover))]
    NotYours {
        /// The source square.
        square: Square,
        /// The side to move.
        mover: Side,
    },
    /// Rule 2: the move does not lead forward.
    #[error("a piece moves forward only, and {} moves {} the board", name(*.0), way(*.0))]
    NotForward(Side),
    /// Rule 2: the move leads forward, but not to one of the three squares ahead.
    #[error("a piece moves exactly one square forward, straight or diagonally")]
    NotOneSquare,
    /// The target square holds a piece of the side to move.
    #[error("a piece of your own stands on {0}")]
    OwnPiece(Square),
    /// Rule 3: an opponent's piece is straight ahead.
    #[error("the opponent's piece on {0} is in the way: a piece captures diagonally only")]
    Blocked(Square),
    /// The move is written as a capture, but captures nothing.
    #[error("there is nothing to capture on {0}")]
    NothingToCapture(Square),
    /// The move comes from another position, where it captured nothing.
    #[error("the move to {0} captures")]
    Captures(Square),
}

fn name(side: Side) -> &'static str {
    Position::side_name(side)
}

const fn way(side: Side) -> &'static str {
    match side {
        Side::First => "up",
        Side::Second => "down",
    }
}

impl Position {
    /// Returns the move of the side to move from one square to another, if it is legal.
    ///
    /// # Errors
    /// If it is illegal. The error is the first reason, in the order of [`Refusal`].
    pub fn check(&self, from: Square, to: Square) -> Result<Move, Refusal> {
        let mover = self.side_to_move();
        if let Some(square) = [from, to].into_iter().find(|&square| !self.board().has(square)) {
            return Err(Refusal::OffBoard { square, size: self.size() });
        }
        match self.at(from) {
            None => return Err(Refusal::EmptySource(from)),
            Some(side) if side != mover => return Err(Refusal::NotYours { square: from, mover }),
            Some(_) => (),
        }
        let ranks = to.rank() as i8 - from.rank() as i8;
        let ranks_ahead = if mover == Side::First { ranks } else { -ranks };
        if ranks_ahead <= 0 {
            return Err(Refusal::NotForward(mover));
        }
        let files = from.file().abs_diff(to.file());
        if ranks_ahead > 1 || files > 1 {
            return Err(Refusal::NotOneSquare);
        }
        match self.at(to) {
            Some(side) if side == mover => Err(Refusal::OwnPiece(to)),
            Some(_) if files == 0 => Err(Refusal::Blocked(to)),
            _ => Ok(Move::new(self, from, to)),
        }
    }
}
