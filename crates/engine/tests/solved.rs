//! Small boards whose results are known, by the players' own search.
//!
//! Sources: 4×4 and 5×5 Lines of Action by exhaustive search, Black wins in 3 and in 11 plies, on 5×5 with c1-c3 or c5-c3
//! alone; 2×2 and 3×3 Jump61 are wins of the second player (the slow second implementation solves them, too).

use game::{Position, Record};
use search::{AlphaBeta, Choice, Control, Engine, Limits, Policy, Settings, Techniques};

/// The full-width search alone: without the horizon, which would only be faster, and without pruning.
fn solve<P: Position, L: Policy<P>>(start: P, plies: u32, player: fn(Settings) -> AlphaBeta<P, L>) -> Choice<P::Move> {
    let techniques = Techniques::NONE;
    let settings = Settings { win_horizon: 0, loss_horizon: 0, noise: 0, techniques, ..Settings::default() };
    let choice = player(settings).choose(&Record::new(start), &Limits::depth(plies), &mut Control::unattended());
    choice.expect("a move")
}

#[test]
fn lines_of_action() {
    let four = solve(loa::Position::start(4).expect("a size"), 3, engine::loa::player);
    assert_eq!(four.score.win_distance(), Some(3), "{four:?}");
    let five = solve(loa::Position::start(5).expect("a size"), 11, engine::loa::player);
    assert_eq!(five.score.win_distance(), Some(11), "{five:?}");
    assert!(["c1-c3", "c5-c3"].contains(&five.best.to_string().as_str()), "{five:?}");
}

#[test]
fn jump61() {
    for size in [2, 3] {
        // No game is longer: 4N(N−1) − N² + 1 moves.
        let plies = 4 * size * (size - 1) - size * size + 1;
        let start = jump61::Position::start(size).expect("a size");
        let choice = solve(start, plies as u32, engine::jump61::player);
        assert!(choice.score.loss_distance().is_some(), "{size}: {choice:?}");
    }
}
