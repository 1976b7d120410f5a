use game::{Explain, Message, Position as _, Side, message};
use thiserror::Error;

use crate::moves::Move;
use crate::position::{OffBoard, Pile, Position};
use crate::squares::Square;

/// The rule that an illegal move breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Refusal {
    /// The square is not on this board.
    #[error(transparent)]
    OffBoard(#[from] OffBoard),
    /// Rule 2: the square belongs to the opponent.
    NotYours {
        /// The square.
        square: Square,
        /// Side that owns the square.
        owner: Side,
    },
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        match self {
            Self::OffBoard(error) => error.message(),
            Self::NotYours { owner, .. } => {
                let owner = Message::name(Position::side_name(*owner));
                message!("jump61.not_yours", "the square is {owner}'s", owner)
            }
        }
    }
}

impl Position {
    /// Returns the move on a square, if it is legal.
    ///
    /// # Errors
    /// If it is illegal. The error is the rule that the move breaks.
    pub fn check(&self, square: Square) -> Result<Move, Refusal> {
        match self.at(self.find(square)?) {
            Some(Pile { side, .. }) if side != self.side_to_move() => Err(Refusal::NotYours { square, owner: side }),
            _ => Ok(Move(square)),
        }
    }
}
