//! Tests of results that are certain before the end of a game.

use engine::Resources;
use game::{Outcome, Side, SplitMix64};
use games::{AnyRecord, GameId, Repetitions, Setting, Settled, Source};

fn settled(setting: Setting, moves: &[&str], nodes: u64) -> Option<Settled> {
    let start = setting.random(0, 0).expect("a game").start();
    setting.record(Some(&start), moves).map(|game| game.settle(&Resources::default(), nodes)).expect("legal moves")
}

fn setting(game: GameId, size: usize) -> Setting {
    Setting { size: Some(size), ..Setting::new(game, 200) }
}

#[test]
fn small_boards_are_settled_and_the_move_limit_counts() {
    let won = |side, source| Some(Settled { outcome: Outcome::Win(side), source });
    let loa = setting(GameId::LOA, 4);
    assert_eq!(settled(loa, &[], 1_000_000), won(Side::First, Source::Search));
    assert_eq!(settled(loa, &[], 10), None, "the budget is too small");
    assert_eq!(settled(Setting { move_limit: 2, ..loa }, &[], 1_000_000), None, "the win comes too late");
    let twice = Setting { repetitions: Some(Repetitions::Times(2)), ..loa };
    assert_eq!(settled(twice, &[], 1_000_000), won(Side::First, Source::Search));
    assert_eq!(settled(setting(GameId::BREAKTHROUGH, 4), &[], 1_000_000), won(Side::Second, Source::Search));
    let six = setting(GameId::LOA, 6);
    assert_eq!(settled(six, &["b1-b3"], 0), won(Side::First, Source::Book));
    assert_eq!(settled(Setting { move_limit: 5, ..six }, &["b1-b3"], 0), None);
    let openspiel = Setting { repetitions: Some(Repetitions::OpenSpiel), ..setting(GameId::LOA, 4) };
    assert_eq!(settled(openspiel, &[], 1_000_000), None);
}

#[test]
fn a_win_that_avoids_repeated_positions_counts() {
    // In each circle, both sides make a move and reverse it, so that the start position occurs again.
    let loa = setting(GameId::LOA, 4);
    let start = loa.random(0, 0).expect("a game");
    let all = |game: &dyn game::TextGame| game.legal_moves();
    let mut circles = Vec::new();
    for one in all(&*start) {
        let mut game = start.cloned();
        game.play(&one).expect("legal");
        for other in if game.finish().is_none() { all(&*game) } else { Vec::new() } {
            let circle = [one.clone(), other.clone(), back(&one), back(&other)];
            let mut game = start.cloned();
            let plays = |text: &String| game.finish().is_none() && game.play(text).is_ok();
            if circle.iter().all(plays) && game.finish().is_none() {
                circles.push(circle);
            }
        }
    }
    assert!(!circles.is_empty());
    for circle in &circles {
        let moves: Vec<&str> = circle.iter().map(String::as_str).collect();
        let thrice = Setting { repetitions: Some(Repetitions::Times(3)), ..loa };
        // Only the start position has occurred twice. The winning line does not return to it, so the win still counts.
        assert_eq!(settled(thrice, &moves, 1_000_000), settled(loa, &[], 1_000_000));
    }
}

/// Returns the reverse of a move of Lines of Action.
fn back(text: &str) -> String {
    text.split_once('-').map(|(from, to)| format!("{to}-{from}")).unwrap_or_default()
}

/// Returns the only move after which the side to move wins, and the game after it.
fn only_winning_move(loa: Setting, game: &dyn AnyRecord) -> Option<(String, Box<dyn AnyRecord>)> {
    let mover = game.side_to_move();
    let mut found = Vec::new();
    for text in game.legal_moves() {
        let mut after = game.cloned();
        after.play(&text).expect("legal");
        let position = after.position();
        let outcome = loa
            .record(Some(&position), &[])
            .map(|game| game.settle(&Resources::default(), 1_000_000))
            .expect("a position");
        if after.finish().is_some_and(|finish| finish.outcome == Outcome::Win(mover)) {
            return None;
        }
        if outcome.is_some_and(|settled| settled.outcome == Outcome::Win(mover)) {
            found.push((text, after));
        }
    }
    if found.len() == 1 { found.pop() } else { None }
}

/// Plays lines that begin after the only winning move of a position and lead back to that position, so that the winning
/// move would repeat the first position of the line.
#[test]
fn the_only_winning_move_does_not_win_if_it_draws_by_repetition() {
    let loa = setting(GameId::LOA, 4);
    let (mut rng, mut circles) = (SplitMix64::new(1), 0);
    for _ in 0..40 {
        let mut game = loa.random(0, 0).expect("a game");
        while game.finish().is_none() && game.plies() < 12 {
            let moves = game.legal_moves();
            let text = &moves[rng.below(moves.len())];
            game.play(text).expect("legal");
            let Some((winning, after)) = only_winning_move(loa, &*game) else { continue };
            for reply in after.legal_moves() {
                let line = [reply.clone(), back(&winning), back(&reply)];
                let mut circle = loa.record(Some(&after.position()), &[]).expect("a position");
                let is_circle = line.iter().all(|text| circle.finish().is_none() && circle.play(text).is_ok());
                if !is_circle || circle.position() != game.position() {
                    continue;
                }
                let line: Vec<&str> = line.iter().map(String::as_str).collect();
                let settle = |times| {
                    let setting = Setting { repetitions: Some(Repetitions::Times(times)), ..loa };
                    setting
                        .record(Some(&after.position()), &line)
                        .map(|game| game.settle(&Resources::default(), 1_000_000))
                        .expect("legal moves")
                };
                let win = Outcome::Win(game.side_to_move());
                assert!(settle(2).is_none_or(|settled| settled.outcome != win), "{} {line:?}", after.position());
                assert!(settle(9).is_some_and(|settled| settled.outcome == win), "{} {line:?}", after.position());
                circles += 1;
            }
        }
    }
    assert!(circles > 10, "{circles} positions");
}
