//! The encoding of positions and moves for machine learning: numbers for moves, planes for boards.

mod breakthrough;
mod checkers;
mod jump61;
mod loa;
pub(crate) mod symmetry;

use core::ops::ControlFlow;

use game::{Outcome, Position};
use games::{Game, GameId};

use crate::encode::symmetry::Symmetry;

/// The move type of a game.
pub(crate) type MoveOf<P> = <P as Position>::Move;

/// The action ids and observations of a game. Both are stable across versions.
pub(crate) trait Encoded: Game {
    /// Description of each plane of an observation.
    const PLANES: &'static [&'static str];
    /// Pairs of planes that show the same for the first and for the second side.
    const PAIRS: &'static [(usize, usize)];
    /// `true` if the sides move in opposite directions, so that the second side sees the board turned by 180 degrees.
    const IS_DIRECTED: bool = false;

    /// The action space with the fewest ids.
    type Compact: ActionSpace<Self>;

    /// Returns the number of action ids on a board of this size. Every id is below it.
    fn action_count(size: usize) -> usize;

    /// Returns the id of a legal move.
    fn action(p: &Self, m: MoveOf<Self>) -> usize;

    /// Visits the ids of all moves that the movement rules allow.
    fn visit_actions(p: &Self, mut visit: impl FnMut(usize)) {
        let _ = p.visit_moves(|m| {
            visit(Self::action(p, m));
            ControlFlow::<()>::Continue(())
        });
    }

    /// Returns the legal move with this id.
    fn find(p: &Self, action: usize) -> Option<MoveOf<Self>>;

    /// Returns the id that the symmetry moves to this id.
    fn source(action: usize, size: usize, symmetry: Symmetry) -> usize;

    /// Writes the planes one after the other, each row by row: `PLANES.len()` · size · size numbers.
    fn observe(p: &Self, planes: &mut [f32]);

    /// Returns a hash of the board alone, without the side to move.
    fn board_key(p: &Self) -> u64;

    /// Returns the outcome on the board after a move from an undecided position. `irreversible` is the result of
    /// [`bars_recurrence`](Self::bars_recurrence) for that move.
    fn decided_by(p: &Self, irreversible: bool) -> Option<Outcome> {
        let _ = irreversible;
        p.decided()
    }

    /// Returns `true` if no position before this move can recur after it.
    fn bars_recurrence(p: &Self, m: MoveOf<Self>) -> bool {
        p.is_irreversible(m)
    }
}

/// A numbering of the moves of a game. It is stable across versions.
pub(crate) trait ActionSpace<P: Encoded>: Send + Sync + 'static {
    /// Returns the number of action ids on a board of this size. Every id is below it.
    fn count(size: usize) -> usize;

    /// Returns the id of a legal move.
    fn id(p: &P, m: MoveOf<P>) -> usize;

    /// Visits the ids of all moves that the movement rules allow.
    fn visit(p: &P, visit: impl FnMut(usize));

    /// Returns the legal move with this id.
    fn find(p: &P, id: usize) -> Option<MoveOf<P>>;

    /// Returns the id that the symmetry moves to this id.
    fn source(id: usize, size: usize, symmetry: Symmetry) -> usize;
}

/// The ids of [`Encoded`].
pub(crate) struct Standard;

impl<P: Encoded> ActionSpace<P> for Standard {
    fn count(size: usize) -> usize {
        P::action_count(size)
    }

    #[inline]
    fn id(p: &P, m: MoveOf<P>) -> usize {
        P::action(p, m)
    }

    #[inline]
    fn visit(p: &P, visit: impl FnMut(usize)) {
        P::visit_actions(p, visit);
    }

    #[inline]
    fn find(p: &P, id: usize) -> Option<MoveOf<P>> {
        P::find(p, id)
    }

    fn source(id: usize, size: usize, symmetry: Symmetry) -> usize {
        P::source(id, size, symmetry)
    }
}

/// An operation that is generic over the game.
pub(crate) trait Visitor {
    /// The result type.
    type Output;

    /// Performs the operation.
    fn visit<P: Encoded>(self) -> Self::Output;
}

/// Runs a visitor with the types of a game.
pub(crate) fn dispatch<V: Visitor>(game: GameId, visitor: V) -> V::Output {
    if game == GameId::LOA {
        visitor.visit::<::loa::Position>()
    } else if game == GameId::CHECKERS {
        visitor.visit::<::checkers::Position>()
    } else if game == GameId::JUMP61 {
        visitor.visit::<::jump61::Position>()
    } else if game == GameId::BREAKTHROUGH {
        visitor.visit::<::breakthrough::Position>()
    } else {
        unreachable!("invariant: {game} is in the list of games")
    }
}

/// The bits of each byte as numbers, lowest bit first.
static BITS: [[f32; 8]; 256] = {
    let mut table = [[0.0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][bit] = 1.0;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Writes sets of squares of an N×N board as planes of ones and zeros, rank 1 first. Each set uses the bits of an 8×8
/// board, eight per rank; the N×N board is in its lower left corner.
#[inline]
fn write_planes(sets: [u64; 3], size: usize, planes: &mut [f32]) {
    if size == 8 {
        for (set, plane) in sets.into_iter().zip(planes.as_chunks_mut::<64>().0) {
            for (byte, row) in set.to_le_bytes().into_iter().zip(plane.as_chunks_mut::<8>().0) {
                *row = BITS[usize::from(byte)];
            }
        }
        return;
    }
    for (set, plane) in sets.into_iter().zip(planes.chunks_exact_mut(size * size)) {
        for (byte, row) in set.to_le_bytes().into_iter().zip(plane.chunks_exact_mut(size)) {
            row.copy_from_slice(&BITS[usize::from(byte)][..size]);
        }
    }
}
