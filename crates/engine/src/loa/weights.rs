//! Weights of the terms of Lines of Action, made by the tuner (`docs/engine.md`): 256 is a hundredth of a piece for
//! each unit of the term.

use super::terms::{TERMS, Term, weights};
use crate::evaluation::Weights;

/// Boards of 7×7 and 8×8.
#[rustfmt::skip]
pub(super) const EIGHT: Weights<TERMS> = weights([
    // term                  early    late
    (Term::SideToMove,       16659,   7489),
    (Term::SurplusDistance,    175,  -1988),
    (Term::InverseSurplus,    5189,  -4100),
    (Term::CornerShare,      -1722,   -783),
    (Term::EdgeShare,         -882,     17),
    (Term::SecondRingShare,   -148,   -208),
    (Term::ThirdRingShare,     202,   -111),
    (Term::OffCentre,         2792,   5351),
    (Term::NearThrees,        6386,  -2228),
    (Term::NearFours,        36011,  18988),
    (Term::Quads,             2113,  20942),
    (Term::Mobility,          1397,   1394),
    (Term::WallsOfTwo,       -8416, -10032),
    (Term::WallsOfThree,    -11698, -36580),
    (Term::Neighbours,       -1864,   -925),
    (Term::Area,              -210,  -2163),
    (Term::Groups,           -9633, -41633),
    (Term::Alone,              407,  10655),
    (Term::Outside,           -962,  14080),
    (Term::StepsToGroup,       321,  -5812),
    (Term::Pieces,           12195,  18717),
]);

/// Boards up to 6×6.
#[rustfmt::skip]
pub(super) const SIX: Weights<TERMS> = weights([
    // term                  early    late
    (Term::SideToMove,       46514,  -6599),
    (Term::SurplusDistance,   -126,  -1394),
    (Term::InverseSurplus,     410,  -2194),
    (Term::CornerShare,      -1313,  -1295),
    (Term::EdgeShare,        -2204,     77),
    (Term::SecondRingShare,   -809,      1),
    (Term::ThirdRingShare,    3348,   -999),
    (Term::OffCentre,         -755,   5995),
    (Term::NearThrees,        4921,  11155),
    (Term::NearFours,        39334,  11520),
    (Term::Quads,           -13955,   2843),
    (Term::Mobility,          3542,   1675),
    (Term::WallsOfTwo,      -18494, -10650),
    (Term::WallsOfThree,    -28705, -24351),
    (Term::Neighbours,        -430,   -158),
    (Term::Area,               373,   -537),
    (Term::Groups,           -2061, -22482),
    (Term::Alone,             6306,   1810),
    (Term::Outside,           3429,  11637),
    (Term::StepsToGroup,     -1230,  -4264),
    (Term::Pieces,           38709,   2879),
]);

/// The reference player: the terms of MIA IV alone.
#[rustfmt::skip]
pub(super) const REFERENCE: Weights<TERMS> = weights([
    // term                  early    late
    (Term::SideToMove,       16920,   6598),
    (Term::SurplusDistance,    -27,  -3043),
    (Term::InverseSurplus,    4753,  -6904),
    (Term::CornerShare,       -851,   -967),
    (Term::EdgeShare,         -162,   -124),
    (Term::SecondRingShare,    176,   -234),
    (Term::ThirdRingShare,     443,   -126),
    (Term::OffCentre,         1394,   7441),
    (Term::NearThrees,        7602, -10138),
    (Term::NearFours,        15021, -28032),
    (Term::Quads,            -8802,  10522),
    (Term::Mobility,          1860,   1699),
    (Term::WallsOfTwo,       -8579,  -6991),
    (Term::WallsOfThree,    -10607, -36957),
    (Term::Neighbours,         386,   1054),
    (Term::Area,                69,  -2077),
]);
