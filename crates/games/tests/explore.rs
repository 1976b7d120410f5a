//! Tests of the keys of positions and moves for an opening explorer.

use games::{Branches, GameId, Setting};

fn at(game: GameId, moves: &[&str]) -> Branches {
    Setting::new(game, 60).record(None, moves).map(|game| game.branches()).expect("legal")
}

/// Returns the number of different keys of the legal moves.
fn classes(branches: &Branches) -> usize {
    let mut ways: Vec<u64> = branches.ways.iter().map(|(_, way)| *way).collect();
    ways.sort_unstable();
    ways.dedup();
    ways.len()
}

#[test]
fn symmetric_positions_and_moves_have_the_same_keys() {
    let start = at(GameId::LOA, &[]);
    // The start position has two mirror symmetries, so the 36 moves form nine classes of four images each.
    assert_eq!((start.ways.len(), classes(&start)), (36, 9));
    assert_eq!(at(GameId::LOA, &["b1-b3"]).position, at(GameId::LOA, &["g8-g6"]).position);
    assert_ne!(at(GameId::LOA, &["b1-b3"]).position, at(GameId::LOA, &["b1-d3"]).position);
    // After b1-b3 the position has no symmetry, so all moves have different keys.
    assert_eq!(classes(&at(GameId::LOA, &["b1-b3"])), at(GameId::LOA, &["b1-b3"]).ways.len());
    assert_eq!(at(GameId::JUMP61, &["1:2"]).position, at(GameId::JUMP61, &["6:5"]).position);
    assert_eq!(classes(&at(GameId::JUMP61, &[])), 6);
    assert_eq!(classes(&at(GameId::BREAKTHROUGH, &[])), 11);
    assert_eq!(classes(&at(GameId::CHECKERS, &[])), 7);
}

#[test]
fn a_mirrored_game_has_the_same_keys() {
    let setting = Setting::new(GameId::LOA, 60);
    let one = setting.record(None, &["b1-b3", "a2-c2", "d1-d3"]).map(|game| game.visits()).expect("legal");
    let other = setting.record(None, &["g1-g3", "h2-f2", "e1-e3"]).map(|game| game.visits()).expect("legal");
    assert_eq!(one, other);
    assert_eq!(one.iter().map(|visit| visit.turn).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(
        setting.record(None, &["b1-b3", "nonsense"][..1]).map(|game| game.visits()).map(|visits| visits.len()),
        Ok(1)
    );
    assert!(setting.record(None, &["b1-b3", "nonsense"][..2]).map(|game| game.visits()).is_err());
    // In the mirrored position, the key of a2-c2 is the key of its mirror image h2-f2.
    let here = at(GameId::LOA, &["g1-g3"]);
    assert_eq!(here.position, one[1].position);
    let again: Vec<&str> =
        here.ways.iter().filter(|(_, way)| *way == one[1].way).map(|(text, _)| text.as_str()).collect();
    assert_eq!(again, ["h2-f2"]);
}

#[test]
fn positions_under_different_rules_have_different_keys() {
    let start = |name| {
        Setting::new(GameId::LOA, 60).record(Some(name), &[]).map(|game| game.branches().position).expect("a start")
    };
    let usual = at(GameId::LOA, &[]).position;
    assert_eq!(start("nus"), usual, "the usual rules by another name");
    let others = [usual, start("mso"), start("scrambled-eggs"), start("scrambled-eggs mso")];
    assert_eq!(std::collections::HashSet::from(others).len(), others.len());
}
