//! Tests that fitting finds the right weights.

use engine::{Breakdown, TermValue};
use game::{Position as _, Side, SplitMix64};
use jump61::Position as Board;
use lab::tune::{Fit, Weight, fit, rows};
use measure::samples::Sample;

/// Returns two terms. Only the first one influences the results.
fn two(p: &Board) -> Breakdown {
    let count = |side: Side| p.pieces(side).count() as i32;
    let term = |name, value, early| TermValue { id: name, name, value, early, late: 0.0, weight: early };
    let squares = count(p.side_to_move()) - count(!p.side_to_move());
    let terms = vec![term("squares", squares, 0.0), term("nothing", (p.key().0 % 7) as i32 - 3, 30.0)];
    Breakdown { early_share: 1.0, terms, total: 0 }
}

#[test]
fn a_fit_finds_the_weights_that_made_the_results() {
    let mut rng = SplitMix64::new(8);
    let mut samples = Vec::new();
    while samples.len() < 20_000 {
        let mut position = Board::start(5).expect("a size");
        for _ in 0..30 {
            let moves = position.legal_moves();
            let Some(&m) = rng.choose(&moves) else { break };
            position.play(m);
            let units = 25.0 * two(&position).terms[0].value as f32;
            // An advantage of sixteen squares makes the odds ten to one.
            let chance = 1.0 / (1.0 + 10_f32.powf(-units / 400.0));
            let result = if (rng.below(1_000_000) as f32) < 1e6 * chance { 1.0 } else { 0.0 };
            samples.push(Sample { position, result, score: 0 });
        }
    }
    let how = Fit { epochs: 30, score_share: 0.0, decay: 0.0 };
    let fitted = fit(&samples, two, how, |_, _| ());
    assert!((fitted.weights[0].early - 25.0).abs() < 3.0 && fitted.weights[1].early.abs() < 3.0, "{fitted:?}");
    assert!(fitted.loss[1] < fitted.loss[0]);
}

/// Checks that the rows are aligned like those of `src/player/weights.rs` in each game's crate.
#[test]
fn rows_can_be_pasted_into_the_source() {
    let weight = |id, early, late| {
        let term = TermValue { id, name: "", value: 0, early: 0.0, late: 0.0, weight: 0.0 };
        Weight { term, early, late }
    };
    let printed = rows(&[weight("SideToMove", 1.0, -2.25), weight("Men", -64.0, -0.001)]);
    let expected = "    // term             early    late
    (Term::SideToMove,    256,   -576),
    (Term::Men,        -16384,      0),
";
    assert_eq!(printed, expected);
}
