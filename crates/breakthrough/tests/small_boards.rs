//! Test of the winner on the smallest board, by exact search.

use breakthrough::{Move, Position};
use game::{PliesLeft, Position as _, Side};
use search::{ForcedWins, Policy, Stop};

/// A policy with a lower bound for the number of moves to a win. [`ForcedWins`] uses no other part of the policy.
struct Distance;

impl Policy<Position> for Distance {
    type Accumulator = ();

    const SLOTS: usize = 1;

    fn evaluate(&self, _: &Position) -> i32 {
        0
    }

    fn slot(&self, _: &Position, _: Move) -> usize {
        0
    }

    /// Relies on two bounds: a piece needs a move for each rank ahead of it, and each capture takes a move.
    fn may_win_within(&self, p: &Position, plies: u32) -> bool {
        let side = p.side_to_move();
        let last = p.size() as u8 - 1;
        let ranks_ahead = |rank: u8| if side == Side::First { last - rank } else { rank };
        let to_go = p.pieces(side).into_iter().map(|square| u32::from(ranks_ahead(square.rank()))).min();
        let to_capture = p.pieces(!side).count();
        to_go.is_some_and(|to_go| to_go.min(to_capture) <= plies.div_ceil(2))
    }
}

/// Returns the number of plies in which the side to move loses with perfect play; `None` if the number exceeds `most`.
fn loses_in(start: &Position, most: u32) -> Option<u32> {
    let mut search = ForcedWins::new(&Distance, Stop::new(), 16);
    let mut wins =
        |p: &Position, plies: u32| search.wins(p, plies, PliesLeft::UNLIMITED).expect("nothing stops the search");
    for plies in 1..most {
        assert!(!wins(start, plies), "the side to move wins in {plies} plies");
        if start.legal_moves().iter().all(|&m| wins(&start.child(m), plies)) {
            return Some(plies + 1);
        }
    }
    None
}

#[test]
fn the_second_player_wins_on_4x4_in_14_plies() {
    let start = Position::start(4).expect("a size");
    assert_eq!(loses_in(&start, 20), Some(14));
}
