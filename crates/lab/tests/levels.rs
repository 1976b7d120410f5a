//! Tests that level 1 suits beginners: stronger than random moves, weaker than a player that searches two plies. The
//! games are seeded, so the result is always the same. `docs/engine.md` has the long matches.

use engine::Resources;
use games::{GameId, Setting};
use measure::matches::Match;
use rating::Tally;

/// Returns the first player's share of the points in this many pairs of games.
fn share(game: GameId, players: [&str; 2], pairs: u64) -> f64 {
    let duel = Match {
        setting: Setting::new(game, 300),
        opening_plies: 6,
        seed: 1,
        clock: None,
        players: players.map(|words| (words.parse().expect("a player"), Resources::default())),
    };
    let mut tally = Tally::new();
    let run = duel.run(0, pairs, 2, |pair| {
        tally.add([pair[0].score, pair[1].score]);
        true
    });
    assert_eq!(run, Ok(()));
    tally.score()
}

/// Returns the number of pairs of games in a match between players of similar strength. The standard error is four to
/// six percent. Two of the games take longer to play, but their levels differ more, so fewer pairs are enough.
fn pairs(game: GameId) -> u64 {
    if [GameId::LOA, GameId::JUMP61].contains(&game) { 24 } else { 50 }
}

#[test]
fn level_one_beats_random_moves_and_loses_to_two_plies() {
    const GREEDY: &str = "depth=2,horizon=0/0,noise=0,without=all";
    for game in GameId::BUILT_IN {
        let over_chance = share(game, ["level=1", "build=random"], 10);
        assert!(over_chance >= 0.8, "{game}: level 1 scores {over_chance} against random moves");
        let under_greedy = share(game, [GREEDY, "level=1"], 24);
        assert!(under_greedy >= 0.75, "{game}: a greedy player scores {under_greedy} against level 1");
    }
}

/// Checks that the beginners' levels are in order, that all are weaker than level 1, and that the weakest is stronger
/// than random moves.
#[test]
fn gentle_levels_are_in_order_below_level_one() {
    for game in GameId::BUILT_IN {
        for (upper, lower) in [("1", "gentle3"), ("gentle3", "gentle2"), ("gentle2", "gentle1")] {
            let points = share(game, [&format!("level={upper}"), &format!("level={lower}")], pairs(game));
            assert!(points >= 0.55, "{game}: level {upper} scores {points} against level {lower}");
        }
        let over_chance = share(game, ["level=gentle1", "build=random"], pairs(game));
        assert!(over_chance >= 0.65, "{game}: level gentle1 scores {over_chance} against random moves");
    }
}

#[test]
fn levels_are_in_order() {
    for (game, lower, upper) in
        [(GameId::LOA, 1, 4), (GameId::JUMP61, 1, 4), (GameId::CHECKERS, 1, 5), (GameId::BREAKTHROUGH, 1, 4)]
    {
        let points = share(game, [&format!("level={upper}"), &format!("level={lower}")], 4);
        assert!(points >= 0.75, "{game}: level {upper} scores {points} against level {lower}");
    }
}
