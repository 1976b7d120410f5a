//! Tests of the playing search against plain minimax, and of the guarantees of its horizon.

use std::collections::HashSet;

use game::{PliesLeft, Position, Record, examples::Nim};
use search::{AlphaBeta, Control, Engine, Limits, Score, Settings, minimax};

use crate::common::{Random, exact, from_child, positions, sparse_boards};
use crate::forced_wins::WIN_IN_FIVE;

fn search_equals_minimax<P: Position>(start: &P, games: u64, depths: core::ops::RangeInclusive<u32>) {
    for record in positions(start, games, 9) {
        for depth in depths.clone() {
            let mut player = AlphaBeta::new(Random, exact());
            let choice = player.choose(&record, &Limits::depth(depth), &mut Control::unattended()).expect("a move");
            let truth = minimax(record.position(), &Random, depth, record.plies_left());
            assert_eq!(choice.score, truth, "depth {depth}, {}\n{}", record.plies_left(), record.position());
            let child = record.position().child(choice.best);
            let left = record.plies_left().next();
            let by_move = match child.decided() {
                Some(outcome) => Score::of_outcome(outcome, record.position().side_to_move(), 1),
                None => from_child(minimax(&child, &Random, depth - 1, left)),
            };
            assert_eq!(by_move, truth, "the chosen move {} has the value\n{}", choice.best, record.position());
        }
    }
}

/// Checks that minimax accepts a position without plies left. Other tests evaluate such positions, after the last move
/// before the move limit.
#[test]
fn minimax_of_a_position_without_plies_left_is_a_draw() {
    let start = loa::Position::start(4).expect("a size");
    assert_ne!(minimax(&start, &Random, 0, PliesLeft::new(1)), Score::DRAW, "the evaluation is no draw");
    for depth in 0..3 {
        assert_eq!(minimax(&start, &Random, depth, PliesLeft::new(0)), Score::DRAW);
    }
}

#[test]
fn principal_variation_search_is_minimax() {
    search_equals_minimax(&loa::Position::start(4).expect("a size"), 12, 1..=4);
    search_equals_minimax(&loa::Position::start(5).expect("a size"), 6, 1..=3);
    search_equals_minimax(&jump61::Position::start(3).expect("a size"), 12, 1..=5);
    search_equals_minimax(&checkers::Position::start(), 4, 1..=5);
    search_equals_minimax(&breakthrough::Position::start(4).expect("a size"), 12, 1..=5);
    search_equals_minimax(&"11 a".parse::<Nim>().expect("a heap"), 20, 1..=11);
}

/// Checks the guarantees of the horizon: the shortest win is played, and a loss is avoided or delayed as long as
/// possible. Returns `true` if every move loses.
pub(crate) fn keeps_horizon<P: Position>(record: &Record<P>, win: u32, loss: u32) -> bool {
    let settings = Settings { win_horizon: win, loss_horizon: loss, default_nodes: 50, ..exact() };
    let mut player = AlphaBeta::new(Random, settings);
    let choice = player.choose(record, &Limits::default(), &mut Control::unattended()).expect("a move");
    let truth = minimax(record.position(), &Random, win.max(loss), record.plies_left());
    let p = record.position();
    let after = minimax_after(p, choice.best, win.max(loss), record.plies_left().next());
    if let Some(plies) = truth.win_distance().filter(|&n| n <= win) {
        assert_eq!(after.win_distance(), Some(plies), "{} keeps the shortest win\n{p}", choice.best);
        assert_eq!(choice.score, Score::win_in(plies), "{p}");
    } else if let Some(plies) = truth.loss_distance().filter(|&n| n <= loss) {
        assert_eq!(after.loss_distance(), Some(plies), "{} lasts longest\n{p}", choice.best);
        assert_eq!(choice.score, Score::loss_in(plies), "{p}");
        return true;
    } else {
        assert!(after.loss_distance().is_none_or(|n| n > loss), "{} does not lose\n{p}", choice.best);
    }
    false
}

fn horizon_holds<P: Position>(start: &P, games: u64, win: u32, loss: u32) {
    let losses = positions(start, games, 77).iter().filter(|record| keeps_horizon(record, win, loss)).count();
    assert!(losses > 0, "no position is lost");
}

fn minimax_after<P: Position>(p: &P, m: P::Move, depth: u32, left: PliesLeft) -> Score {
    let child = p.child(m);
    match child.decided() {
        Some(outcome) => Score::of_outcome(outcome, p.side_to_move(), 1),
        None => from_child(minimax(&child, &Random, depth - 1, left)),
    }
}

#[test]
fn the_horizon_is_kept_with_few_nodes() {
    horizon_holds(&loa::Position::start(4).expect("a size"), 60, 5, 4);
    horizon_holds(&jump61::Position::start(2).expect("a size"), 60, 7, 8);
    horizon_holds(&jump61::Position::start(3).expect("a size"), 10, 5, 6);
    let sparse = "b--bb/--b--/-----/w---w/-ww-- w".parse::<breakthrough::Position>().expect("a position");
    horizon_holds(&sparse, 30, 5, 4);
}

#[test]
fn the_horizon_is_kept_on_sparse_boards() {
    for record in sparse_boards(1_500).filter(|record| !record.position().is_stuck()) {
        keeps_horizon(&record, 4, 4);
    }
}

#[test]
fn choices_depend_only_on_the_seed() {
    let record = Record::new(loa::Position::start(6).expect("a size"));
    let choose = |seed: Option<u64>| {
        let mut player = AlphaBeta::new(Random, Settings { noise: 60, ..exact() });
        if let Some(seed) = seed {
            player.new_game(seed);
        }
        player.choose(&record, &Limits::nodes(3_000), &mut Control::unattended()).expect("a move")
    };
    assert_eq!(choose(Some(4)), choose(Some(4)));
    assert_eq!(choose(None), choose(None));
    let different: HashSet<String> = (0..10).map(|s| choose(Some(s)).best.to_string()).collect();
    assert!(different.len() > 1);
}

#[test]
fn a_side_with_an_advantage_does_not_repeat_positions() {
    // Black has two towers and a man, and White has a distant tower. A short search finds no progress, so without
    // `shuns_repetition` it might move back and forth.
    let start: checkers::Position =
        "......../....W.../......../......../......../..B...../.....b../B....... b".parse().expect("a board");
    let settings = Settings { shuns_repetition: true, ..exact() };
    let mut player = AlphaBeta::new(Random, settings);
    let mut game = Record::new(start);
    for _ in 0..24 {
        let choice = player.choose(&game, &Limits::depth(2), &mut Control::unattended()).expect("a move");
        let repeats = game.steps().iter().any(|step| step.position == game.position().child(choice.best));
        assert!(!repeats || choice.score <= Score::DRAW, "{} at {}\n{}", choice.best, choice.score, game.position());
        game.play(choice.best);
        if game.finish().is_some() {
            break;
        }
    }
}

#[test]
fn a_far_win_is_found_if_the_budget_allows() {
    let record = Record::new(WIN_IN_FIVE.parse::<loa::Position>().expect("a position"));
    let found = |far_horizon, default_nodes| {
        let settings = Settings { win_horizon: 3, far_horizon, default_nodes, table_mib: 4, ..exact() };
        let mut player = AlphaBeta::new(Random, settings);
        let choices = [(); 2].map(|()| player.choose(&record, &Limits::default(), &mut Control::unattended()));
        assert_eq!(choices[0], choices[1], "the same budget gives the same choice");
        choices[0].as_ref().expect("a move").score.win_distance()
    };
    assert_eq!(found(5, 1_000_000), Some(5));
    assert_eq!([found(5, 20), found(3, 20)], [None, None]);
}
