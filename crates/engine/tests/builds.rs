//! Builds of players, and their limits under a clock.

use core::time::Duration;

use engine::{Build, Level, Playable, PlayerOptions, Resources};
use game::Record;
use search::{Control, Limits};

#[test]
fn the_levels_of_every_game_rise() {
    let loa = loa::Position::start(8).expect("a size").profile();
    let jump61 = jump61::Position::start(6).expect("a size").profile();
    let breakthrough = breakthrough::Position::start(8).expect("a size").profile();
    for profile in [loa, checkers::Position::start().profile(), jump61, breakthrough] {
        assert!(profile.ladder.is_sorted_by(|a, b| a.nodes < b.nodes && a.noise > b.noise));
        assert!(profile.ladder.iter().all(|rung| rung.nodes < profile.full.default_nodes));
        assert!(Level::all().map(|level| level.elo(&profile)).is_sorted());
    }
}

#[test]
fn a_build_that_a_game_does_not_have_is_named_with_those_it_has() {
    let options: PlayerOptions = "build=reference".parse().expect("all words are known");
    let start = checkers::Position::start();
    let error = options.make(&start, &Resources::default()).err().map(|error| error.to_string());
    let expected = "the game has no player `build=reference`: expected current, second, first, mcts, random";
    assert_eq!(error.as_deref(), Some(expected));
    assert!(options.make(&loa::Position::start(6).expect("a size"), &Resources::default()).is_ok());
}

#[test]
fn a_clock_leaves_the_budget_in_place() {
    let start = loa::Position::start(8).expect("a size");
    let within = |words: &str| {
        let options: PlayerOptions = words.parse().expect("all words are known");
        options.make(&start, &Resources::default()).expect("a player").limits_within(Duration::from_secs(1))
    };
    let full = start.profile().full.default_nodes;
    assert_eq!(within(""), Limits { nodes: Some(full), ..Limits::movetime(Duration::from_secs(1)) });
    assert_eq!(within("depth=3"), Limits { depth: Some(3), ..Limits::movetime(Duration::from_secs(1)) });
    assert_eq!(within("movetime=0.5").movetime, Some(Duration::from_millis(500)));
}

/// Plays a game of each build with itself, with a few nodes a move.
fn every_build_plays<P: Playable>(start: &P) {
    for build in Build::of(start) {
        let options: PlayerOptions = format!("build={build},nodes=30,horizon=1/0,book=no").parse().expect("options");
        let mut player = options.make(start, &Resources::default()).expect("a player");
        let mut game = Record::new(start.clone()).with_move_limit(30);
        while game.finish().is_none() {
            let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended()).expect("a move");
            assert!(game.position().is_legal(choice.best) && choice.pv[0] == choice.best, "{build}: {choice:?}");
            game.play(choice.best);
        }
    }
}

#[test]
fn every_build_of_every_game_plays_legal_moves() {
    every_build_plays(&loa::Position::start(8).expect("a size"));
    every_build_plays(&loa::Position::start(5).expect("a size"));
    every_build_plays(&jump61::Position::start(6).expect("a size"));
    every_build_plays(&breakthrough::Position::start(8).expect("a size"));
    every_build_plays(&checkers::Position::start());
}

#[test]
fn simulations_of_mcts_cost_more_than_nodes_and_default_budgets_are_smaller() {
    let start = loa::Position::start(8).expect("a size");
    let nodes = |words: &str| {
        let options: PlayerOptions = words.parse().expect("all words are known");
        let player = options.make(&start, &Resources::default()).expect("a player");
        (player.limits.nodes, player.default_nodes)
    };
    let profile = start.profile();
    assert_eq!(nodes("build=mcts"), (None, profile.full.default_nodes / 20));
    assert_eq!(nodes("build=mcts,level=1").0, Some(profile.ladder[0].nodes / 20));
    assert_eq!(nodes("build=mcts,level=1,nodes=7").0, Some(7));
    assert_eq!(nodes("level=1").0, Some(profile.ladder[0].nodes));
}
