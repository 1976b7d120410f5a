//! A cheap test that rules out forced wins for certain. It follows from the rules, so every player may use it.

use game::Position as _;

use crate::position::Position;

/// Returns `false` only if the side to move certainly cannot win within this many plies.
pub(super) fn may_win_within(p: &Position, plies: u32) -> bool {
    plies > 1 || may_win_at_once(p)
}

/// Returns `true` if one move could give the side to move every square. More spots never make a cascade topple fewer
/// squares (Björner, Lovász and Shor, "Chip-firing games on graphs", 1991), so the cascade of any single move stays
/// inside the cascade that starts with one more spot on every critical square.
fn may_win_at_once(p: &Position) -> bool {
    let side = p.side_to_move();
    let own = p.pieces(side);
    let missing = p.board() & !own;
    let last_is_neutral = missing.count() == 1 && (missing & p.pieces(!side)).is_empty();
    last_is_neutral || p.claimed_by_adding(p.critical() & own) == p.board()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    #[test]
    fn the_bound_never_denies_a_win_in_one() {
        let mut wins = 0;
        for seed in 0..300 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(2 + seed as usize % 5).expect("a size");
            while p.decided().is_none() {
                let moves = p.legal_moves();
                let wins_now = moves.iter().any(|&m| p.child(m).decided().is_some());
                assert!(!wins_now || may_win_at_once(&p), "{p}");
                wins += u32::from(wins_now);
                p.play(*rng.choose(&moves).expect("a move"));
            }
        }
        assert!(wins > 300);
    }
}
