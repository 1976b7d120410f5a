//! Quantities of Jump61.

use game::{Message, Position as _, Side, message, plural};

use crate::quantity::{Change, Quantity};

/// Returns the number of squares of each side, and the maximum number of squares that the side to move can take with
/// one move.
pub(crate) fn jump61(p: &jump61::Position) -> Vec<Quantity> {
    let mover = p.side_to_move();
    let theirs = p.pieces(!mover);
    let taken = p.movable().into_iter().map(|m| (p.child(m).pieces(mover) & theirs).count()).max();
    let own = Side::BOTH.map(|side| Quantity::new(side, p.pieces(side).count(), 30, squares));
    own.into_iter().chain([Quantity::new(mover, taken.unwrap_or(0), 30, takes)]).collect()
}

fn squares(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.squares",
        "{side} has {count} square{s}; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}

fn takes(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.takes",
        "{side} can take {count} square{s} in one move; after {best} it could take {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}
