//! Reasons for refusing a move, shared by all games with men.

use game::{Argument, Message, ToArgument, message};

use crate::square::Square;

impl ToArgument for Square {
    fn to_argument(&self) -> Argument {
        Argument::Text(self.to_string())
    }
}

/// Returns the refusal of a move to or from a square that is not on the board.
pub fn off_board(square: Square, size: usize) -> Message {
    message!("men.off_board", "{square} is outside of the {size}x{size} board", square, size)
}

/// Returns the refusal of a move whose source square is empty.
pub fn empty_source(square: Square) -> Message {
    message!("men.empty_source", "{square} is empty", square)
}

/// Returns the refusal of a move of the opponent's piece. `owner` and `mover` are names of sides.
pub fn not_yours(square: Square, owner: &'static str, mover: &'static str) -> Message {
    let [owner, mover] = [owner, mover].map(Message::name);
    message!("men.not_yours", "the piece on {square} is {owner}'s, and {mover} is to move", square, owner, mover)
}

/// Returns the refusal of a move to a square that holds a piece of the side to move.
pub fn own_piece(square: Square) -> Message {
    message!("men.own_piece", "a piece of your own stands on {square}", square)
}
