use core::ops::ControlFlow;

use game::{PliesLeft, Position, Side};

use crate::score::Score;

/// A player's knowledge of a game beyond its rules.
pub trait Policy<P: Position>: Send + Sync {
    /// Number of kinds of moves that the history table distinguishes.
    const SLOTS: usize;

    /// Intermediate results of an evaluation that make the evaluation of a similar position cheaper; `()` if there are
    /// none.
    type Accumulator: Default + Send;

    /// Returns the evaluation of an undecided position for the side to move, in hundredths of a piece.
    fn evaluate(&self, p: &P) -> i32;

    /// Returns the same value as [`evaluate`](Self::evaluate), faster if the accumulators help. `parent` belongs to the
    /// most recently evaluated position at the previous ply, which is usually the parent. `own` belongs to the position
    /// that was last evaluated at this ply, and is updated to belong to `p`. Either may be the default accumulator,
    /// which belongs to no position.
    fn evaluate_near(&self, p: &P, parent: Option<&Self::Accumulator>, own: &mut Self::Accumulator) -> i32 {
        let _ = (parent, own);
        self.evaluate(p)
    }

    /// Returns the kind of a move for the history table: a number below [`SLOTS`](Self::SLOTS).
    fn slot(&self, p: &P, m: P::Move) -> usize;

    /// Returns an estimate of the quality of a move before any search. Larger is better.
    fn promise(&self, p: &P, m: P::Move) -> i32 {
        let _ = (p, m);
        0
    }

    /// Returns `true` if a move is noisy: it changes the evaluation so much that the evaluation before it is
    /// unreliable. Quiescence searches noisy moves, and they are not reduced.
    fn is_noisy(&self, p: &P, m: P::Move) -> bool {
        let _ = (p, m);
        false
    }

    /// Visits the [noisy](Self::is_noisy) moves, in the order of
    /// [`visit_moves`](game::Position::visit_moves).
    fn visit_noisy(&self, p: &P, mut visit: impl FnMut(P::Move))
    where
        Self: Sized,
    {
        let _ = p.visit_moves(|m| {
            if self.is_noisy(p, m) {
                visit(m);
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// Returns `true` if every move that is not [noisy](Self::is_noisy) loses to the opponent's next move. The search
    /// then tries the noisy moves only. Must never return `true` if another move may avoid the loss.
    fn is_threatened(&self, p: &P) -> bool {
        let _ = p;
        false
    }

    /// Returns the position with the turn passed to the opponent, for null moves. Must return `None` for games in which
    /// the best move is often worse than passing.
    fn passed(&self, p: &P) -> Option<P> {
        let _ = p;
        None
    }

    /// Returns `true` if the side to move may be able to force a win within this many plies. The test must be cheap,
    /// and must never return `false` if there is such a win.
    fn may_win_within(&self, p: &P, plies: u32) -> bool {
        let _ = (p, plies);
        true
    }

    /// Visits the moves that may begin a forced win within `plies` plies, which is at least 2. A move that begins such
    /// a win must not be skipped, unless it wins immediately.
    fn visit_attempts(&self, p: &P, plies: u32, mut visit: impl FnMut(P::Move))
    where
        Self: Sized,
    {
        let _ = plies;
        let _ = p.visit_moves(|m| {
            visit(m);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Returns the result of perfect play for the side to move, if the player knows it, for example from endgame
    /// tables. It must be correct for a game without a move limit.
    fn known(&self, p: &P) -> Option<Known> {
        let _ = p;
        None
    }

    /// Returns `true` if a forced win for `attacker` may be near enough to justify the proof search's share of the
    /// budget.
    fn may_be_proven(&self, p: &P, attacker: Side) -> bool {
        let _ = (p, attacker);
        true
    }

    /// Estimates the minimum number of positions to visit to prove that `attacker` wins, and to prove that it does not:
    /// the initial proof and disproof numbers of a position. Both are at least 1.
    fn difficulty(&self, p: &P, attacker: Side) -> (u32, u32) {
        let _ = (p, attacker);
        (1, 1)
    }
}

/// The result of perfect play for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// A loss in this many plies; 0 if the side to move is stuck.
    Loss(u32),
    /// A draw: neither side can win.
    Draw,
    /// A win in this many plies.
    Win(u32),
}

impl Known {
    /// Returns the score at this ply of a search, which counts from the root. Returns `None` if the result lies beyond
    /// the move limit; `left` counts from the position.
    pub(crate) fn score(self, left: PliesLeft, ply: u32) -> Option<Score> {
        match self {
            Self::Draw => Some(Score::DRAW),
            Self::Win(plies) => left.allows(plies).then(|| Score::win_in(ply + plies)),
            Self::Loss(plies) => left.allows(plies).then(|| Score::loss_in(ply + plies)),
        }
    }
}
