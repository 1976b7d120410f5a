//! The course's decision rule: minimax over the cost of the board, with the left-most best action.

use core::ops::ControlFlow;

use checkers::{Move, Position};
use game::{Position as _, Side};

/// Returns the action that minimax of this depth (at least 1) chooses; `None` if there is no action.
///
/// Black maximises, White minimises. If the side to move cannot act, the cost is `INT_MIN` for Black and `INT_MAX` for
/// White, also at the leaves. The first of several equal actions is taken, even if all of them lose.
pub(super) fn best(p: &Position, depth: u32) -> Option<Move> {
    let (mut alpha, mut beta) = (i32::MIN, i32::MAX);
    let mut best: Option<(i32, Move)> = None;
    for m in p.movable() {
        // A later child of the same cost does not change the choice, so a bound on it is enough.
        let cost = cost(&p.child(m), depth.saturating_sub(1), alpha, beta);
        let better = match (best, p.side_to_move()) {
            (None, _) => true,
            (Some((so_far, _)), Side::First) => cost > so_far,
            (Some((so_far, _)), Side::Second) => cost < so_far,
        };
        if better {
            best = Some((cost, m));
            match p.side_to_move() {
                Side::First => alpha = cost,
                Side::Second => beta = cost,
            }
        }
    }
    best.map(|(_, m)| m)
}

/// Returns the cost by fail-soft alpha-beta: exact inside the window, a bound outside of it.
fn cost(p: &Position, depth: u32, mut alpha: i32, mut beta: i32) -> i32 {
    let side = p.side_to_move();
    let stuck = match side {
        Side::First => i32::MIN,
        Side::Second => i32::MAX,
    };
    if depth == 0 {
        return if p.is_stuck() { stuck } else { p.cost() };
    }
    // Worst cost for the side to move, which is also the cost of a node without actions.
    let mut best = stuck;
    let _ = p.visit_moves(|m| {
        let cost = cost(&p.child(m), depth - 1, alpha, beta);
        match side {
            Side::First => {
                best = best.max(cost);
                alpha = alpha.max(best);
            }
            Side::Second => {
                best = best.min(cost);
                beta = beta.min(best);
            }
        }
        if alpha >= beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    /// Returns the cost by the rule of the assignment, without bounds.
    fn plain(p: &Position, depth: u32) -> i32 {
        let black = p.side_to_move() == Side::First;
        if p.is_stuck() {
            return if black { i32::MIN } else { i32::MAX };
        }
        if depth == 0 {
            return p.cost();
        }
        let costs = p.movable().into_iter().map(|m| plain(&p.child(m), depth - 1));
        if black { costs.max() } else { costs.min() }.expect("a position that is not stuck")
    }

    fn plain_best(p: &Position, depth: u32) -> Option<Move> {
        let moves = p.movable();
        let costs: Vec<i32> = moves.iter().map(|&m| plain(&p.child(m), depth - 1)).collect();
        let best = if p.side_to_move() == Side::First { costs.iter().max() } else { costs.iter().min() };
        let first = costs.iter().position(|cost| Some(cost) == best)?;
        moves.get(first).copied()
    }

    #[test]
    fn bounds_never_change_the_action() {
        for seed in 0..60 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start();
            for _ in 0..150 {
                let Some(&m) = rng.choose(&p.movable()) else { break };
                for depth in [1, 2, 3] {
                    assert_eq!(best(&p, depth), plain_best(&p, depth), "{p}");
                }
                p.play(m);
            }
        }
    }
}
