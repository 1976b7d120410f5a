//! Compares the horizon of the Jump61 player with an exhaustive search, on every size from 2 to 6, from openings,
//! middle games and positions near the end. The player finds every win in four moves and prevents every avoidable loss
//! in four moves.

use engine::{Built, PlayerOptions, Resources};
use game::{PliesLeft, Position as _, Record, SplitMix64};
use jump61::Position;
use search::{Blind, Control, ForcedWins, Score, Stop};

fn player(size: usize, words: &str) -> Built<Position> {
    let options: PlayerOptions = words.parse().expect("all words are known");
    options.make(&Position::start(size).expect("a size"), &Resources::default()).expect("a player")
}

/// Returns positions of a game between two weak players: about `each` positions from the beginning, from the middle and
/// from the end.
fn positions(size: usize, seed: u64, each: usize) -> Vec<Position> {
    let mut player = player(size, "nodes=300,horizon=0/0,table=1,noise=200");
    player.engine.new_game(seed);
    let mut rng = SplitMix64::new(seed);
    let mut record = Record::new(Position::start(size).expect("a size"));
    let mut all = Vec::new();
    while record.finish().is_none() {
        all.push(*record.position());
        let moves = record.position().legal_moves();
        let by_chance = rng.below(4) == 0;
        let choice = player.engine.choose(&record, &player.limits, &mut Control::unattended()).expect("a move");
        record.play(if by_chance { *rng.choose(&moves).expect("a move") } else { choice.best });
    }
    let middle = all.len() / 2;
    let parts =
        [0..each.min(all.len()), middle..(middle + each).min(all.len()), all.len().saturating_sub(each + 2)..all.len()];
    parts.into_iter().flat_map(|range| all[range].to_vec()).collect()
}

/// Returns the number of plies in which the side to move wins, up to `most`, by exhaustive search.
fn wins_in(p: &Position, most: u32) -> Option<u32> {
    let mut search = ForcedWins::new(&Blind, Stop::new(), 16);
    (1..=most).step_by(2).find(|&plies| search.wins(p, plies, PliesLeft::UNLIMITED) == Ok(true))
}

/// Returns the number of plies in which the side to move loses against best play, up to `most`.
fn loses_in(p: &Position, most: u32) -> Option<u32> {
    let after = p.legal_moves().into_iter().map(|m| match p.child(m) {
        child if child.decided().is_some() => None,
        child => wins_in(&child, most - 1).map(|plies| plies + 1),
    });
    after.collect::<Option<Vec<u32>>>()?.into_iter().max()
}

fn check(size: usize, seeds: core::ops::Range<u64>, each: usize, (win, loss): (u32, u32)) -> u32 {
    let mut forced = 0;
    for p in seeds.flat_map(|seed| positions(size, seed, each)) {
        let mut player = player(size, &format!("nodes=50,horizon={win}/{loss},noise=0,table=4"));
        let choice = player.engine.choose(&Record::new(p), &player.limits, &mut Control::unattended());
        let choice = choice.expect("a move");
        let child = p.child(choice.best);
        if let Some(plies) = wins_in(&p, win) {
            assert_eq!(choice.score, Score::win_in(plies), "{p}");
            let after = if child.decided().is_some() { Some(0) } else { loses_in(&child, plies - 1) };
            assert_eq!(after, Some(plies - 1), "{} keeps the shortest win\n{p}", choice.best);
            forced += 1;
        } else if let Some(plies) = loses_in(&p, loss) {
            assert_eq!(choice.score, Score::loss_in(plies), "{p}");
            assert_eq!(wins_in(&child, loss - 1), Some(plies - 1), "{} lasts longest\n{p}", choice.best);
            forced += 1;
        } else {
            assert_eq!(wins_in(&child, loss - 1), None, "{} does not lose\n{p}", choice.best);
        }
    }
    forced
}

#[test]
fn the_horizon_of_four_moves_is_kept_on_small_boards() {
    assert!(check(2, 0..20, 4, (7, 8)) > 40);
    assert!(check(3, 0..10, 3, (7, 8)) > 15);
    assert!(check(4, 0..6, 2, (7, 8)) > 6);
}

#[test]
fn the_horizon_of_four_moves_is_kept_on_large_boards() {
    assert!(check(5, 0..3, 2, (7, 8)) > 3);
    assert!(check(6, 0..2, 1, (7, 8)) > 2);
}
