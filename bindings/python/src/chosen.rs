//! Chosen actions for the games of a batch.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::encode::{Encoded, MoveOf};
use crate::roots::Encoding;

/// Offsets, ids and probabilities of the legal actions.
type Distribution<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f32>>);
/// Actions, values and probabilities as arrays.
pub(crate) type ChosenArrays<'py> = (Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<f32>>, Distribution<'py>);

/// The choice in one game.
pub(crate) struct Decision {
    /// Id of the chosen action.
    action: i32,
    /// Expected result for the side to move, from -1 to 1.
    value: f32,
    /// Ids of the legal actions in ascending order, with their probabilities.
    policy: Vec<(i32, f32)>,
}

impl Decision {
    /// Creates the decision for `best`. `moves` are the legal moves with their weights; at least one is positive.
    pub(crate) fn new<P: Encoded>(
        encoding: &dyn Encoding<P>,
        p: &P,
        best: MoveOf<P>,
        value: f64,
        moves: impl IntoIterator<Item = (MoveOf<P>, f32)>,
    ) -> Self {
        let mut policy: Vec<(i32, f32)> = moves.into_iter().map(|(m, weight)| (encoding.id_of(p, m), weight)).collect();
        policy.sort_unstable_by_key(|&(id, _)| id);
        let sum: f32 = policy.iter().map(|&(_, weight)| weight).sum();
        for (_, weight) in &mut policy {
            *weight /= sum;
        }
        Self { action: encoding.id_of(p, best), value: value as f32, policy }
    }
}

/// The choices in all games of a batch.
pub(crate) struct Chosen {
    actions: Vec<i32>,
    values: Vec<f32>,
    offsets: Vec<i64>,
    ids: Vec<i32>,
    weights: Vec<f32>,
}

impl Chosen {
    /// Combines the decisions, each with the number of its game in ascending order, for `count` games.
    pub(crate) fn new(count: usize, decisions: impl IntoIterator<Item = (usize, Decision)>) -> Self {
        let (ids, weights) = (Vec::new(), Vec::new());
        let mut chosen = Self { actions: vec![-1; count], values: vec![0.0; count], offsets: vec![0], ids, weights };
        for (number, decision) in decisions {
            chosen.skip_to(number);
            (chosen.actions[number], chosen.values[number]) = (decision.action, decision.value);
            let (ids, weights): (Vec<i32>, Vec<f32>) = decision.policy.into_iter().unzip();
            chosen.ids.extend(ids);
            chosen.weights.extend(weights);
        }
        chosen.skip_to(count);
        chosen
    }

    /// Sets the offsets of all games up to this one.
    fn skip_to(&mut self, number: usize) {
        self.offsets.resize(number + 1, self.ids.len() as i64);
    }

    /// Converts the choices to arrays.
    pub(crate) fn into_arrays(self, py: Python<'_>) -> ChosenArrays<'_> {
        let offsets = PyArray1::from_vec(py, self.offsets);
        let policy = (offsets, PyArray1::from_vec(py, self.ids), PyArray1::from_vec(py, self.weights));
        (PyArray1::from_vec(py, self.actions), PyArray1::from_vec(py, self.values), policy)
    }
}
