use game::{Position, Record};

use crate::{Control, Limits, Score};

/// The move that an engine has chosen, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The move.
    pub best: M,
    /// Its value for the side to move. A win or loss in it is proven.
    pub score: Score,
    /// Best play for both sides, beginning with the move.
    pub line: Vec<M>,
    /// Finished depth, in plies.
    pub depth: u32,
    /// Visited positions.
    pub nodes: u64,
    /// The next best moves, where the player is set to look at more than one.
    pub others: Vec<Variation<M>>,
}

/// A line of play and its value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// Value for the side to move.
    pub score: Score,
    /// Best play for both sides.
    pub line: Vec<M>,
}

/// A player that answers with one call a move.
pub trait Engine<P: Position>: Send {
    /// Chooses a move for the side to move. The root counts as undecided whatever stands on the board, because a set-up
    /// position is played on. `None` only if there is no legal move.
    fn choose(
        &mut self,
        game: &Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Choice<P::Move>>;

    /// Forgets everything; from now on the choices are fixed by this seed.
    fn new_game(&mut self, seed: u64);
}
