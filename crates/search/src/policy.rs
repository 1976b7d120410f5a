use game::{Position, Side};

/// What a player knows of a game beyond its rules.
pub trait Policy<P: Position>: Send + Sync {
    /// How many kinds of moves the history table tells apart.
    const SLOTS: usize;

    /// What an undecided position is worth to the side to move, in hundredths of a piece.
    fn evaluate(&self, p: &P) -> i32;

    /// The kind of a move, below [`SLOTS`](Self::SLOTS), for the history table.
    fn slot(&self, p: &P, m: P::Move) -> usize;

    /// A first guess at how good a move is, larger is better, before the search has seen anything.
    fn promise(&self, p: &P, m: P::Move) -> i32 {
        let _ = (p, m);
        0
    }

    /// Whether an evaluation before this move says little: such moves are searched beyond the horizon, and are not reduced.
    fn is_noisy(&self, p: &P, m: P::Move) -> bool {
        let _ = (p, m);
        false
    }

    /// The position with the turn passed to the opponent, in games where the best move is hardly ever worse than passing.
    fn passed(&self, p: &P) -> Option<P> {
        let _ = p;
        None
    }

    /// Where moves may be left out unseen.
    fn pruning(&self) -> Pruning {
        Pruning::default()
    }

    /// A sound and cheap answer "no" to "can the side to move win by force within so many plies?". Must never say "no"
    /// where there is such a win, whatever the opponent does.
    fn may_win_within(&self, p: &P, plies: u32) -> bool {
        let _ = (p, plies);
        true
    }

    /// What perfect play brings the side to move, where the player knows it, as from endgame tables. Must be true without regard to
    /// a move limit.
    fn known(&self, p: &P) -> Option<Known> {
        let _ = p;
        None
    }

    /// Whether a forced win of `attacker` may be near enough for a proof search to be worth its share of the budget.
    fn may_be_proven(&self, p: &P, attacker: Side) -> bool {
        let _ = (p, attacker);
        true
    }

    /// How many positions must at least be seen, by guess, to prove that `attacker` wins and to prove that he does not: where
    /// a proof-number search begins with a position. Both at least 1.
    fn difficulty(&self, p: &P, attacker: Side) -> (u32, u32) {
        let _ = (p, attacker);
        (1, 1)
    }
}

/// How far a game allows forward pruning. Nothing is pruned by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruning {
    /// By how much an evaluation seldom changes in a ply, in hundredths of a piece.
    pub margin: Option<i32>,
    /// How many quiet moves are looked at one ply above the leaves; grows with the square of the depth.
    pub late: Option<u32>,
}

/// What perfect play brings the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It has lost after so many plies; 0 is stuck now.
    Loss(u32),
    /// Neither side can win.
    Draw,
    /// It wins in so many plies.
    Win(u32),
}
