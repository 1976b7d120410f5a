//! Quantities of a position that a person can count on the board, and the sentences that compare them.

pub(crate) mod breakthrough;
pub(crate) mod checkers;
pub(crate) mod jump61;
pub(crate) mod loa;

use game::{Message, Side, message};

/// A quantity of one side in a position.
#[derive(Clone, Debug)]
pub struct Quantity {
    /// Side that has the quantity.
    pub side: Side,
    /// Value as a person counts it; `None` if this position has no such quantity.
    pub value: Option<u32>,
    /// Advantage of the side for each unit, in hundredths of a piece; negative if fewer are better.
    pub worth: i32,
    /// Name of the square in question.
    pub square: Option<String>,
    /// Writes the sentence for the position with this quantity.
    pub sentence: fn(&Change) -> Message,
}

/// The values of a quantity after the played line and after the best line.
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

/// Returns the ending of an English plural.
pub(crate) fn plural(count: u32) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Writes a number of pieces.
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

/// Writes the distance of the leading piece from the last rank.
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
