//! Weights of the terms of the checkers variant, made by the tuner (`docs/engine.md`): 256 is a hundredth of a piece
//! for each unit of the term.

use super::terms::{TERMS, Term, weights};
use crate::evaluation::Weights;

/// The only set.
#[rustfmt::skip]
pub(super) const WEIGHTS: Weights<TERMS> = weights([
    // term                early    late
    (Term::SideToMove,      3627,   -548),
    (Term::Men,            38021,  14031),
    (Term::Towers,         61293,   7827),
    (Term::Advancement,    -2573,   1355),
    (Term::NearlyTowers,    2198,  -1400),
    (Term::HomeRow,         1469,   2606),
    (Term::Middle,          4497,  -6561),
    (Term::Sides,            432,  -3854),
    (Term::Moves,           2193,     12),
    (Term::MiddleTowers,  -11082,   7847),
    (Term::LeadInEndgame, -16548,   4618),
]);
