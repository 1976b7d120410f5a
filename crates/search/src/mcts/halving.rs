//! The Gumbel rule for the moves of the root: a sample without replacement, and sequential halving (I. Danihelka, A.
//! Guez, J. Schrittwieser and D. Silver, "Policy improvement by planning with Gumbel", 2022).

use game::{Position, SplitMix64};

use crate::control::Stopped;
use crate::mcts::evaluator::Evaluator;
use crate::mcts::numbers::ln;
use crate::mcts::settings::Gumbel;
use crate::mcts::simulation::Simulator;
use crate::mcts::tree::{ROOT, Tree};
use crate::score::Score;

/// Weight of the root's values against its priors: the transformation σ of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct ValueWeight(f64);

impl ValueWeight {
    /// Returns the weight after the simulations so far.
    pub(super) fn of<M: Copy>(tree: &Tree<M>, gumbel: &Gumbel) -> Self {
        let visits = tree.edges(ROOT).iter().filter_map(|edge| tree.child(edge)).map(|child| child.visits);
        Self((gumbel.visits + f64::from(visits.max().unwrap_or(0))) * gumbel.scale)
    }

    /// Returns the logit of a value.
    pub(super) fn logit(self, value: f64) -> f64 {
        self.0 * value
    }
}

/// The moves of the root that are simulated.
pub(super) struct Candidates {
    gumbel: Gumbel,
    /// Number of simulations in each phase.
    of_phase: u64,
    /// Indices of the moves, the best first.
    pub(super) moves: Vec<usize>,
    /// Logit of each move of the root, with its random number.
    logits: Vec<f64>,
}

impl Candidates {
    /// Samples the moves, at most one for each of the planned simulations.
    pub(super) fn sample<M: Copy>(tree: &Tree<M>, gumbel: Gumbel, simulations: u64, rng: &mut SplitMix64) -> Self {
        let edges = tree.edges(ROOT);
        let noise = |rng: &mut SplitMix64| {
            let uniform = ((rng.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
            -ln(-ln(uniform)) * gumbel.noise
        };
        let logits: Vec<f64> = edges.iter().map(|edge| ln(edge.prior.into()) + noise(rng)).collect();
        let mut moves: Vec<usize> = (0..edges.len()).collect();
        moves.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
        moves.truncate(gumbel.considered.min(simulations.try_into().unwrap_or(usize::MAX)).max(1));
        let phases = u64::from(moves.len().max(2).next_power_of_two().ilog2());
        Self { gumbel, of_phase: simulations / phases, moves, logits }
    }

    /// Divides the simulations among the moves: in each phase, every move that is left gets the same number, and the
    /// better half is kept. The last two share the rest. If all moves are proven to lose, continues with PUCT among all
    /// moves of the root.
    ///
    /// # Errors
    /// Returns [`Stopped`] if the search is stopped. The moves are still in order.
    pub(super) fn run<P: Position, E: Evaluator<P>>(
        &mut self,
        simulator: &mut Simulator<'_, P, E>,
    ) -> Result<(), Stopped> {
        while !simulator.is_over() {
            let count = self.moves.len();
            let rounds = if count > 2 { (self.of_phase / count as u64).max(1) } else { 1 };
            let result = self.phase(simulator, rounds);
            self.sort(&simulator.tree);
            result?;
            if count > 2 {
                self.moves.truncate(count.div_ceil(2).max(2));
            }
        }
        let result = simulator.flush();
        self.sort(&simulator.tree);
        result
    }

    /// Runs this many simulations of every move that is left.
    fn phase<P: Position, E: Evaluator<P>>(
        &self,
        simulator: &mut Simulator<'_, P, E>,
        rounds: u64,
    ) -> Result<(), Stopped> {
        if self.moves.is_empty() {
            return simulator.simulate(None);
        }
        for _ in 0..rounds {
            for &index in &self.moves {
                if simulator.is_over() {
                    return Ok(());
                }
                if simulator.tree.standing(&simulator.tree.edges(ROOT)[index]) >= Score::DRAW {
                    simulator.simulate(Some(index))?;
                }
            }
        }
        // With two moves left, every round is a phase: it need not wait for the values.
        if self.moves.len() > 2 { simulator.flush() } else { Ok(()) }
    }

    /// Sorts the moves by their logits and values, the best first, and removes those that are proven to lose.
    fn sort<M: Copy>(&mut self, tree: &Tree<M>) {
        let (edges, weight) = (tree.edges(ROOT), ValueWeight::of(tree, &self.gumbel));
        let rank = |index: usize| {
            let value = tree.mean(&edges[index]).unwrap_or_else(|| tree.node(ROOT).value);
            self.logits[index] + weight.logit(value)
        };
        self.moves.retain(|&index| tree.standing(&edges[index]) >= Score::DRAW);
        self.moves.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
    }
}
