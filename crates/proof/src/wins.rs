//! Which ends of a game are wins of Black.

use core::ops::ControlFlow;

use game::{Position as _, Side};
use loa::{Move, Position, is_connected};
use serde::{Deserialize, Serialize};

/// Which ends of a game count as wins of Black. Everything else counts as not won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wins {
    /// All wins by the rules of `loa`.
    #[default]
    All,
    /// Only those in which Black is connected and White is not. They are wins by the rules of the Computer Olympiads as
    /// well, where it is a draw if both sides are connected, and a side without a move passes.
    Alone,
}

impl Wins {
    /// Whether all wins count.
    pub fn is_all(&self) -> bool {
        *self == Self::All
    }

    /// The winner after a move, if the game is over.
    pub fn after(self, p: &Position, m: Move) -> Option<Side> {
        let mover = p.side_to_move();
        self.result(&p.child(m), mover, true, p.pieces(!mover).has(m.to))
    }

    /// A move with which Black, to move, wins immediately, if there is one.
    pub fn at_once(self, p: &Position) -> Option<Move> {
        let found = p.visit_moves(|m| match self.after(p, m) {
            Some(Side::First) => ControlFlow::Break(m),
            _ => ControlFlow::Continue(()),
        });
        found.break_value()
    }

    /// The winner after a move of `mover`, if the game is over.
    #[inline]
    pub(crate) fn result(self, p: &Position, mover: Side, may_connect: bool, captured: bool) -> Option<Side> {
        // A side's pieces were not connected before the move of the other, so only a capture can have connected them.
        if may_connect && is_connected(p.pieces(mover)) {
            return Some(if captured && self.forbids_both(p, mover) { Side::Second } else { mover });
        }
        if captured && is_connected(p.pieces(!mover)) {
            return Some(!mover);
        }
        p.is_stuck().then_some(self.stuck(!mover))
    }

    /// The winner where this side is to move and has no move.
    pub(crate) fn stuck(self, side: Side) -> Side {
        match self {
            Self::All => !side,
            Self::Alone => Side::Second,
        }
    }

    /// Whether a move of Black that has connected it, with a capture, does not win because White is connected, too.
    #[inline]
    pub(crate) fn forbids_both(self, p: &Position, mover: Side) -> bool {
        self == Self::Alone && mover == Side::First && is_connected(p.pieces(Side::Second))
    }
}
