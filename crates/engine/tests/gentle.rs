//! The opponents for beginners.

use engine::{Level, PlayerOptions, Resources};
use game::{Position as _, Record};
use loa::Position;
use search::Control;

/// Returns the moves that a level chooses in a position, with a hundred seeds.
fn choices(level: &str, game: &Record<Position>) -> Vec<String> {
    let options = PlayerOptions { level: level.parse().expect("a level"), ..PlayerOptions::default() };
    let mut player = options.make(game.position(), &Resources::default()).expect("a player");
    let choose = |seed| {
        player.engine.new_game(seed);
        let choice = player.engine.choose(game, &player.limits, &mut Control::unattended());
        choice.expect("a move").best.to_string()
    };
    (0..100).map(choose).collect()
}

#[test]
fn the_seed_fixes_the_choice_and_seeds_differ() {
    let game = Record::new(Position::start(8).expect("a size"));
    for level in Level::all().filter(|level| level.is_gentle()) {
        let mut found = choices(level.name(), &game);
        assert_eq!(found, choices(level.name(), &game));
        found.sort();
        found.dedup();
        assert!(found.len() >= 3, "{level}: {found:?}");
    }
}

#[test]
fn a_win_in_one_is_taken_more_often_the_higher_the_level() {
    let game = Record::new("------/--b---/--b---/-b-ww-/-----w/w-b--- b".parse::<Position>().expect("a position"));
    let wins = |level| {
        let is_win = |text: &&String| {
            let m = game.position().parse_move(text).expect("legal");
            game.position().child(m).decided().is_some()
        };
        choices(level, &game).iter().filter(is_win).count()
    };
    let found = ["gentle1", "gentle2", "gentle3"].map(wins);
    assert!(found.is_sorted() && found[0] >= 55 && found[2] >= 85, "{found:?}");
}

/// Plays the same four moves in two orders, so that the last moves are in different corners of the same position.
#[test]
fn moves_near_the_last_ones_are_chosen_more_often() {
    let near = |moves: [&str; 4]| {
        let mut game = Record::new(Position::start(8).expect("a size"));
        for text in moves {
            game.play(game.position().parse_move(text).expect("legal"));
        }
        let is_near = |text: &&String| ["a", "b", "c", "d"].iter().any(|file| text.starts_with(file));
        choices("gentle1", &game).iter().filter(is_near).count()
    };
    let left = near(["g1-g3", "h5-f5", "b8-b6", "a4-c4"]);
    let right = near(["b8-b6", "a4-c4", "g1-g3", "h5-f5"]);
    assert!(left >= right + 5, "{left} and {right} of 100 moves begin on the left half");
}
