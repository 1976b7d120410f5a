//! Builds of players, and their limits under a clock.

use core::time::Duration;

use engine::{Level, Playable as _, PlayerOptions, Resources};
use search::Limits;

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
    let expected = "the game has no player `build=reference`: expected current, second, first, random";
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
