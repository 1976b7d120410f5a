//! Quantities of Lines of Action.

use game::{Key, Message, Position as _, Side, message, plural};
use loa::{Bitboard, Direction, Square};

use crate::quantity::{Change, Quantity};

/// Maximum number of moves that [`moves_to_connect`] tries.
const FARTHEST: u32 = 5;

/// Returns the quantities of both sides.
pub(crate) fn loa(p: &loa::Position) -> Vec<Quantity> {
    Side::BOTH.into_iter().flat_map(|side| of_side(p, side)).collect()
}

fn of_side(p: &loa::Position, side: Side) -> [Quantity; 4] {
    let pieces = p.pieces(side);
    let (count, _) = loa::groups_and_joints(pieces);
    let is_alone = |square: &Square| loa::group_of(*square, pieces).count() == 1;
    let way = |square| moves_to_connect(p, square).map(|moves| (moves, square));
    let alone = pieces.into_iter().filter(is_alone).filter_map(way);
    // A piece one move away from another is not cut off.
    let far = alone.filter(|&(moves, _)| moves > 1).max_by_key(|&(moves, _)| moves);
    let square = far.map(|(_, square)| square.to_string());
    let cut_off = Quantity { square, ..Quantity::new(side, far.map_or(1, |(moves, _)| moves), -60, cut_off) };
    [
        cut_off,
        Quantity::new(side, count, -40, groups),
        Quantity::new(side, pieces.count() - largest(pieces), -30, outside),
        Quantity::new(side, u32::try_from(p.with_turn(side).count_moves()).unwrap_or(u32::MAX), 5, moves),
    ]
}

/// Returns the number of pieces in the largest group.
fn largest(pieces: Bitboard) -> u32 {
    pieces.into_iter().map(|square| loa::group_of(square, pieces).count()).max().unwrap_or(0)
}

/// Returns the minimum number of moves that a piece needs to connect to another piece of its side, if only this piece
/// moves; `None` if the number exceeds [`FARTHEST`].
fn moves_to_connect(p: &loa::Position, from: Square) -> Option<u32> {
    let side = p.at(from)?;
    let start = p.with_turn(side);
    let mut seen: Vec<Key> = vec![start.key()];
    let mut level = vec![(start, from)];
    for count in 1..=FARTHEST {
        let mut next = Vec::new();
        for (p, from) in level {
            for m in Direction::ALL.into_iter().filter_map(|direction| p.move_along(from, direction)) {
                let child = p.child(m).with_turn(side);
                if loa::group_of(m.to, child.pieces(side)).count() > 1 {
                    return Some(count);
                }
                if !seen.contains(&child.key()) {
                    seen.push(child.key());
                    next.push((child, m.to));
                }
            }
        }
        level = next;
    }
    None
}

fn cut_off(Change { square, count, .. }: &Change) -> Message {
    message!(
        "reason.cut_off",
        "{square} is cut off: it needs {count} more move{s} to connect.",
        square,
        count;
        s = plural(*count)
    )
}

fn groups(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.groups",
        "{side} has {count} group{s}; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}

fn outside(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.outside",
        "{side} has {count} piece{s} outside its largest group; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}

fn moves(Change { side, count, better, best, .. }: &Change) -> Message {
    message!(
        "reason.moves",
        "{side} has a choice of {count} move{s}; after {best} it would have {better}.",
        side,
        count,
        better,
        best;
        s = plural(*count)
    )
}
