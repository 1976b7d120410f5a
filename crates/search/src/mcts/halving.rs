//! The Gumbel rule for the moves of the root: a sample without replacement, and sequential halving (I. Danihelka, A.
//! Guez, J. Schrittwieser and D. Silver, "Policy improvement by planning with Gumbel", 2022).

use game::{Position, SplitMix64};

use crate::mcts::numbers::ln;
use crate::mcts::settings::Gumbel;
use crate::mcts::simulation::Simulator;
use crate::mcts::step::Step;
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
    /// Number of moves at the beginning of the phase.
    count: usize,
    /// Number of simulations of the phase; 0 before the first phase.
    turns: usize,
    /// Number of simulations of the phase that have begun.
    turn: usize,
}

impl Candidates {
    /// Samples the moves, at most one for each of the planned simulations.
    pub(super) fn sample<M: Copy>(tree: &Tree<M>, gumbel: Gumbel, simulations: u64, rng: &mut SplitMix64) -> Self {
        let edges = tree.edges(ROOT);
        let noise = |rng: &mut SplitMix64| {
            // Never 0, whose logarithm is infinite.
            let uniform = rng.fraction() + f64::EPSILON / 4.0;
            -ln(-ln(uniform)) * gumbel.noise
        };
        let logits: Vec<f64> = edges.iter().map(|edge| ln(edge.prior.into()) + noise(rng)).collect();
        let mut moves: Vec<usize> = (0..edges.len()).collect();
        moves.sort_by(|&a, &b| logits[b].total_cmp(&logits[a]));
        moves.truncate(gumbel.considered.min(simulations.try_into().unwrap_or(usize::MAX)).max(1));
        let phases = u64::from(moves.len().max(2).next_power_of_two().ilog2());
        Self { gumbel, of_phase: simulations / phases, moves, logits, count: 0, turns: 0, turn: 0 }
    }

    /// Returns the next step. It divides the simulations among the moves: in each phase, every move that is left gets
    /// the same number, and the better half is kept. The last two share the rest. If all moves are proven to lose,
    /// continues with PUCT among all moves of the root. At the end, the moves are in order.
    pub(super) fn next<P: Position>(&mut self, simulator: &Simulator<P>) -> Step {
        let (tree, is_over) = (&simulator.tree, simulator.is_over());
        loop {
            if !is_over && self.turn < self.turns {
                self.turn += 1;
                let Some(index) = (self.turn - 1).checked_rem(self.moves.len()).map(|turn| self.moves[turn]) else {
                    return Step::Simulate(None);
                };
                if tree.standing(&tree.edges(ROOT)[index]) >= Score::DRAW {
                    return Step::Simulate(Some(index));
                }
                if self.moves.iter().all(|&index| tree.standing(&tree.edges(ROOT)[index]) < Score::DRAW) {
                    self.turn = self.turns;
                }
                continue;
            }
            // With two moves left, every round is a phase: it need not wait for the values.
            if !simulator.leaves.is_empty() && (is_over || self.moves.len() > 2) {
                return Step::Evaluate;
            }
            if self.turns > 0 || is_over {
                self.sort(tree);
            }
            if is_over {
                return Step::End;
            }
            self.begin_phase();
        }
    }

    /// Keeps the better half of the moves after the first phase, and plans the simulations of the next one.
    fn begin_phase(&mut self) {
        if self.count > 2 {
            self.moves.truncate(self.count.div_ceil(2).max(2));
        }
        self.count = self.moves.len();
        let rounds = if self.count > 2 { (self.of_phase / self.count as u64).max(1) } else { 1 };
        let turns = rounds.saturating_mul(self.count as u64).max(1);
        (self.turns, self.turn) = (turns.try_into().unwrap_or(usize::MAX), 0);
    }

    /// Sorts the moves by their logits and values, the best first, and removes those that are proven to lose.
    pub(super) fn sort<M: Copy>(&mut self, tree: &Tree<M>) {
        let (edges, weight) = (tree.edges(ROOT), ValueWeight::of(tree, &self.gumbel));
        let rank = |index: usize| {
            let value = tree.mean(&edges[index]).unwrap_or_else(|| tree.node(ROOT).value);
            self.logits[index] + weight.logit(value)
        };
        self.moves.retain(|&index| tree.standing(&edges[index]) >= Score::DRAW);
        self.moves.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)));
    }
}
