use crate::engine::{Choice, Variation};
use crate::mcts::numbers::units_of;
use crate::score::Score;

/// The result of a Monte Carlo tree search.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan<M> {
    /// Moves of the root that were searched, the best first. Never empty.
    pub moves: Vec<PlannedMove<M>>,
    /// Expected result for the side to move, from -1 to 1: the mean of all simulations, or the proven result.
    pub value: f32,
    /// Number of simulations, including the evaluation of the root.
    pub simulations: u64,
}

/// A move of the root with its statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedMove<M> {
    /// The move.
    pub m: M,
    /// Prior probability.
    pub prior: f32,
    /// Number of simulations.
    pub visits: u32,
    /// Expected result for the side that plays the move, from -1 to 1. Without simulations, the value of the root is
    /// used, corrected by the values of the other moves.
    pub value: f32,
    /// Probability in the improved policy: the priors, corrected by the values (Danihelka et al. 2022, equation 11). It
    /// is a target for training, as is the share of `visits`.
    pub policy: f32,
    /// Proven result for the side that plays the move. The number of plies is an upper bound.
    pub proven: Option<Score>,
    /// Principal variation, beginning with the move.
    pub pv: Vec<M>,
}

impl<M> PlannedMove<M> {
    /// Returns the proven result, or the value in hundredths of a piece.
    pub fn score(&self) -> Score {
        self.proven.unwrap_or_else(|| Score::units(units_of(self.value.into())))
    }
}

impl<M: Copy> Plan<M> {
    /// Returns the best move as a choice with up to `lines` lines.
    pub fn choice(&self, lines: usize) -> Choice<M> {
        let best = &self.moves[0];
        let others = self.moves.iter().take(lines).skip(1);
        Choice {
            best: best.m,
            score: best.score(),
            pv: best.pv.clone(),
            depth: best.pv.len() as u32,
            nodes: self.simulations,
            others: others.map(|other| Variation { score: other.score(), pv: other.pv.clone() }).collect(),
        }
    }
}
