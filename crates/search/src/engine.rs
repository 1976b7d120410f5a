use game::{Position, Record};

use crate::control::{Control, Limits};
use crate::score::Score;

/// The chosen move of an engine, with its score and its principal variation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice<M> {
    /// Chosen move.
    pub best: M,
    /// Score for the side to move. A win or loss is proven.
    pub score: Score,
    /// Principal variation: best play for both sides, beginning with the chosen move.
    pub pv: Vec<M>,
    /// Finished depth, in plies.
    pub depth: u32,
    /// Number of visited positions.
    pub nodes: u64,
    /// Next best moves, if the player is set to return more than one line.
    pub others: Vec<Variation<M>>,
}

impl<M: Copy> Choice<M> {
    /// Returns a choice without other lines, which plays the first move of `pv`.
    ///
    /// # Panics
    /// Panics if `pv` is empty.
    pub fn of_line(pv: Vec<M>, score: Score, depth: u32, nodes: u64) -> Self {
        let best = *pv.first().expect("invariant: a principal variation begins with the chosen move");
        Self { best, score, pv, depth, nodes, others: Vec::new() }
    }
}

/// A principal variation with its score for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variation<M> {
    /// Score for the side to move.
    pub score: Score,
    /// Best play for both sides. It does not begin with the chosen move.
    pub pv: Vec<M>,
}

/// A player, which chooses one move per call.
pub trait Engine<P: Position>: Send {
    /// Chooses a move for the side to move. The root always counts as undecided, because play continues from a position
    /// that was set up. Returns `None` only if there is no legal move.
    fn choose(
        &mut self,
        game: &Record<P>,
        limits: &Limits,
        control: &mut Control<'_, P::Move>,
    ) -> Option<Choice<P::Move>>;

    /// Clears all state. `seed` determines the choices from now on.
    fn new_game(&mut self, seed: u64);
}
