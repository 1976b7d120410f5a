use board::{Bitboard, Square, messages};
use game::{Explain, Message, Position as _, Side, message};
use thiserror::Error;

use crate::geometry::Direction;
use crate::moves::{self, Move};
use crate::position::{Position, Rules};

/// The rule that an illegal move breaks, with the facts on the board that explain it to a beginner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.terminal_text())]
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
    /// The squares share no file, rank or diagonal.
    NotOnALine,
    /// Rule 2: the distance is not the number of pieces on the line.
    Distance {
        /// The source square.
        from: Square,
        /// The direction of the move.
        direction: Direction,
        /// Number of pieces on the line of action.
        needed: u32,
        /// Distance of the move, in squares.
        found: u32,
    },
    /// Rule 2: an enemy piece is between the two squares.
    Blocked(Square),
    /// Rule 2: the target square holds a piece of the side to move.
    OwnPiece(Square),
    /// Rule 5a: the side to move has a move, so it cannot pass.
    Pass,
}

impl Explain for Refusal {
    fn message(&self) -> Message {
        match *self {
            Self::OffBoard { square, size } => messages::off_board(square, size),
            Self::EmptySource(square) => messages::empty_source(square),
            Self::NotYours { square, mover } => {
                messages::not_yours(square, Position::side_name(!mover), Position::side_name(mover))
            }
            Self::NotOnALine => message!("loa.not_on_a_line", "a piece moves along a file, a rank or a diagonal"),
            Self::Distance { from, direction, needed, .. } => distance(from, direction, needed),
            Self::Blocked(square) => {
                message!("loa.blocked", "the enemy piece on {square} stands in between", square)
            }
            Self::OwnPiece(square) => messages::own_piece(square),
            Self::Pass => message!("loa.pass", "a side passes only if it has no other move"),
        }
    }
}

/// Returns the message of [`Refusal::Distance`].
fn distance(from: Square, direction: Direction, needed: u32) -> Message {
    const NUMBERS: [&str; 9] = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    let name = from.to_string();
    let (file, rank) = name.split_at(1);
    let line = match direction.line_name() {
        "file" => message!("loa.file", "the {file}-file", file),
        "rank" => message!("loa.rank", "rank {rank}", rank),
        _ => message!("loa.diagonal", "this diagonal"),
    };
    if needed == 1 {
        return message!("loa.alone", "no other piece stands on {line}, so the piece moves exactly one square", line);
    }
    message!(
        "loa.distance",
        "{number} pieces stand on {line}, so the piece moves exactly {number} squares",
        count = needed,
        line;
        number = NUMBERS.get(needed as usize).copied().unwrap_or("several")
    )
}

/// Returns the first rule that the move breaks for the side to move; `None` if it is legal.
pub(crate) fn refusal(p: &Position, m: Move) -> Option<Refusal> {
    let mover = p.side_to_move();
    if m.is_pass() && p.rules() == Rules::Olympiad {
        return (moves::pass(p) != Some(m)).then_some(Refusal::Pass);
    }
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
        return Some(Refusal::Distance { from: m.from, direction, needed, found });
    }
    let blockers: Bitboard = Position::between(m, direction) & p.pieces(!mover);
    if let Some(square) = blockers.first() {
        return Some(Refusal::Blocked(square));
    }
    p.pieces(mover).has(m.to).then_some(Refusal::OwnPiece(m.to))
}

impl Refusal {
    /// Returns the message that the text programs print. The courses' tests compare it literally.
    fn terminal_text(&self) -> String {
        match *self {
            Self::Distance { direction, needed, found, .. } => {
                let (line, s) = (direction.line_name(), if needed == 1 { "" } else { "s" });
                format!(
                    "{needed} piece{s} on the {line}, so the piece moves exactly {needed} square{s} along it, not {found}"
                )
            }
            _ => self.message().text,
        }
    }
}

impl Position {
    /// Returns the move from one square to another, if it is legal.
    ///
    /// # Errors
    /// If it is illegal. The error is the rule that the move breaks.
    pub fn check(&self, from: Square, to: Square) -> Result<Move, Refusal> {
        let m = Move { from, to };
        refusal(self, m).map_or(Ok(m), Err)
    }
}
