//! The learned evaluation is trained from nothing, on a small scale: it predicts the games that are held back better
//! than the terms alone do.

use engine::Resources;
use engine::loa::LoaPolicy;
use engine::loa::learned::Learned;
use lab::learn::{Learning, held_back_loss, learn};
use loa::Position;
use measure::jobs::Kind;
use measure::samples::{Recipe, Sample, read};
use search::Policy;

/// As `tune generate loa --games 4000 --player build=second,nodes=100,…` plays them.
fn samples() -> Vec<Sample<Position>> {
    let recipe = Recipe {
        game: "loa".to_owned(),
        size: None,
        player: "build=second,nodes=100,horizon=0/0,table=1,without=proof".to_owned(),
        opening: 8,
        move_limit: 200,
        seed: 1,
    };
    let resources = Resources::default();
    let mut hand = recipe.hand(&resources).expect("a player");
    let lines: String = (0..4_000).map(|number| hand(number, "").expect("a game")).collect();
    read(lines.as_bytes()).expect("samples")
}

#[test]
fn training_from_nothing_predicts_better_than_the_terms() {
    let samples = samples();
    // Results of so few games are too noisy to learn from alone: the search's scores count more than usual.
    let how = Learning { epochs: 6, score_share: 0.7, ..Learning::default() };
    let terms = LoaPolicy::terms();
    let before = held_back_loss(&samples, how, |p| terms.evaluate(p));
    let mut passes = Vec::new();
    let numbers = learn(&samples, how, |_, loss| passes.push(loss)).expect("a training");
    let learned = Learned::new(&numbers).expect("numbers that fit");
    let after = held_back_loss(&samples, how, |p| learned.evaluate(p));
    // Against results alone: the scores in the targets come from the terms, which know them best.
    assert!(after.results < before.results - 0.005, "{before:?} {after:?} {passes:?}");
    assert!(passes[5].targets < passes[0].targets, "{passes:?}");
    // In whole numbers it is as good as in floating point.
    assert!((after.targets - passes[5].targets).abs() < 0.002, "{after:?} {passes:?}");
}
