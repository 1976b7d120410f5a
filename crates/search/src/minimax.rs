use game::{PliesLeft, Position};

use crate::policy::Policy;
use crate::score::Score;

/// Returns the value of a position for the side to move by plain minimax, the reference for every other search. It
/// searches `depth` plies, with `left` plies before the move limit. The board of the root counts as undecided. If no
/// plies are left, the root is a draw.
///
/// Order of adjudication after a move: the board, the move limit, a stuck side, and at depth 0 the evaluation.
pub fn minimax<P: Position>(p: &P, policy: &impl Policy<P>, depth: u32, left: PliesLeft) -> Score {
    value(p, policy, depth, 0, left)
}

fn value<P: Position>(p: &P, policy: &impl Policy<P>, depth: u32, ply: u32, left: PliesLeft) -> Score {
    let us = p.side_to_move();
    if ply > 0
        && let Some(finish) = left.finish_unless_stuck(p)
    {
        return Score::of_outcome(finish.outcome, us, ply);
    }
    if !left.allows(1) {
        return Score::DRAW;
    }
    let moves = p.movable();
    if moves.is_empty() {
        return Score::of_outcome(P::STUCK.outcome(us), us, ply);
    }
    if depth == 0 {
        return Score::units(policy.evaluate(p));
    }
    let children = moves.into_iter().map(|m| -value(&p.child(m), policy, depth - 1, ply + 1, left.next()));
    children.max().expect("invariant: a position that is not stuck has a child")
}
