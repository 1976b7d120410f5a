//! Tests of the proof-number search against minimax, and on graphs with cycles.

use game::{Outcome, PliesLeft, Position, Side, examples::Nim};

use crate::common::{Random, positions, sparse_boards};
use crate::graph::{Graph, NODES};
use search::{ProofSearch, Stop, Verdict, minimax};

fn solve<P: Position>(p: &P, attacker: Side, left: PliesLeft) -> Verdict<P::Move> {
    ProofSearch::new(&Random, Stop::new(), 4, 20_000_000).solve(p, attacker, left)
}

#[test]
fn refutations_that_depend_on_a_path_are_not_reused_on_other_paths() {
    // A search that reuses refutations by repetition on other paths finds no win in this graph.
    let verdict = solve(&Graph::trap(), Side::First, PliesLeft::UNLIMITED);
    assert!(matches!(verdict, Verdict::Win { .. }), "{verdict:?}");
}

/// Returns the nodes of a random graph from which the first side wins, computed as a fixed point.
fn won_nodes(seed: u64) -> Vec<bool> {
    let mut won = vec![false; usize::from(NODES)];
    loop {
        let next: Vec<bool> = (0..NODES)
            .map(|node| {
                let p = Graph::random(seed, node);
                let children: Vec<bool> = p.movable().iter().map(|m| won[usize::from(m.0)]).collect();
                match p.side_to_move() {
                    Side::First => children.contains(&true),
                    // The side is stuck, or every move loses.
                    Side::Second => !children.contains(&false),
                }
            })
            .collect();
        if next == won {
            return won;
        }
        won = next;
    }
}

#[test]
fn on_graphs_with_cycles_exactly_the_won_nodes_are_proven() {
    let (mut wins, mut all) = (0, 0);
    for seed in 1..400 {
        let won = won_nodes(seed);
        // One search solves all nodes, so that the table contains entries of other paths.
        let mut search = ProofSearch::new(&Random, Stop::new(), 1, 20_000_000);
        for node in 0..NODES {
            let p = Graph::random(seed, node);
            if p.is_stuck() {
                continue;
            }
            let verdict = search.solve(&p, Side::First, PliesLeft::UNLIMITED);
            let is_won = matches!(verdict, Verdict::Win { .. });
            assert!(verdict != Verdict::Unknown && is_won == won[usize::from(p.node())], "{p}: {verdict:?}");
            (wins, all) = (wins + u32::from(is_won), all + 1);
        }
    }
    assert!(wins * 5 > all && wins * 5 < 4 * all, "{wins} of {all}");
}

/// Compares proof searches with minimax. The search depth of minimax equals the number of moves left.
fn agrees_with_minimax<P: Position>(start: &P, games: u64, left: u32) {
    let mut wins = 0;
    for record in positions(start, games, 3) {
        let p = record.position();
        let truth = minimax(p, &Random, left, PliesLeft::new(left));
        for attacker in Side::BOTH {
            let (expected, distance) = if attacker == p.side_to_move() {
                (truth.win_distance().is_some(), truth.win_distance())
            } else {
                (truth.loss_distance().is_some(), truth.loss_distance())
            };
            let verdict = solve(p, attacker, PliesLeft::new(left));
            match verdict {
                Verdict::Win { plies, .. } => {
                    assert!(expected && Some(plies) >= distance && plies <= left, "{verdict:?}, {truth}\n{p}");
                    line_wins(p, attacker, left);
                }
                Verdict::NoWin => assert!(!expected, "{truth}\n{p}"),
                Verdict::Unknown => panic!("the search reached its node limit\n{p}"),
            }
            wins += u32::from(expected);
        }
    }
    assert!(wins > 10, "{wins} wins are too few for a test");
}

/// Checks that the line of a proof ends with the attacker's win.
fn line_wins<P: Position>(p: &P, attacker: Side, left: u32) {
    let mut search = ProofSearch::new(&Random, Stop::new(), 4, 20_000_000);
    let Verdict::Win { best, plies } = search.solve(p, attacker, PliesLeft::new(left)) else {
        panic!("no win, unlike the first search\n{p}")
    };
    let line = search.principal_variation(p, PliesLeft::new(left));
    assert!(line.len() as u32 <= plies && (best.is_none() || best == line.first().copied()), "{line:?}\n{p}");
    let end = line.iter().fold(p.clone(), |p, &m| p.child(m));
    assert_eq!(end.outcome(), Some(Outcome::Win(attacker)), "{line:?}\n{p}");
}

#[test]
fn proofs_agree_with_minimax() {
    agrees_with_minimax(&loa::Position::start(4).expect("a size"), 40, 4);
    agrees_with_minimax(&jump61::Position::start(2).expect("a size"), 40, 12);
    agrees_with_minimax(&jump61::Position::start(3).expect("a size"), 20, 5);
    agrees_with_minimax(&"9 a".parse::<Nim>().expect("a heap"), 20, 9);
    let endgame = "......../..B...../...w..../......w./...b..../....B.../......../........ b";
    agrees_with_minimax(&endgame.parse::<checkers::Position>().expect("a position"), 40, 6);
    let sparse = "b--bb/--b--/-----/w---w/-ww-- w".parse::<breakthrough::Position>().expect("a position");
    agrees_with_minimax(&sparse, 20, 5);
}

#[test]
fn proofs_on_sparse_boards_agree_with_minimax() {
    for record in sparse_boards(1_500).filter(|record| !record.position().is_stuck()) {
        let p = record.position();
        let truth = minimax(p, &Random, 4, PliesLeft::new(4));
        let verdict = solve(p, p.side_to_move(), PliesLeft::new(4));
        assert_eq!(matches!(verdict, Verdict::Win { .. }), truth.win_distance().is_some(), "{verdict:?}, {truth}\n{p}");
    }
}

#[test]
fn a_search_with_few_nodes_returns_no_result() {
    let p = loa::Position::start(5).expect("a size");
    assert_eq!(
        ProofSearch::new(&Random, Stop::new(), 1, 10).solve(&p, Side::First, PliesLeft::UNLIMITED),
        Verdict::Unknown
    );
}

#[test]
fn small_boards_are_solved() {
    let p = loa::Position::start(5).expect("a size");
    let verdict = solve(&p, Side::First, PliesLeft::UNLIMITED);
    assert!(matches!(verdict, Verdict::Win { plies: 11.., .. }), "{verdict:?}");
    assert_eq!(solve(&jump61::Position::start(3).expect("a size"), Side::First, PliesLeft::UNLIMITED), Verdict::NoWin);
    assert!(matches!(
        solve(&jump61::Position::start(3).expect("a size"), Side::Second, PliesLeft::UNLIMITED),
        Verdict::Win { .. }
    ));
}
