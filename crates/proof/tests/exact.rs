//! Tests of the exact search of Jump61 against the reference implementation, and of the results of small boards.

use std::collections::HashMap;

use game::{Outcome, Position as _, Side, SplitMix64};
use jump61::Position;
use proof::ExactSearch;
use reference::Model as _;
use search::Stop;

/// Returns the winner by the reference implementation, after a full search of the game tree.
fn truth(p: &reference::jump61::Jump61, known: &mut HashMap<String, reference::Side>) -> reference::Side {
    if let Some(winner) = p.winner() {
        return winner;
    }
    if let Some(&winner) = known.get(&p.text()) {
        return winner;
    }
    let mover = p.to_move();
    let wins = p.children().iter().any(|(_, child)| truth(child, known) == mover);
    let winner = if wins { mover } else { mover.other() };
    known.insert(p.text(), winner);
    winner
}

fn winner(search: &mut ExactSearch, p: &Position) -> Side {
    search.winner(p).expect("never stopped")
}

#[test]
fn winners_agree_with_a_full_search() {
    let (mut known, mut wins) = (HashMap::new(), [0, 0]);
    let mut usual = ExactSearch::new(Stop::new(), 1, u64::MAX);
    // A table this small loses nearly every entry.
    let mut forgetful = ExactSearch::new(Stop::new(), 0, u64::MAX);
    for seed in 0..60 {
        let mut rng = SplitMix64::new(seed);
        // Positions on 4×4 are tested only near the end of a game, where the reference implementation is fast enough.
        let size = 2 + seed as usize % 3;
        let mut line = vec![Position::start(size).expect("a size")];
        while let Some(p) = line.last().filter(|p| p.decided().is_none()) {
            let next = p.child(*rng.choose(&p.legal_moves()).expect("a move"));
            line.push(next);
        }
        let first = if size == 4 { line.len().saturating_sub(6) } else { 0 };
        for (ply, p) in (first..).zip(&line[first..]).filter(|(_, p)| p.decided().is_none()) {
            assert!(ExactSearch::takes(p));
            let slow = reference::jump61::Jump61::parse(&p.to_string()).expect("a position");
            let expected = match truth(&slow, &mut known) {
                reference::Side::First => Side::First,
                reference::Side::Second => Side::Second,
            };
            wins[expected.index()] += 1;
            let mover = p.side_to_move();
            let searches = [&mut usual, &mut forgetful].into_iter().take(if size == 3 && ply < 5 { 1 } else { 2 });
            for search in searches {
                assert_eq!(winner(search, p), expected, "{p}");
                let moves = search.winning_moves(p).expect("never stopped");
                assert_eq!(moves.is_empty(), expected != mover, "{p}");
                for m in moves {
                    let child = p.child(m);
                    let won = Some(Outcome::Win(expected));
                    assert!(child.decided() == won || winner(search, &child) == expected, "{p} {m}");
                }
            }
        }
    }
    assert!(wins.iter().all(|&wins| wins > 60), "{wins:?}");
}

#[test]
fn a_stopped_search_can_be_continued() {
    let start = Position::start(3).expect("a size");
    let mut search = ExactSearch::new(Stop::new(), 1, u64::MAX);
    let (mut stops, mut limit) = (0, 0);
    let found = loop {
        limit += 500;
        search.set_limit(limit);
        match search.winner(&start) {
            Ok(winner) => break winner,
            Err(_) => stops += 1,
        }
    };
    assert_eq!(found, Side::Second);
    assert!(stops > 3, "{stops}");
    let stop = Stop::new();
    stop.stop();
    assert!(ExactSearch::new(stop, 1, u64::MAX).winner(&start).is_err());
    assert!(!ExactSearch::takes(&Position::start(5).expect("a size")));
    assert!(!ExactSearch::takes(&"1r1r/1r2r".parse().expect("a won board")));
}

/// Returns the winner and the length of the game from a position under best play: the winner wins as fast as possible,
/// and the loser delays as long as possible.
fn length(p: &Position, known: &mut HashMap<u64, (Side, u32)>) -> (Side, u32) {
    if let Some(Outcome::Win(winner)) = p.decided() {
        return (winner, 0);
    }
    let code = p.folded_code().expect("a small board");
    if let Some(&found) = known.get(&code) {
        return found;
    }
    let mover = p.side_to_move();
    let results: Vec<(Side, u32)> = p.movable().into_iter().map(|m| length(&p.child(m), known)).collect();
    let won = results.iter().filter(|&&(winner, _)| winner == mover).map(|&(_, plies)| plies).min();
    let lost = results.iter().map(|&(_, plies)| plies).max().unwrap_or(0);
    let found = won.map_or((!mover, lost + 1), |plies| (mover, plies + 1));
    known.insert(code, found);
    found
}

/// Checks the winner and the length of the game after each first move, up to symmetry (`docs/solving-jump61.md`).
#[test]
fn small_boards_with_best_play() {
    for (size, expected) in [(2, vec![("1:1", 4)]), (3, vec![("1:1", 14), ("1:2", 12), ("2:2", 12)])] {
        let start = Position::start(size).expect("a size");
        let mut known = HashMap::new();
        for (m, plies) in expected {
            let child = start.child(start.parse_move(m).expect("legal"));
            let (winner, length) = length(&child, &mut known);
            assert_eq!((winner, length + 1), (Side::Second, plies), "{size}x{size} {m}");
        }
    }
}

/// Returns `true` if Blue wins from the start within this many plies.
fn blue_wins_within(size: usize, plies: u32, mib: usize) -> bool {
    let start = Position::start(size).expect("a size");
    let mut search = ExactSearch::new(Stop::new(), mib, u64::MAX);
    search.set_horizon(&start, Side::Second, plies);
    winner(&mut search, &start) == Side::Second
}

#[test]
fn a_horizon_gives_the_length_of_the_win() {
    for (size, plies) in [(2, 4), (3, 14)] {
        for horizon in plies - 3..plies + 3 {
            assert_eq!(blue_wins_within(size, horizon, 1), horizon >= plies, "{size}x{size}");
        }
    }
}

/// Checks the length of the win on 4×4. Run with `cargo test --release -p plyhouse-proof four_by_four -- --ignored`.
#[test]
#[ignore = "takes minutes; another test checks smaller boards"]
fn four_by_four_takes_thirty_plies() {
    assert!(blue_wins_within(4, 30, 1024) && !blue_wins_within(4, 28, 1024));
}
