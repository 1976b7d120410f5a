//! Tests that compare races with exhaustive search, and the terms of a position with those of its mirror images.

use game::{Outcome, PliesLeft, SplitMix64};
use search::{Blind, ForcedWins, Stop};

use super::*;

/// Returns a position of 4×4 to 6×6 with a few pieces, none of them on its far rank.
fn random(rng: &mut SplitMix64) -> Position {
    let size = 4 + rng.below(3);
    let mut p = Position::empty(size).expect("a size");
    for side in Side::BOTH {
        for _ in 0..=rng.below(3) {
            let (file, row) = (rng.below(size), rng.below(size - 1));
            let rank = if side == Side::First { row } else { row + 1 };
            let square = board::Square::new(file as u8, rank as u8).expect("a square");
            p = p.with(square, Some(side)).expect("a square of the board");
        }
    }
    if rng.below(2) == 0 { p } else { p.passed() }
}

/// Returns random undecided positions.
fn positions(count: usize) -> impl Iterator<Item = Position> {
    let mut rng = SplitMix64::new(5);
    core::iter::repeat_with(move || random(&mut rng)).filter(|p| p.decided().is_none()).take(count)
}

/// Returns the number of plies in which the side to move wins; `None` if the number exceeds `most`.
fn wins_in(search: &mut ForcedWins<'_, Position, Blind>, p: &Position, most: u32) -> Option<u32> {
    (1..=most).step_by(2).find(|&plies| search.wins(p, plies, PliesLeft::UNLIMITED) == Ok(true))
}

#[test]
fn known_races_end_as_an_exhaustive_search_says() {
    let mut search = ForcedWins::new(&Blind, Stop::new(), 16);
    let (mut wins, mut losses) = (0, 0);
    for p in positions(6_000) {
        match race::known(&p) {
            Some(Known::Win(plies)) => {
                assert_eq!(wins_in(&mut search, &p, plies), Some(plies), "{p}");
                wins += 1;
            }
            Some(Known::Loss(plies)) => {
                let replies = p.legal_moves().into_iter().map(|m| match p.child(m) {
                    child if child.decided() == Some(Outcome::Win(p.side_to_move())) => None,
                    child => wins_in(&mut search, &child, plies - 1).map(|plies| plies + 1),
                });
                let all: Option<Vec<u32>> = replies.collect();
                assert_eq!(all.and_then(|all| all.into_iter().max()), Some(plies), "{p}");
                losses += 1;
            }
            Some(Known::Draw) => panic!("there is no draw: {p}"),
            None => (),
        }
    }
    assert!(wins > 500 && losses > 100, "{wins} wins, {losses} losses");
}

#[test]
fn the_bound_never_denies_a_win() {
    let mut search = ForcedWins::new(&Blind, Stop::new(), 16);
    let mut denied = 0;
    for p in positions(3_000) {
        for plies in [1, 3, 5] {
            if !race::may_win_within(&p, plies) {
                assert_eq!(search.wins(&p, plies, PliesLeft::UNLIMITED), Ok(false), "{p}");
                denied += 1;
            }
        }
    }
    assert!(denied > 1_000, "{denied}");
}

#[test]
fn under_a_threat_every_quiet_move_loses() {
    let policy = BreakthroughPolicy::default();
    let mut search = ForcedWins::new(&Blind, Stop::new(), 16);
    let mut losing = 0;
    for p in positions(3_000).filter(|p| policy.is_threatened(p)) {
        for m in p.legal_moves().into_iter().filter(|&m| !policy.is_noisy(&p, m)) {
            assert_eq!(search.wins(&p.child(m), 1, PliesLeft::UNLIMITED), Ok(true), "{m}\n{p}");
            losing += 1;
        }
    }
    assert!(losing > 500, "{losing}");
}

#[test]
fn mirrored_boards_and_exchanged_sides_have_the_same_value() {
    for p in positions(500) {
        let text = p.to_string();
        let (board, side) = text.split_once(' ').expect("board and side");
        let rows: Vec<&str> = board.split('/').collect();
        let mirrored: Vec<String> = rows.iter().map(|row| row.chars().rev().collect()).collect();
        let exchanged: Vec<String> = rows
            .iter()
            .rev()
            .map(|row| {
                row.chars()
                    .map(|c| match c {
                        'w' => 'b',
                        'b' => 'w',
                        c => c,
                    })
                    .collect()
            })
            .collect();
        let other = if side == "w" { "b" } else { "w" };
        for text in [format!("{} {side}", mirrored.join("/")), format!("{} {other}", exchanged.join("/"))] {
            let q: Position = text.parse().expect("a position");
            assert_eq!(terms(&p), terms(&q), "{p}\n{q}");
        }
    }
}

#[test]
fn a_runner_and_a_loose_piece_are_seen() {
    let p: Position = "------/------/---w--/------/-b----/------ w".parse().expect("a position");
    assert_eq!(race::known(&p), Some(Known::Loss(2)));
    assert_eq!(race::known(&p.passed()), Some(Known::Win(1)));
    let loose: Position = "------/------/-b----/w-----/--w---/------ w".parse().expect("a position");
    assert_eq!([terms::Term::OurLoose, terms::Term::TheirLoose].map(|term| terms(&loose)[term]), [1, 1]);
}
