//! Crossroads of many games.

use games::{Crossroads, GameId, Setting};

fn at(game: GameId, moves: &[&str]) -> Crossroads {
    Setting { game, size: None, move_limit: 60, repetitions: None }.crossroads(None, moves).expect("legal")
}

fn classes(crossroads: &Crossroads) -> usize {
    let mut ways: Vec<u64> = crossroads.ways.iter().map(|(_, way)| *way).collect();
    ways.sort_unstable();
    ways.dedup();
    ways.len()
}

#[test]
fn images_of_positions_and_moves_are_the_same() {
    let start = at(GameId::Loa, &[]);
    // Four of 36 moves at a time are images of each other; the start looks the same from left and from above.
    assert_eq!((start.ways.len(), classes(&start)), (36, 9));
    assert_eq!(at(GameId::Loa, &["b1-b3"]).position, at(GameId::Loa, &["g8-g6"]).position);
    assert_ne!(at(GameId::Loa, &["b1-b3"]).position, at(GameId::Loa, &["b1-d3"]).position);
    // After it one symmetry is left at most, and moves differ.
    assert_eq!(classes(&at(GameId::Loa, &["b1-b3"])), at(GameId::Loa, &["b1-b3"]).ways.len());
    assert_eq!(at(GameId::Jump61, &["1:2"]).position, at(GameId::Jump61, &["6:5"]).position);
    assert_eq!(classes(&at(GameId::Jump61, &[])), 6);
    assert_eq!(classes(&at(GameId::Breakthrough, &[])), 11);
    assert_eq!(classes(&at(GameId::Checkers, &[])), 7);
}

#[test]
fn the_same_game_seen_in_a_mirror_visits_the_same_places() {
    let setting = Setting { game: GameId::Loa, size: None, move_limit: 60, repetitions: None };
    let one = setting.visits(None, &["b1-b3", "a2-c2", "d1-d3"], 60).expect("legal");
    let other = setting.visits(None, &["g1-g3", "h2-f2", "e1-e3"], 60).expect("legal");
    assert_eq!(one, other);
    assert_eq!(one.iter().map(|visit| visit.turn).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(setting.visits(None, &["b1-b3", "nonsense"], 1).map(|visits| visits.len()), Ok(1));
    assert!(setting.visits(None, &["b1-b3", "nonsense"], 2).is_err());
    // A move is found again among the ways of its position.
    let here = at(GameId::Loa, &["g1-g3"]);
    assert_eq!(here.position, one[1].position);
    let again: Vec<&str> =
        here.ways.iter().filter(|(_, way)| *way == one[1].way).map(|(text, _)| text.as_str()).collect();
    assert_eq!(again, ["h2-f2"]);
}
