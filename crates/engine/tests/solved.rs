//! Small boards with known results, solved by the players' own search.
//!
//! Sources:
//!
//! * Lines of Action, by exhaustive search: Black wins 4×4 in 3 plies and 5×5 in 11 plies. On 5×5, only the first moves
//!   c1-c3 and c5-c3 do so.
//! * Jump61: the second player wins 2×2 and 3×3. The reference implementation solves them, too.
//! * Breakthrough, by an exact search without any evaluation (`crates/breakthrough/tests/small_boards.rs`): the second
//!   player wins 4×4 in 14 plies.

use engine::{Playable, PlayerOptions, Resources};
use game::Record;
use search::{Choice, Control};

/// Solves a position with the full-width search alone: without pruning, and without the exact search for forced wins
/// (`horizon=0/0`), which would only save time.
fn solve<P: Playable>(start: P, plies: u32) -> Choice<P::Move> {
    choose(start, &format!("depth={plies},horizon=0/0,noise=0,without=all"))
}

/// Returns the choice of the engine with this description.
fn choose<P: Playable>(start: P, words: &str) -> Choice<P::Move> {
    let options: PlayerOptions = words.parse().expect("all words are known");
    let mut player = options.make(&start, &Resources::default()).expect("a player");
    player.engine.choose(&Record::new(start), &player.limits, &mut Control::unattended()).expect("a move")
}

#[test]
fn lines_of_action() {
    let four = solve(loa::Position::start(4).expect("a size"), 3);
    assert_eq!(four.score.win_distance(), Some(3), "{four:?}");
    let five = solve(loa::Position::start(5).expect("a size"), 11);
    assert_eq!(five.score.win_distance(), Some(11), "{five:?}");
    assert!(["c1-c3", "c5-c3"].contains(&five.best.to_string().as_str()), "{five:?}");
}

#[test]
fn jump61() {
    for size in [2, 3] {
        // No game is longer than 4N(N−1) − N² + 1 moves.
        let plies = 4 * size * (size - 1) - size * size + 1;
        let start = jump61::Position::start(size).expect("a size");
        let choice = solve(start, plies as u32);
        assert!(choice.score.loss_distance().is_some(), "{size}: {choice:?}");
    }
}

#[test]
fn breakthrough() {
    let choice = solve(breakthrough::Position::start(4).expect("a size"), 14);
    assert_eq!(choice.score.loss_distance(), Some(14), "{choice:?}");
}

/// Returns the choice of Monte Carlo tree search, without the exact search for forced wins.
fn plan<P: Playable>(start: P, nodes: u64) -> Choice<P::Move> {
    choose(start, &format!("build=mcts,nodes={nodes},horizon=0/0,table=32"))
}

#[test]
fn monte_carlo_tree_search_proves_the_same_results() {
    let four = plan(loa::Position::start(4).expect("a size"), 10_000);
    assert_eq!(four.score.win_distance(), Some(3), "{four:?}");
    let five = plan(loa::Position::start(5).expect("a size"), 300_000);
    assert!(five.score.win_distance() >= Some(11), "{five:?}");
    let two = plan(jump61::Position::start(2).expect("a size"), 10_000);
    assert!(two.score.loss_distance().is_some(), "{two:?}");
    let choice = plan(breakthrough::Position::start(4).expect("a size"), 100_000);
    assert!(choice.score.loss_distance() >= Some(14), "{choice:?}");
}
