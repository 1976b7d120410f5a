//! Quantities of a position that a person can count on the board, and the sentences that compare them.

pub(crate) mod breakthrough;
pub(crate) mod checkers;
pub(crate) mod jump61;
pub(crate) mod loa;

use game::{Message, Side, message, plural};

/// A quantity of one side in a position.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Side that has the quantity.
    pub side: Side,
    /// Value; `None` if the quantity is undefined in this position.
    pub value: Option<u32>,
    /// Advantage that each unit gives the side, in hundredths of a piece. Negative if smaller values are better.
    pub worth: i32,
    /// Square that the sentence names, if it names one.
    pub square: Option<String>,
    /// Formats the sentence that explains a change in the quantity.
    pub sentence: fn(&Change) -> Message,
}

/// A quantity after the played line, compared with the same quantity after the best line.
#[derive(Clone, Debug)]
pub struct Change {
    /// Name of the side.
    pub side: Message,
    /// Value after the played line.
    pub count: u32,
    /// Value after the best line.
    pub better: u32,
    /// Moves of the best line.
    pub best: String,
    /// Square of the quantity after the played line.
    pub square: String,
}

impl Quantity {
    /// Creates a quantity without a square.
    pub fn new(side: Side, value: u32, worth: i32, sentence: fn(&Change) -> Message) -> Self {
        Self { side, value: Some(value), worth, square: None, sentence }
    }
}

/// Formats the sentence about the number of pieces.
fn pieces(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.pieces",
        "{side} has {count} piece{s}; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}

/// Formats the sentence about the distance of the leading piece from the last rank.
fn leader(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.leader",
        "{side}’s leading piece is {count} step{s} from the last rank; after {best} it would be {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}
