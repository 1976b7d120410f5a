use game::{Position, Record};

use crate::control::{Control, Limits};
use crate::score::Score;

/// The move that an engine has chosen, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// The move.
    pub best: M,
    /// Its value for the side to move. A win or loss in it is proven.
    pub score: Score,
    /// The principal variation: best play for both sides, beginning with the move.
    pub pv: Vec<M>,
    /// Finished depth, in plies.
    pub depth: u32,
    /// Visited positions.
    pub nodes: u64,
    /// The next best moves, if the player is set to give more than one line.
    pub others: Vec<Variation<M>>,
}

/// A principal variation and its value for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// Value for the side to move.
    pub score: Score,
    /// Best play for both sides. It begins with another move than the chosen one.
    pub pv: Vec<M>,
}

/// A player. Each call chooses one move.
pub trait Engine<P: Position>: Send {
    /// Chooses a move for the side to move. The root always counts as undecided, because play goes on from a position
    /// that was set up. `None` only if there is no legal move.
    fn choose(
        &mut self,
        game: &Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Choice<P::Move>>;

    /// Forgets everything. From now on this seed fixes the choices.
    fn new_game(&mut self, seed: u64);
}
