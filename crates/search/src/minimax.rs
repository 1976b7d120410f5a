use game::{Outcome, Position};

use crate::{Policy, Score};

/// Plain minimax, the reference for every other search: the value of a position to the side to move, looking `depth` plies
/// ahead, when `plies_left` moves are left to the move limit. The root counts as undecided.
///
/// Order of judgement after a move: the board, the move limit, a side that is stuck, and at depth 0 the evaluation.
pub fn minimax<P: Position>(p: &P, policy: &impl Policy<P>, depth: u32, plies_left: Option<u32>) -> Score {
    value(p, policy, depth, 0, plies_left)
}

fn value<P: Position>(p: &P, policy: &impl Policy<P>, depth: u32, ply: u32, left: Option<u32>) -> Score {
    let us = p.side_to_move();
    if ply > 0
        && let Some(outcome) = p.decided()
    {
        return Score::of_outcome(outcome, us, ply);
    }
    if left == Some(0) {
        return Score::of_outcome(Outcome::Draw, us, ply);
    }
    let moves = p.movable();
    if moves.is_empty() {
        return Score::of_outcome(P::STUCK.outcome(us), us, ply);
    }
    if depth == 0 {
        return Score::units(policy.evaluate(p));
    }
    let children = moves.into_iter().map(|m| -value(&p.child(m), policy, depth - 1, ply + 1, left.map(|n| n - 1)));
    children.max().expect("invariant: a position that is not stuck has a child")
}
