use core::ops::ControlFlow;

use crate::position::Position;

/// Returns the number of sequences of exactly `depth` legal moves. Decided positions are not expanded. The last ply is
/// counted without being played ("bulk counting"). A game that overrides [`Position::count_replies`] also counts the
/// second-last ply this way.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ if position.decided().is_some() => 0,
        1 => position.count_moves(),
        2 => position.count_replies(),
        _ => {
            let mut leaves = 0;
            let _ = position.visit_moves(|m| {
                leaves += perft(&position.child(m), depth - 1);
                ControlFlow::<()>::Continue(())
            });
            leaves
        }
    }
}

/// Returns [`perft`](fn@perft) for each move of the position, in the order of generation. Comparing these numbers shows
/// where two move generators differ.
pub fn perft_divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    position.legal_moves().into_iter().map(|m| (m, perft(&position.child(m), depth.saturating_sub(1)))).collect()
}
