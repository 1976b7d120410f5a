//! Weights of the terms of Jump61, made by the tuner (`docs/engine.md`): 256 is a hundredth of a piece for each unit of
//! the term.

use super::terms::{TERMS, Term, weights};
use crate::evaluation::Weights;

/// Boards of every size.
#[rustfmt::skip]
pub(super) const WEIGHTS: Weights<TERMS> = weights([
    // term                      early    late
    (Term::SideToMove,            5208,    904),
    (Term::Squares,              -1558,   9491),
    (Term::Corners,               9534,   6028),
    (Term::Edges,                  635,   1136),
    (Term::Critical,             11746,  -1395),
    (Term::NearlyCritical,        4293,  -1131),
    (Term::OutOfReach,            1190,  -4318),
    (Term::OurCriticalDuels,       861,  -4709),
    (Term::OurExposed,           -5711,    939),
    (Term::OurStruck,             -260,   4172),
    (Term::OurStruckCritical,     1373,  10605),
    (Term::OurChains,            10718,   2969),
    (Term::OurLargestChain,       1033,   -831),
    (Term::OurNearDuels,         -3962,   1239),
    (Term::TheirCriticalDuels,  -12138,  -2779),
    (Term::TheirExposed,         -5991,   -341),
    (Term::TheirStruck,          -3527,   -284),
    (Term::TheirStruckCritical,    861,  -4709),
    (Term::TheirChains,          -3293,  -5171),
    (Term::TheirLargestChain,     6799,   1089),
    (Term::TheirNearDuels,        4923,   1750),
]);
