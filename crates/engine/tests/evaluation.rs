//! Checks that an evaluation and its breakdown agree, and that the breakdown is complete.

use breakthrough::player::BreakthroughPolicy;
use checkers::player::CheckersPolicy;
use engine::{Playable, Resources};
use game::SplitMix64;
use jump61::player::Jump61Policy;
use loa::player::LoaPolicy;
use search::Policy;

/// Number of terms of each evaluation, including the side to move.
mod terms {
    pub(super) const LOA: usize = 21;
    /// The side to move, the lines, the two views of the network.
    pub(super) const LOA_LEARNED: usize = 4;
    /// Terms of MIA IV alone.
    pub(super) const LOA_REFERENCE: usize = 16;
    pub(super) const CHECKERS: usize = 11;
    /// The side to move and the two views of the network.
    pub(super) const CHECKERS_LEARNED: usize = 3;
    pub(super) const JUMP61: usize = 21;
    /// The side to move and the two views of the network.
    pub(super) const JUMP61_LEARNED: usize = 3;
    pub(super) const BREAKTHROUGH: usize = 25;
    /// The side to move, the patterns, the times of arrival, the two views of the network.
    pub(super) const BREAKTHROUGH_LEARNED: usize = 5;
}

/// Checks that the evaluation and its breakdown agree in random games.
fn check<P: Playable>(start: &P, policy: &P::Policy, terms: usize) {
    for seed in 0..5 {
        let mut rng = SplitMix64::new(seed);
        let mut p = start.clone();
        while p.decided().is_none() {
            let breakdown = p.breakdown(policy);
            assert_eq!(breakdown.total, policy.evaluate(&p), "{p}");
            let sum: f64 = breakdown.terms.iter().map(engine::TermValue::share).sum();
            assert!((sum - f64::from(breakdown.total)).abs() < 1.0, "{sum} and {}\n{p}", breakdown.total);
            assert!((0.0..=1.0).contains(&breakdown.early_share) && breakdown.terms.len() == terms, "{p}");
            assert!(breakdown.terms[0].name == "side to move" && breakdown.terms[0].value == 1);
            let moves = p.legal_moves();
            let Some(&m) = rng.choose(&moves) else { break };
            p.play(m);
        }
    }
}

#[test]
fn a_breakdown_adds_up_to_the_evaluation() {
    for size in [4, 6, 8] {
        let start = loa::Position::start(size).expect("a size");
        let shown = if size == 4 { terms::LOA } else { terms::LOA_LEARNED };
        check(&start, &loa::Position::policy(&Resources::default()), shown);
        check(&start, &LoaPolicy::terms(), terms::LOA);
        check(&start, &LoaPolicy::reference(), terms::LOA_REFERENCE);
    }
    let start = checkers::Position::start();
    check(&start, &checkers::Position::policy(&Resources::default()), terms::CHECKERS_LEARNED);
    check(&start, &CheckersPolicy::terms(), terms::CHECKERS);
    for size in [4, 6, 8] {
        let start = breakthrough::Position::start(size).expect("a size");
        let shown = if size == 8 { terms::BREAKTHROUGH_LEARNED } else { terms::BREAKTHROUGH };
        check(&start, &breakthrough::Position::policy(&Resources::default()), shown);
        check(&start, &BreakthroughPolicy::terms(), terms::BREAKTHROUGH);
    }
    for size in [2, 6, 10] {
        let start = jump61::Position::start(size).expect("a size");
        let shown = if size == 6 { terms::JUMP61_LEARNED } else { terms::JUMP61 };
        check(&start, &jump61::Position::policy(&Resources::default()), shown);
        check(&start, &Jump61Policy::terms(), terms::JUMP61);
    }
}
