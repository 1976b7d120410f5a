use game::{Key, Outcome, Position, SplitMix64};

use crate::control::Stopped;
use crate::mcts::evaluator::{Evaluator, Leaf};
use crate::mcts::numbers::{exp, expected_result};
use crate::policy::{Known, Policy};

/// Advantage that makes a move e times as probable in the priors, in hundredths of a piece. Tuned by matches at 150
/// simulations a move: 20 was much weaker in Lines of Action; between 40 and 160, no value was best in all games.
const TEMPERATURE: f64 = 80.0;
/// Evaluation of a move that loses immediately, in hundredths of a piece.
const LOST: i32 = -10_000;

/// An evaluator made from a policy. The value of a position is the mean of its evaluation and of the evaluation after
/// its best move. The priors are a softmax of the evaluations after the moves. Results that the policy knows, and
/// immediate wins, are known results.
pub struct PolicyEvaluator<L> {
    policy: L,
    /// Maximum random change to an evaluation, in hundredths of a piece.
    noise: u32,
    seed: u64,
}

/// A policy's judgement of a position.
enum Judgement {
    /// The result of perfect play.
    Known(Known),
    /// Evaluations in hundredths of a piece, for the side to move: of the position, and after each move.
    Estimate { here: i32, moves: Vec<i32> },
}

impl<L> PolicyEvaluator<L> {
    /// Creates an evaluator. `noise` is the maximum random change to an evaluation, in hundredths of a piece.
    pub fn new(policy: L, noise: u32) -> Self {
        Self { policy, noise, seed: 0 }
    }

    /// Returns the policy.
    pub(super) fn policy(&self) -> &L {
        &self.policy
    }

    fn judge<P: Position>(&self, leaf: &Leaf<P>) -> Judgement
    where
        L: Policy<P>,
    {
        let (p, left) = (leaf.position(), leaf.plies_left().next());
        if let Some(known) = self.policy.known(p) {
            return Judgement::Known(known);
        }
        let (mut own, mut next) = (L::Accumulator::default(), L::Accumulator::default());
        let here = self.policy.evaluate_near(p, None, &mut own) + self.noise(p);
        let mut moves = Vec::with_capacity(leaf.moves().len());
        for &m in leaf.moves() {
            let child = p.child(m);
            moves.push(match left.finish_unless_stuck(&child).map(|finish| finish.outcome) {
                Some(Outcome::Win(side)) if side == p.side_to_move() => return Judgement::Known(Known::Win(1)),
                Some(Outcome::Win(_)) => LOST,
                Some(Outcome::Draw) => 0,
                None => -self.policy.evaluate_near(&child, Some(&own), &mut next) - self.noise(&child),
            });
        }
        Judgement::Estimate { here, moves }
    }

    /// Returns the random change to the evaluation of a position. It is the same wherever the position occurs.
    fn noise<P: Position>(&self, p: &P) -> i32 {
        let hash = Key::mix(p.key().0 ^ self.seed).0;
        (hash % (2 * u64::from(self.noise) + 1)) as i32 - self.noise as i32
    }
}

impl<P: Position, L: Policy<P>> Evaluator<P> for PolicyEvaluator<L> {
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) -> Result<(), Stopped> {
        for leaf in leaves {
            match self.judge(leaf) {
                Judgement::Known(known) => leaf.known = Some(known),
                Judgement::Estimate { here, moves } => {
                    let best = moves.iter().copied().max().unwrap_or(here);
                    // The mean cancels most of the value of the turn. Each of the two alone was weaker in Jump61.
                    leaf.value = expected_result(i32::midpoint(here, best)) as f32;
                    leaf.set_priors(moves.iter().map(|&value| exp(f64::from(value - best) / TEMPERATURE) as f32));
                }
            }
        }
        Ok(())
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = SplitMix64::new(seed).next_u64();
    }
}
