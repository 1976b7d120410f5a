use game::{PliesLeft, Position};

use crate::control::Stopped;
use crate::policy::Known;

/// A source of values and move probabilities for a Monte Carlo tree search, such as a neural network.
///
/// It receives the positions in batches of up to [`MctsSettings::batch`](crate::mcts::settings::MctsSettings::batch). A
/// boxed evaluator is an evaluator, too.
pub trait Evaluator<P: Position>: Send {
    /// Evaluates undecided positions: sets the [value](Leaf::value) and the [priors](Leaf::set_priors) of each. The
    /// order of the leaves must not affect the results.
    ///
    /// # Errors
    /// [`Stopped`] ends the search, which then discards these leaves and returns the best move so far. An evaluator
    /// that fails returns it, and keeps the reason for its caller.
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) -> Result<(), Stopped>;

    /// Clears all state. If the evaluations are random, `seed` determines them from now on.
    fn new_game(&mut self, seed: u64) {
        let _ = seed;
    }
}

impl<P: Position, E: Evaluator<P> + ?Sized> Evaluator<P> for Box<E> {
    fn evaluate(&mut self, leaves: &mut [Leaf<P>]) -> Result<(), Stopped> {
        (**self).evaluate(leaves)
    }

    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }
}

/// A position to evaluate, with its evaluation. A new leaf is a draw, and all its moves have the same prior.
#[derive(Clone, Debug)]
pub struct Leaf<P: Position> {
    position: P,
    left: PliesLeft,
    moves: Vec<P::Move>,
    priors: Vec<f32>,
    /// Expected result for the side to move, from -1 (loss) to 1 (win).
    pub value: f32,
    /// Result of perfect play for the side to move, if it is known. It must be correct for a game without a move limit.
    /// The search does not look beyond such a position.
    pub known: Option<Known>,
}

impl<P: Position> Leaf<P> {
    /// Creates a leaf for an undecided position with this many plies before the move limit.
    pub fn new(position: P, left: PliesLeft) -> Self {
        let moves = position.movable();
        let priors = vec![1.0 / moves.len().max(1) as f32; moves.len()];
        Self { position, left, moves, priors, value: 0.0, known: None }
    }

    /// Returns the position.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Returns the number of plies before the move limit.
    pub fn plies_left(&self) -> PliesLeft {
        self.left
    }

    /// Returns the legal moves in the order of move generation.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Returns the probabilities of the moves, in the order of [`moves`](Self::moves). Their sum is 1.
    pub fn priors(&self) -> &[f32] {
        &self.priors
    }

    /// Sets the probabilities of the moves, in the order of [`moves`](Self::moves). They are scaled to a sum of 1.
    /// Negative and invalid numbers count as zero. If no move has a positive number, all moves get the same prior.
    pub fn set_priors(&mut self, priors: impl IntoIterator<Item = f32>) {
        let mut given = priors.into_iter();
        for prior in &mut self.priors {
            *prior = given.next().filter(|&number| number.is_finite() && number > 0.0).unwrap_or(0.0);
        }
        let sum: f64 = self.priors.iter().copied().map(f64::from).sum();
        let even = 1.0 / self.priors.len().max(1) as f32;
        for prior in &mut self.priors {
            *prior = if sum > 0.0 { (f64::from(*prior) / sum) as f32 } else { even };
        }
    }

    /// Returns the value within its limits; 0 if it is not a number.
    pub(super) fn valid_value(&self) -> f64 {
        if self.value.is_nan() { 0.0 } else { f64::from(self.value.clamp(-1.0, 1.0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::examples::Nim;

    #[test]
    fn priors_are_scaled_and_invalid_numbers_are_ignored() {
        let mut leaf = Leaf::new("7 a".parse::<Nim>().expect("a heap"), PliesLeft::UNLIMITED);
        assert_eq!(leaf.moves().len(), 3);
        leaf.set_priors([1.0, f32::NAN, 3.0, 9.0]);
        assert_eq!(leaf.priors(), [0.25, 0.0, 0.75]);
        leaf.set_priors([-1.0]);
        assert_eq!(leaf.priors(), [1.0 / 3.0; 3]);
        for (value, valid) in [(f32::NAN, 0.0), (7.0, 1.0), (f32::NEG_INFINITY, -1.0), (0.5, 0.5)] {
            leaf.value = value;
            assert!((leaf.valid_value() - valid).abs() < 1e-9, "{value}");
        }
    }
}
