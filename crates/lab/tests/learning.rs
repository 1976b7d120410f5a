//! Tests of training on a small scale. The learned evaluations of Jump61 and checkers must predict the held-back games
//! better than the terms alone. For Lines of Action, the loss must be closer to the loss of the terms than to that of
//! an even chance.

use clap::Parser as _;
use engine::Resources;
use engine::learned::LearnedNumbers;
use jump61::player::learned::Learned;
use lab::learn::{Compare, Learnable, Learning, Loss, held_back_loss, learn};
use measure::jobs::Kind;
use measure::samples::{Recipe, Sample, read};
use search::Policy;

fn recipe(game: &str, player: &str) -> Recipe {
    let (game, player) = (game.to_owned(), player.to_owned());
    Recipe { game, size: None, player, opening: 8, move_limit: 200, seed: 1 }
}

/// Plays samples as `tune generate GAME --player build=second,…` does.
fn samples<P: Learnable>(game: &str, games: u64, nodes: u32) -> Vec<Sample<P>> {
    let recipe = recipe(game, &format!("build=second,nodes={nodes},horizon=0/0,table=1,without=proof"));
    let resources = Resources::default();
    let mut hand = recipe.hand(&resources).expect("a player");
    let lines: String = (0..games).map(|number| hand(number, "").expect("a game")).collect();
    read(lines.as_bytes()).expect("samples")
}

#[test]
fn samples_are_played_with_the_given_evaluation() {
    let layout = jump61::Position::LAYOUT;
    let numbers = LearnedNumbers {
        size: 6,
        table: Vec::new(),
        rows: vec![0; layout.inputs * layout.units],
        bias: vec![0; layout.units],
        outputs: vec![0; layout.sets * layout.set()],
    };
    let blind: &'static Learned = Box::leak(Box::new(Learned::new(&numbers).expect("numbers that fit")));
    let given = Resources::default().with_evaluation(blind);
    for words in ["level=10", "level=9", "endgames=no"] {
        let recipe = recipe("jump61", &format!("{words},nodes=100,horizon=0/0,table=1,without=proof"));
        let [usual, other] = [&Resources::default(), &given].map(|resources| {
            let mut hand = recipe.hand(resources).expect("a player");
            hand(0, "").expect("a game")
        });
        assert_ne!(usual, other, "{words}");
    }
}

/// Cross-entropy of a prediction without information (an even chance), in bits.
const NOTHING_KNOWN: f32 = 1.0;

/// Trains an evaluation with the given parameters. Returns the losses of the terms and of the learned evaluation.
fn trained<P: Learnable>(samples: &[Sample<P>], how: Learning) -> [Loss; 2] {
    let terms = P::terms();
    let before = held_back_loss(samples, how, |p| terms.evaluate(p));
    let mut passes = Vec::new();
    let numbers = learn(samples, how, |_, loss| passes.push(loss)).expect("a training");
    let evaluate = P::evaluation(&numbers).expect("numbers that fit");
    let after = held_back_loss(samples, how, evaluate);
    let last = passes[passes.len() - 1];
    assert!(last.targets < passes[0].targets, "{passes:?}");
    // The evaluation in integers is as good as the evaluation in floating point.
    assert!((after.targets - last.targets).abs() < 0.002, "{after:?} {passes:?}");
    [before, after]
}

// Each test uses about the smallest number of games that is sufficient: the test passes with each of three seeds, and
// fails if the labels are shuffled or the weights are not trained. Results of so few games are noisy, so the weight of
// the search's scores is higher than usual, and the steps are larger.

/// The evaluation of Lines of Action has a large table, so a thousand games are not enough to predict better than the
/// terms.
#[test]
fn training_lines_of_action_closes_more_than_half_of_the_gap_to_the_terms() {
    let samples = samples::<loa::Position>("loa", 1_000, 100);
    let how = Learning { epochs: 6, score_share: 0.7, rate: 0.02, ..Learning::default() };
    let [before, after] = trained(&samples, how);
    assert!(after.targets < f32::midpoint(before.targets, NOTHING_KNOWN), "{before:?} {after:?}");
}

#[test]
fn training_rejects_positions_on_boards_of_different_sizes() {
    let mut samples = samples::<loa::Position>("loa", 1, 100);
    samples.push(Sample { position: loa::Position::start(6).expect("a size"), ..samples[0] });
    let error = learn(&samples, Learning::default(), |_, _| ()).expect_err("two sizes");
    assert_eq!(error, "expected positions on boards of one size, found 8×8 and 6×6");
    let error = learn::<loa::Position>(&[], Learning::default(), |_, _| ()).expect_err("no samples");
    assert_eq!(error, "expected positions, found none");
}

// The next tests measure losses against the results alone. The scores in the targets come from the terms, so no other
// evaluation predicts them better.

#[test]
fn training_jump61_from_scratch_predicts_better_than_the_terms() {
    let samples = samples::<jump61::Position>("jump61", 500, 100);
    let how = Learning { epochs: 8, score_share: 0.7, rate: 0.02, ..Learning::default() };
    let [before, after] = trained(&samples, how);
    assert!(after.results < before.results.min(NOTHING_KNOWN) - 0.005, "{before:?} {after:?}");
}

#[test]
fn training_checkers_from_scratch_predicts_better_than_the_terms() {
    let samples = samples::<checkers::Position>("checkers", 500, 10);
    let how = Learning { epochs: 8, score_share: 0.5, rate: 0.02, ..Learning::default() };
    let [before, after] = trained(&samples, how);
    assert!(after.results < before.results.min(NOTHING_KNOWN) - 0.05, "{before:?} {after:?}");
}

#[test]
fn an_evaluation_for_another_board_is_rejected() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../loa/data/loa6.evaluation");
    let error = Compare::parse_from(["compare", "loa", file]).run().expect_err("a board of 8×8");
    let expected = format!("{file}: an evaluation for 6×6; expected one for 8×8 (`--size` selects the board)");
    assert_eq!(error.to_string(), expected);
}

#[test]
fn the_evaluations_in_the_repository_have_the_hashes_of_their_recipes() {
    let all: [(&[u8], &str); 5] = [
        (include_bytes!("../../loa/data/loa6.evaluation"), include_str!("../../loa/data/loa6.recipe")),
        (include_bytes!("../../loa/data/loa8.evaluation"), include_str!("../../loa/data/loa8.recipe")),
        (include_bytes!("../../jump61/data/jump61-6.evaluation"), include_str!("../../jump61/data/jump61-6.recipe")),
        (
            include_bytes!("../../checkers/data/checkers.evaluation"),
            include_str!("../../checkers/data/checkers.recipe"),
        ),
        (
            include_bytes!("../../breakthrough/data/breakthrough8.evaluation"),
            include_str!("../../breakthrough/data/breakthrough8.recipe"),
        ),
    ];
    for (file, recipe) in all {
        let hash = arena::sha256([recipe.as_bytes()]);
        let head = file.split(|&byte| byte == b'\n').next().expect("a first line");
        assert!(head.ends_with(hash.as_bytes()), "{hash}");
    }
}
