use game::Position;

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

    /// A sound and cheap answer "no" to "can the side to move win by force within so many plies?". Must never say "no"
    /// where there is such a win, whatever the opponent does.
    fn may_win_within(&self, p: &P, plies: u32) -> bool {
        let _ = (p, plies);
        true
    }
}
