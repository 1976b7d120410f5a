use game::{Explain, Message, message};
use thiserror::Error;

use crate::cell::{Cell, Direction};
use crate::moves::{self, Move};
use crate::position::Position;

/// The error of an illegal action. The course has six errors: these four, and a source or a target outside the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The source cell is empty.
    #[error("source cell is empty")]
    SourceEmpty,
    /// The target cell is not empty.
    #[error("target cell is not empty")]
    TargetOccupied,
    /// The piece belongs to the opponent.
    #[error("source cell holds opponent's piece/tower")]
    OpponentsPiece,
    /// The piece has no such move or jump.
    #[error("illegal action")]
    Illegal,
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        match self {
            Self::SourceEmpty => message!("checkers.source_empty", "no piece stands there"),
            Self::TargetOccupied => message!("checkers.target_occupied", "the target square is not empty"),
            Self::OpponentsPiece => message!("checkers.not_yours", "the piece belongs to the opponent"),
            Self::Illegal => message!(
                "checkers.illegal",
                "a piece moves one square forward diagonally or jumps over an enemy piece; only towers move backward"
            ),
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
