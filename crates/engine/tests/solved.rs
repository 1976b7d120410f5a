//! Small boards with known results, solved by the players' own search.
//!
//! Sources: 4×4 and 5×5 Lines of Action by exhaustive search, Black wins in 3 and in 11 plies, on 5×5 with c1-c3 or
//! c5-c3 alone; 2×2 and 3×3 Jump61 are wins of the second player (the slow second implementation solves them, too); 4×4
//! Breakthrough is won by the second player in 14 plies, by an exact search without any evaluation
//! (`crates/breakthrough/tests/small_boards.rs`).

use engine::{Playable, PlayerOptions, Resources};
use game::Record;
use search::{Choice, Control};

/// Solves by the full-width search alone, without pruning. The horizon is off, because it would only save time.
fn solve<P: Playable>(start: P, plies: u32) -> Choice<P::Move> {
    let words = format!("depth={plies},horizon=0/0,noise=0,without=all");
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
