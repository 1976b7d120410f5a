//! The terms of the evaluation of `build=second`. The current player uses a learned evaluation instead.

use game::{Position as _, Side};

use crate::position::Position;

use engine::terms;

terms! {
    /// The terms, in the order of the weights.
    enum Term {
        SideToMove = "side to move",
        Men = "men",
        Towers = "towers",
        Advancement = "rows that men have advanced",
        NearlyTowers = "men one row from becoming towers",
        HomeRow = "pieces on the home row",
        Middle = "pieces in the middle",
        Sides = "pieces at the side",
        Moves = "moves",
        MiddleTowers = "towers in the middle",
        LeadInEndgame = "more pieces while few are left",
    }
}

const ROWS: [u32; 8] = [0xf, 0xf0, 0xf00, 0xf000, 0xf_0000, 0xf0_0000, 0xf00_0000, 0xf000_0000];
/// Two middle cells of each of the four middle rows: bits 1 and 2 of the row.
const MIDDLE: u32 = 0x0066_6600;
/// Cells of the first and the last column: H in odd rows, A in even rows.
const SIDES: u32 = 0x1818_1818;

/// Returns the terms of a position from the point of view of the side to move.
#[inline]
pub(super) fn terms(p: &Position) -> Terms {
    let us = p.side_to_move();
    let (ours, theirs) = (view(p, us), view(p, !us));
    let mut terms = Terms::ZERO;
    for i in 0..TERMS {
        terms.0[i] = ours.0[i] - theirs.0[i];
    }
    terms[Term::SideToMove] = 1;
    terms[Term::Moves] = p.count_moves() as i32 - p.passed().count_moves() as i32;
    // Exchanges help the side that is ahead, so a lead counts more when fewer pieces are left.
    let lead = terms[Term::Men] + 2 * terms[Term::Towers];
    let all = (p.pieces(us) | p.pieces(!us)).count() as i32;
    terms[Term::LeadInEndgame] = 16 * lead / all.max(1);
    terms
}

/// Returns the phase of the game: 16 with 20 pieces or more, 0 with 4 or fewer.
#[inline]
pub(super) fn phase(p: &Position) -> i32 {
    ((p.pieces(Side::First) | p.pieces(Side::Second)).count() as i32 - 4).clamp(0, 16)
}

/// Returns one side's terms; terms about both sides are left at zero.
fn view(p: &Position, side: Side) -> Terms {
    let pieces = p.pieces(side).0;
    let towers = pieces & p.towers().0;
    let men = pieces & !towers;
    let count = |cells: u32| cells.count_ones() as i32;
    // Black moves towards row 1, White towards row 8.
    let home = if side == Side::First { 7 } else { 0_usize };
    let advanced = |row: usize| row.abs_diff(home) as i32;
    let mut terms = Terms::ZERO;
    terms[Term::Men] = count(men);
    terms[Term::Towers] = count(towers);
    terms[Term::Advancement] = (0..8).map(|row| advanced(row) * count(men & ROWS[row])).sum();
    terms[Term::NearlyTowers] = count(men & ROWS[if home == 7 { 1 } else { 6 }]);
    terms[Term::HomeRow] = count(pieces & ROWS[home]);
    terms[Term::Middle] = count(pieces & MIDDLE);
    terms[Term::Sides] = count(pieces & SIDES);
    terms[Term::MiddleTowers] = count(towers & MIDDLE);
    terms
}
