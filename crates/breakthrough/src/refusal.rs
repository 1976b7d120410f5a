use board::{Square, messages};
use game::{Explain, Message, Position as _, Side, message};
use thiserror::Error;

use crate::moves::Move;
use crate::position::Position;

/// The rule that an illegal move breaks, with the facts on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub enum Refusal {
    /// A square is not on this board.
    OffBoard {
        /// The square.
        square: Square,
        /// Length of a side of the board, in squares.
        size: usize,
    },
    /// The source square is empty.
    EmptySource(Square),
    /// The piece on the source square belongs to the opponent.
    NotYours {
        /// The source square.
        square: Square,
        /// The side to move.
        mover: Side,
    },
    /// Rule 2: the move does not lead forward.
    NotForward(Side),
    /// Rule 2: the move leads forward, but not to one of the three squares ahead.
    NotOneSquare,
    /// The target square holds a piece of the side to move.
    OwnPiece(Square),
    /// Rule 3: an opponent's piece is straight ahead.
    Blocked(Square),
    /// The move is written as a capture, but captures nothing.
    NothingToCapture(Square),
    /// The move is not a capture, but a capture is the only legal move between its squares. Such a move comes from
    /// another position.
    UnmarkedCapture(Square),
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        let side = |side| Message::name(Position::side_name(side));
        match *self {
            Self::OffBoard { square, size } => messages::off_board(square, size),
            Self::EmptySource(square) => messages::empty_source(square),
            Self::NotYours { square, mover } => {
                messages::not_yours(square, Position::side_name(!mover), Position::side_name(mover))
            }
            Self::NotForward(mover @ Side::First) => message!(
                "breakthrough.up",
                "a piece moves forward only, and {mover} moves up the board",
                mover = side(mover)
            ),
            Self::NotForward(mover @ Side::Second) => message!(
                "breakthrough.down",
                "a piece moves forward only, and {mover} moves down the board",
                mover = side(mover)
            ),
            Self::NotOneSquare => {
                message!("breakthrough.one_square", "a piece moves exactly one square forward, straight or diagonally")
            }
            Self::OwnPiece(square) => messages::own_piece(square),
            Self::Blocked(square) => message!(
                "breakthrough.blocked",
                "the opponent's piece on {square} is in the way: a piece captures diagonally only",
                square
            ),
            Self::NothingToCapture(square) => {
                message!("breakthrough.nothing_to_capture", "there is nothing to capture on {square}", square)
            }
            Self::UnmarkedCapture(square) => {
                message!("breakthrough.unmarked_capture", "the move to {square} captures", square)
            }
        }
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
