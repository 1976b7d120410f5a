use game::{Explain, Message, message};
use thiserror::Error;

use crate::cell::{Cell, Direction};
use crate::moves::{self, Move};
use crate::position::Position;

/// The error of an illegal action. The course has six errors: these four, and a source or a target outside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Refusal {
    /// The source cell is empty.
    SourceEmpty,
    /// The target cell is not empty.
    TargetOccupied,
    /// The piece belongs to the opponent.
    OpponentsPiece,
    /// The piece has no such move or jump.
    Illegal,
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        match self {
            Self::SourceEmpty => message!("checkers.source_empty", "source cell is empty"),
            Self::TargetOccupied => message!("checkers.target_occupied", "target cell is not empty"),
            Self::OpponentsPiece => message!("checkers.not_yours", "source cell holds opponent's piece/tower"),
            Self::Illegal => message!("checkers.illegal", "illegal action"),
        }
    }
}

impl Position {
    /// Returns the move from one cell to another, if it is legal.
    ///
    /// # Errors
    /// If it is illegal. The error is the first rule that the move breaks, in the course's order.
    pub fn check(&self, from: Cell, to: Cell) -> Result<Move, Refusal> {
        let piece = self.at(from).ok_or(Refusal::SourceEmpty)?;
        if self.at(to).is_some() {
            return Err(Refusal::TargetOccupied);
        }
        if piece.side != self.side {
            return Err(Refusal::OpponentsPiece);
        }
        let (Some(source), Some(target)) = (from.dark(), to.dark()) else {
            return Err(Refusal::Illegal);
        };
        let reached = Direction::ALL.into_iter().filter_map(|d| moves::target(self, source, d, piece.tower));
        let m = Move { from: source as u8, to: target as u8 };
        reached.into_iter().find(|&to| to == m.to).map(|_| m).ok_or(Refusal::Illegal)
    }
}
