use core::ops::ControlFlow;

use game::{Position, Side};

/// What a player knows of a game beyond its rules.
pub trait Policy<P: Position>: Send + Sync {
    /// How many kinds of moves the history table tells apart.
    const SLOTS: usize;

    /// What evaluating a position leaves behind, so that evaluating a similar one costs less; `()` if nothing.
    type Accumulator: Default + Send;

    /// What an undecided position is worth to the side to move, in hundredths of a piece.
    fn evaluate(&self, p: &P) -> i32;

    /// The same value as [`evaluate`](Self::evaluate), faster if the accumulators help. `parent` belongs to the
    /// position that was last evaluated one ply earlier in the tree, usually the parent; `own` to the one that was last
    /// evaluated at this ply, and it is updated to belong to `p`. Either may be the default one, which belongs to no
    /// position.
    fn evaluate_near(&self, p: &P, parent: Option<&Self::Accumulator>, own: &mut Self::Accumulator) -> i32 {
        let _ = (parent, own);
        self.evaluate(p)
    }

    /// The kind of a move for the history table: a number below [`SLOTS`](Self::SLOTS).
    fn slot(&self, p: &P, m: P::Move) -> usize;

    /// A first guess at how good a move is, before any search. Larger is better.
    fn promise(&self, p: &P, m: P::Move) -> i32 {
        let _ = (p, m);
        0
    }

    /// Whether a move is noisy: the evaluation before it says little. Quiescence searches such moves, and they are not
    /// reduced.
    fn is_noisy(&self, p: &P, m: P::Move) -> bool {
        let _ = (p, m);
        false
    }

    /// The position with the turn passed to the opponent, for null moves. Only where the best move is hardly ever worse
    /// than passing.
    fn passed(&self, p: &P) -> Option<P> {
        let _ = p;
        None
    }

    /// A cheap test whether the side to move may be able to force a win within this many plies. It must never return
    /// `false` if there is such a win.
    fn may_win_within(&self, p: &P, plies: u32) -> bool {
        let _ = (p, plies);
        true
    }

    /// Visits the moves that may begin a forced win within `plies` plies, at least two. A move that begins such a win
    /// must not be left out, unless it wins at once.
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

    /// The result of perfect play for the side to move, if the player knows it, for example from endgame tables. It
    /// must be correct for a game without a move limit.
    fn known(&self, p: &P) -> Option<Known> {
        let _ = p;
        None
    }

    /// Whether a forced win of `attacker` may be near enough for a proof search to be worth its share of the budget.
    fn may_be_proven(&self, p: &P, attacker: Side) -> bool {
        let _ = (p, attacker);
        true
    }

    /// A guess at how many positions must be visited at least to prove that `attacker` wins, and to prove that
    /// `attacker` does not win: the first proof and disproof numbers of a position. Both are at least 1.
    fn difficulty(&self, p: &P, attacker: Side) -> (u32, u32) {
        let _ = (p, attacker);
        (1, 1)
    }
}

/// The result of perfect play for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It loses in this many plies; 0 if it is stuck now.
    Loss(u32),
    /// Neither side can win.
    Draw,
    /// It wins in this many plies.
    Win(u32),
}
