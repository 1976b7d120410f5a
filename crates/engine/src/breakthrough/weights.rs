//! Weights of the terms of Breakthrough, made by the tuner (`docs/engine.md`): 256 is a hundredth of a piece for each
//! unit of the term.

use super::terms::{TERMS, Term, weights};
use crate::evaluation::Weights;

/// Boards of 7×7 and 8×8.
#[rustfmt::skip]
pub(super) const EIGHT: Weights<TERMS> = weights([
    // term                 early    late
    (Term::SideToMove,        382,    877),
    (Term::Pieces,          16780,   4550),
    (Term::Advancement,      -499,   4795),
    (Term::OneRank,         11246,   -201),
    (Term::TwoRanks,        17517,   9350),
    (Term::ThreeRanks,       1780,   8165),
    (Term::FourRanks,         202,   2204),
    (Term::Outposts,        -3691,   1965),
    (Term::HomeRank,         3415,   2237),
    (Term::HomeGuard,       11954,   1312),
    (Term::ThirdGuard,       1132,    683),
    (Term::Edges,           -2091, -10375),
    (Term::Guarded,           -77,  -3212),
    (Term::TwiceGuarded,     -842,  -6190),
    (Term::Phalanx,           369,   5201),
    (Term::Columns,           375,   6936),
    (Term::OpenFiles,       -1990,  -4678),
    (Term::Passed,          14722,  -8576),
    (Term::Moves,             902,   1594),
    (Term::SafeSquares,       155,      9),
    (Term::OurLoose,         2255,   8623),
    (Term::OurContested,     5799,  16315),
    (Term::TheirLoose,      13427,  22467),
    (Term::TheirContested,  -5359, -16217),
    (Term::Lead,             8142,  12710),
]);

/// Boards up to 6×6.
#[rustfmt::skip]
pub(super) const SIX: Weights<TERMS> = weights([
    // term                 early    late
    (Term::SideToMove,       7213,  -4667),
    (Term::Pieces,          20092,   8089),
    (Term::Advancement,      2855,   6834),
    (Term::OneRank,         10834,  -8934),
    (Term::TwoRanks,        -3238,  13356),
    (Term::ThreeRanks,       1362,   9211),
    (Term::FourRanks,        6763,  -8348),
    (Term::Outposts,         8157,    188),
    (Term::HomeRank,        -3736,  -6034),
    (Term::HomeGuard,       28031,  -4247),
    (Term::ThirdGuard,       4259,   1792),
    (Term::Edges,            2447,  -2308),
    (Term::Guarded,         -6101,  -7071),
    (Term::TwiceGuarded,     4632,  -2927),
    (Term::Phalanx,          -977,  11088),
    (Term::Columns,          3865,  15511),
    (Term::OpenFiles,       -5667,  -4431),
    (Term::Passed,          97459, -35652),
    (Term::Moves,            4111,   2029),
    (Term::SafeSquares,      -205,  -3559),
    (Term::OurLoose,          444,   7081),
    (Term::OurContested,     4799,  24305),
    (Term::TheirLoose,      19895,  46124),
    (Term::TheirContested,  -5178, -22308),
    (Term::Lead,             4636,   5521),
]);
