//! Quantities of Breakthrough.

use breakthrough::Position;
use game::{Message, Position as _, Side, message, plural};

use crate::quantity::{Change, Quantity, leader, pieces};

/// Returns the quantities of both sides.
pub(crate) fn breakthrough(p: &Position) -> Vec<Quantity> {
    Side::BOTH.into_iter().flat_map(|side| of_side(p, side)).collect()
}

fn of_side(p: &Position, side: Side) -> [Quantity; 3] {
    let own = p.pieces(side);
    let ranks = own.into_iter().map(|square| u32::from(square.rank()));
    let last = u32::try_from(p.size()).unwrap_or(0).saturating_sub(1);
    let steps = if side == Side::First { ranks.max().map(|rank| last - rank) } else { ranks.min() };
    // Only the side that is not to move can lose a piece with the next move.
    let loose = (side != p.side_to_move()).then(|| (own & p.attacks(!side) & !p.attacks(side)).count());
    [
        Quantity::new(side, own.count(), 100, pieces),
        Quantity { value: loose, ..Quantity::new(side, 0, -60, unprotected) },
        Quantity { value: steps, ..Quantity::new(side, 0, -60, leader) },
    ]
}

fn unprotected(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.unprotected",
        "{side} has {count} piece{s} under attack without protection; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}
