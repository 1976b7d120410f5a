//! Tests of the exact search for forced wins against plain minimax.

use game::{Outcome, PliesLeft, Position, Record, Side};
use search::{AlphaBeta, Control, Engine, ForcedWins, Limits, Settings, Stop, minimax};

use crate::alphabeta::keeps_horizon;
use crate::common::{Random, exact, positions, sparse_boards};

/// Returns `true` if plain minimax finds a win for the side to move.
fn minimax_wins<P: Position>(record: &Record<P>, plies: u32) -> bool {
    let value = minimax(record.position(), &Random, plies, record.plies_left());
    value.win_distance().is_some_and(|n| n <= plies)
}

fn forced_wins_are_minimax_wins<P: Position>(start: &P, games: u64, longest: u32) {
    let mut wins = 0;
    for record in positions(start, games, 5) {
        let mut forced = ForcedWins::new(&Random, Stop::new(), 1);
        for plies in 1..=longest {
            let found = forced.wins(record.position(), plies, record.plies_left()).expect("never stopped");
            let truth = minimax_wins(&record, plies);
            assert_eq!(found, truth, "{plies} plies, {}\n{}", record.plies_left(), record.position());
            wins += u32::from(found);
        }
        line_is_a_win(&mut forced, &record, longest);
    }
    assert!(wins > 10, "{wins} wins are too few for a test");
}

/// Checks that the line of a forced win leads to the win in the reported number of plies.
fn line_is_a_win<P: Position>(forced: &mut ForcedWins<'_, P, Random>, record: &Record<P>, longest: u32) {
    let truth = minimax(record.position(), &Random, longest, record.plies_left());
    if let Some(plies) = truth.win_distance() {
        let line = forced.principal_variation(record.position(), longest, record.plies_left()).expect("never stopped");
        let mut played = record.clone();
        for m in line.iter().copied() {
            played.play(m);
        }
        let winner = played.finish().and_then(|finish| finish.outcome.winner());
        assert_eq!(winner, Some(record.position().side_to_move()), "{}", record.position());
        assert_eq!(line.len() as u32, plies, "{}", record.position());
    }
}

#[test]
fn forced_wins_are_those_of_minimax() {
    forced_wins_are_minimax_wins(&loa::Position::start(4).expect("a size"), 40, 5);
    forced_wins_are_minimax_wins(&loa::Position::start(5).expect("a size"), 8, 3);
    forced_wins_are_minimax_wins(&jump61::Position::start(2).expect("a size"), 40, 9);
    forced_wins_are_minimax_wins(&jump61::Position::start(3).expect("a size"), 30, 5);
    let endgame = "......../..B...../...w..../......w./...b..../....B.../......../........ b";
    forced_wins_are_minimax_wins(&endgame.parse::<checkers::Position>().expect("a position"), 40, 5);
    forced_wins_are_minimax_wins(&breakthrough::Position::start(4).expect("a size"), 20, 5);
}

#[test]
fn forced_wins_on_sparse_boards() {
    for record in sparse_boards(4_000).filter(|record| !record.position().is_stuck()) {
        let mut forced = ForcedWins::new(&Random, Stop::new(), 1);
        let truth = minimax(record.position(), &Random, 3, record.plies_left()).win_distance();
        for plies in 1..=3 {
            let found = forced.wins(record.position(), plies, record.plies_left()).expect("never stopped");
            let expected = truth.is_some_and(|n| n <= plies);
            assert_eq!(found, expected, "{plies} plies, {}\n{}", record.plies_left(), record.position());
        }
        line_is_a_win(&mut forced, &record, 3);
    }
}

/// Positions with White to move in which every move connects Black's pieces. A black move that leads to such a position
/// wins in two plies.
const TRAPS: [&str; 6] = [
    "-b-b/w-bb/----/w-b- w",
    "wbb-/--bb/b-w-/---- w",
    "bb--/-b-b/b---/-w-w w",
    "w-b-/----/w-w-/-b-- w",
    "ww-b/bb--/--bw/--b- w",
    "--b-/bb-w/wb--/ww-b w",
];

#[test]
fn a_win_by_the_opponents_own_move() {
    let mut wins = 0;
    for trap in TRAPS {
        let trap: loa::Position = trap.parse().expect("a board");
        assert!(trap.legal_moves().iter().all(|&m| trap.child(m).decided() == Some(Outcome::Win(Side::First))));
        assert!(keeps_horizon(&Record::new(trap), 0, 4), "every move loses at once");
        for before in retractions(&trap) {
            let mut forced = ForcedWins::new(&Random, Stop::new(), 1);
            let truth = minimax(&before, &Random, 2, PliesLeft::UNLIMITED).win_distance();
            let found = (1..=2).find(|&plies| forced.wins(&before, plies, PliesLeft::UNLIMITED) == Ok(true));
            assert_eq!(found, truth, "{before}");
            wins += u32::from(found == Some(2));
        }
    }
    assert!(wins > 0, "no black move leads to a trap");
}

/// Returns the positions with Black to move from which a move without a capture leads to `p`.
fn retractions(p: &loa::Position) -> Vec<loa::Position> {
    let black = p.pieces(Side::First);
    let empty = p.board() & !p.occupied();
    let pairs = black.into_iter().flat_map(|to| empty.into_iter().map(move |from| (from, to)));
    pairs
        .filter_map(|(from, to)| {
            let before = p.with(to, None).ok()?.with(from, Some(Side::First)).ok()?.with_turn(Side::First);
            before.is_legal(loa::Move { from, to }).then_some(before)
        })
        .collect()
}

/// Compares forced wins with the results of the principal variation search, because plain minimax is too slow on larger
/// boards. Other tests compare the principal variation search with minimax.
fn forced_wins_are_those_of_a_full_width_search<P: Position>(start: &P, games: u64, plies: u32) {
    let mut wins = 0;
    for record in positions(start, games, 31) {
        let mut forced = ForcedWins::new(&Random, Stop::new(), 4);
        let found = forced.wins(record.position(), plies, record.plies_left()).expect("never stopped");
        let mut player = AlphaBeta::new(Random, Settings { table_mib: 4, ..exact() });
        let choice = player.choose(&record, &Limits::depth(plies), &mut Control::unattended()).expect("a move");
        let truth = choice.score.win_distance().is_some_and(|n| n <= plies);
        assert_eq!(found, truth, "{plies} plies, {}\n{}", record.plies_left(), record.position());
        wins += u32::from(found);
    }
    assert!(wins > 0, "no position is won");
}

#[test]
fn forced_wins_on_larger_boards() {
    let crowded = "2b1r2r2b/2r3r1b3b/3r2b4b2b/2r2r3b1b".parse::<jump61::Position>().expect("a position");
    forced_wins_are_those_of_a_full_width_search(&crowded, 12, 7);
    let crowded = "2r3r2b2b1-/3r4r3b2b2b/2r3r1r4b3b/3r2r4b3b2b/2r3r2b3b1b".parse::<jump61::Position>();
    forced_wins_are_those_of_a_full_width_search(&crowded.expect("a position"), 10, 5);
    let open = "---w--/-b--b-/-bw---/---bw-/w--b--/---w-- b".parse::<loa::Position>().expect("a position");
    forced_wins_are_those_of_a_full_width_search(&open, 8, 5);
}

/// A position in which White wins in five plies.
pub(crate) const WIN_IN_FIVE: &str = "--b--b--/--------/----b---/------b-/----ww--/----bwww/-w-bw---/-------- w";

#[test]
fn a_search_stops_at_its_node_limit() {
    let p: loa::Position = WIN_IN_FIVE.parse().expect("a position");
    let mut forced = ForcedWins::new(&Random, Stop::new(), 4);
    forced.allow(10);
    assert!(forced.wins(&p, 5, PliesLeft::UNLIMITED).is_err());
    forced.allow(u64::MAX);
    let (m, plies) = forced.shortest_win(&p, 9, PliesLeft::UNLIMITED).expect("never stopped").expect("a win");
    assert_eq!((plies, forced.wins_after(&p, m, 9, PliesLeft::UNLIMITED)), (5, Ok(Some(5))));
}
