//! The first player of Jump61 that the house had, frozen to be measured against.

use game::{Position as _, Side};
use jump61::{Move, Position};
use search::Policy;

/// Evaluation by squares, and by loaded squares that the opponent does not set off first.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jump61Policy;

/// One square more, in hundredths of a square.
const SQUARE: i32 = 100;
/// A square that topples with the next spot, out of the reach of the opponent's ones. Guessed.
const LOADED: i32 = 60;
/// A square beside one that the opponent may topple. Guessed.
const EXPOSED: i32 = 25;

impl Policy<Position> for Jump61Policy {
    /// The square.
    const SLOTS: usize = 128;

    fn evaluate(&self, p: &Position) -> i32 {
        let us = p.side_to_move();
        worth(p, us) - worth(p, !us)
    }

    #[inline]
    fn slot(&self, _: &Position, m: Move) -> usize {
        m.0.index()
    }

    /// Loaded squares first, fuller ones before emptier ones.
    #[inline]
    fn promise(&self, p: &Position, m: Move) -> i32 {
        4 + i32::from(p.spots(m.0)) - i32::from(p.neighbours(m.0))
    }

    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        plies > 1 || may_win_at_once(p)
    }
}

fn worth(p: &Position, side: Side) -> i32 {
    let own = p.squares(side);
    let loaded = p.critical();
    let enemy_loaded = loaded & p.squares(!side);
    let exposed = own & enemy_loaded.with_neighbours(p.size());
    let safe = own & loaded & !exposed;
    SQUARE * own.count() as i32 + LOADED * safe.count() as i32 - EXPOSED * exposed.count() as i32
}

/// Whether one move could give the side to move every square. A cascade never topples fewer squares when there are more
/// spots (Björner, Lovász and Shor, "Chip-firing games on graphs", 1991), so that every cascade of one move stays inside the
/// one that adds a spot to every loaded square at once.
fn may_win_at_once(p: &Position) -> bool {
    let side = p.side_to_move();
    let own = p.squares(side);
    let missing = p.board() & !own;
    let last_is_neutral = missing.count() == 1 && (missing & p.squares(!side)).is_empty();
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
