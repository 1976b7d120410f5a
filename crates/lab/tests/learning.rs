//! The learned evaluation is trained from nothing, on a small scale: it predicts held-back results better than the terms
//! alone do.

use engine::Resources;
use engine::loa::LoaPolicy;
use engine::loa::learned::Learned;
use lab::learn::{Learning, held_back_loss, learn};
use loa::Position;
use measure::jobs::Kind;
use measure::samples::{Recipe, Sample, read};
use search::Policy;

/// As `tune generate loa --games 2600 --player build=second,nodes=40,… --opening 8 --seed 1`.
fn samples(games: u64) -> Vec<Sample<Position>> {
    let recipe = Recipe {
        game: "loa".to_owned(),
        size: None,
        player: "build=second,nodes=60,horizon=0/0,table=1,proof=0".to_owned(),
        opening: 8,
        move_limit: 200,
        seed: 1,
    };
    let resources = Resources::default();
    let mut hand = recipe.hand(&resources).expect("a player");
    let lines: String = (0..games).map(|number| hand(number, "").expect("a game")).collect();
    read(lines.as_bytes()).expect("samples")
}

#[test]
fn training_from_nothing_predicts_better_than_the_terms() {
    let samples = samples(2_000);
    let how = Learning { epochs: 8, decay: 1e-4, ..Learning::default() };
    let terms = LoaPolicy::terms();
    let before = held_back_loss(&samples, how, |p| terms.evaluate(p));
    let mut passes = Vec::new();
    let numbers = learn(&samples, how, |_, loss| passes.push(loss.results)).expect("a training");
    let learned = Learned::new(&numbers).expect("numbers that fit");
    let after = held_back_loss(&samples, how, |p| learned.evaluate(p));
    assert!(passes[7] < passes[0], "{passes:?}");
    assert!(after.results < before.results, "{before:?} {after:?}");
    // In whole numbers it is as good as in floating point.
    assert!((after.results - passes[7]).abs() < 0.002, "{after:?} {passes:?}");
}
