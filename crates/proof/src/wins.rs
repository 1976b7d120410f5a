//! Definitions of a win for Black.

use core::ops::ControlFlow;

use game::{Position as _, Side};
use loa::{Move, Position, is_connected};
use serde::{Deserialize, Serialize};

/// A definition of a win for Black. Every other end of a game counts as not won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wins {
    /// All wins by the rules of `loa`.
    #[default]
    All,
    /// Only wins in which Black is connected and White is not. They are also wins by the rules of the Computer
    /// Olympiads, where the game is a draw if both sides are connected, and a side without a move passes.
    Alone,
}

impl Wins {
    /// Returns `true` if all wins count.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }

    /// Returns the winner after a move, if the game is over.
    pub fn after(self, p: &Position, m: Move) -> Option<Side> {
        let mover = p.side_to_move();
        self.result(&p.child(m), mover, true, p.pieces(!mover).has(m.to))
    }

    /// Returns a move that wins immediately for the side to move, if there is one.
    pub fn at_once(self, p: &Position) -> Option<Move> {
        let found = p.visit_moves(|m| match self.after(p, m) {
            Some(winner) if winner == p.side_to_move() => ControlFlow::Break(m),
            _ => ControlFlow::Continue(()),
        });
        found.break_value()
    }

    /// Returns the winner after a move of `mover`, if the game is over.
    #[inline]
    pub(crate) fn result(self, p: &Position, mover: Side, may_connect: bool, captured: bool) -> Option<Side> {
        // Neither side was connected before the move, so only a capture can have connected the opponent's pieces.
        if may_connect && is_connected(p.pieces(mover)) {
            return Some(if captured && self.forbids_both(p, mover) { Side::Second } else { mover });
        }
        if captured && is_connected(p.pieces(!mover)) {
            return Some(!mover);
        }
        p.is_stuck().then_some(self.stuck(!mover))
    }

    /// Returns the winner if this side is to move and has no move.
    pub(crate) fn stuck(self, side: Side) -> Side {
        match self {
            Self::All => !side,
            Self::Alone => Side::Second,
        }
    }

    /// Returns `true` if a capture that connects Black's pieces does not win, because White is connected, too.
    #[inline]
    pub(crate) fn forbids_both(self, p: &Position, mover: Side) -> bool {
        self == Self::Alone && mover == Side::First && is_connected(p.pieces(Side::Second))
    }
}
