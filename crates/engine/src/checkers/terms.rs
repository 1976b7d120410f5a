//! What an evaluation of the checkers variant looks at.

use checkers::Position;
use game::{Position as _, Side};

/// How many terms there are.
pub(super) const TERMS: usize = 11;
/// What the tuner calls them.
pub(super) const NAMES: [&str; TERMS] = [
    "side to move",
    "men",
    "towers",
    "rows that men have advanced",
    "men one row from becoming towers",
    "pieces on the home row",
    "pieces in the middle",
    "pieces at the side",
    "moves",
    "towers in the middle",
    "more pieces while few are left",
];

const ROWS: [u32; 8] = [0xf, 0xf0, 0xf00, 0xf000, 0xf_0000, 0xf0_0000, 0xf00_0000, 0xf000_0000];
/// The two middle cells of the four middle rows: bit 1 and 2 of each.
const MIDDLE: u32 = 0x0066_6600;
/// The cells in the first and the last column: those at the right in odd rows from row 1, at the left in even ones.
const SIDES: u32 = 0x1818_1818;

/// The terms of a position as the side to move sees it.
#[inline]
pub(super) fn terms(p: &Position) -> [i32; TERMS] {
    let us = p.side_to_move();
    let (ours, theirs) = (view(p, us), view(p, !us));
    let mut terms = [0; TERMS];
    for i in 0..TERMS {
        terms[i] = ours[i] - theirs[i];
    }
    terms[0] = 1;
    terms[8] = p.count_moves() as i32 - p.passed().count_moves() as i32;
    // The side that is ahead wins by exchanging: its lead counts more, the fewer pieces there are.
    let lead = terms[1] + 2 * terms[2];
    let all = (p.pieces(us) | p.pieces(!us)).count_ones() as i32;
    terms[10] = 16 * lead / all.max(1);
    terms
}

/// How much of the game is left: 16 with 20 pieces or more, 0 with 4 or fewer.
#[inline]
pub(super) fn phase(p: &Position) -> i32 {
    ((p.pieces(Side::First) | p.pieces(Side::Second)).count_ones() as i32 - 4).clamp(0, 16)
}

fn view(p: &Position, side: Side) -> [i32; TERMS] {
    let pieces = p.pieces(side);
    let towers = pieces & p.towers();
    let men = pieces & !towers;
    let count = |cells: u32| cells.count_ones() as i32;
    // Black moves towards row 1, White towards row 8.
    let home = if side == Side::First { 7 } else { 0_usize };
    let advanced = |row: usize| row.abs_diff(home) as i32;
    [
        0,
        count(men),
        count(towers),
        (0..8).map(|row| advanced(row) * count(men & ROWS[row])).sum(),
        count(men & ROWS[if home == 7 { 1 } else { 6 }]),
        count(pieces & ROWS[home]),
        count(pieces & MIDDLE),
        count(pieces & SIDES),
        0,
        count(towers & MIDDLE),
        0,
    ]
}
