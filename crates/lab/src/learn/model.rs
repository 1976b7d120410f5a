//! A learned evaluation in floating point, with its gradient.

use engine::learned::{ACTIVE, Layout, LearnedNumbers, OUTPUT_SCALE, TABLE_SCALE};
use game::SplitMix64;
use measure::samples::Sample;

use super::learnable::{Features, Learnable};
use crate::tune::expected;

/// Value of a weight of 1, in hundredths of a piece.
const PIECE: f32 = 100.0;
/// Number of symmetries of a board.
pub(super) const SYMMETRIES: usize = 8;

/// A sample with its features and target.
pub(super) struct Example {
    features: Features,
    pub(super) result: f32,
    pub(super) target: f32,
}

impl Example {
    pub(super) fn new<P: Learnable>(sample: &Sample<P>, target: f32) -> Self {
        Self { features: sample.position.features(), result: sample.result, target }
    }
}

/// The weights of an evaluation in one vector: tables, rows of inputs, biases, outputs.
pub(super) struct Model {
    pub(super) weights: Vec<f32>,
    layout: Layout,
    entries: usize,
    kept: Vec<usize>,
    size: usize,
    /// Inputs of each half under each symmetry.
    turned: [[Vec<u16>; 2]; SYMMETRIES],
}

/// Buffers for computing the gradient of an example.
pub(super) struct Scratch {
    /// Inputs of each half, in ascending order.
    inputs: [Vec<u16>; 2],
    /// Units of each half.
    units: [Vec<f32>; 2],
    back: Vec<f32>,
}

impl Model {
    /// Creates a model for boards of this size with zeros in the tables and small random numbers in the network.
    pub(super) fn new<P: Learnable>(size: usize, rng: &mut SplitMix64) -> Self {
        let (layout, entries) = (P::LAYOUT, P::entries(size));
        let turned = |symmetry| {
            let all = |map: &dyn Fn(usize) -> usize| (0..layout.inputs).map(|input| map(input) as u16).collect();
            let turn = layout.turned;
            [all(&|input| turn(input, symmetry)), all(&|input| turn((layout.mirrored)(input), symmetry))]
        };
        let turned = core::array::from_fn(turned);
        let weights = Vec::new();
        let mut model = Self { weights, layout, entries, kept: P::kept_entries(size), size, turned };
        let mut weights = vec![0.0; model.outputs(model.layout.sets)];
        let mut scatter = |weights: &mut [f32], most: f32| {
            for w in weights {
                *w = most * (rng.below(20_001) as f32 / 10_000.0 - 1.0);
            }
        };
        scatter(&mut weights[model.rows()..model.bias()], 0.15);
        scatter(&mut weights[model.outputs(0)..], 0.02);
        model.weights = weights;
        model
    }

    /// Returns the number of table weights. They come first.
    pub(super) fn tables(&self) -> usize {
        self.entries
    }

    pub(super) fn scratch(&self) -> Scratch {
        let units = || vec![0.0; self.layout.units];
        Scratch { inputs: [Vec::new(), Vec::new()], units: [units(), units()], back: units() }
    }

    fn rows(&self) -> usize {
        self.entries
    }

    fn bias(&self) -> usize {
        self.rows() + self.layout.inputs * self.layout.units
    }

    fn outputs(&self, set: usize) -> usize {
        self.bias() + self.layout.units + set * self.layout.set()
    }

    /// Returns the value of an example for the side to move, in hundredths of a piece.
    pub(super) fn evaluate(&self, example: &Example, scratch: &mut Scratch) -> f32 {
        self.forward(example, 0, scratch)
    }

    fn forward(&self, example: &Example, symmetry: usize, scratch: &mut Scratch) -> f32 {
        let units = self.layout.units;
        let Features { entries, inputs, set } = &example.features;
        let mut value: f32 = entries.iter().map(|&entry| self.weights[usize::from(entry)]).sum();
        let outputs = &self.weights[self.outputs(*set)..][..self.layout.set()];
        for half in 0..2 {
            let (seen, active) = (&mut scratch.inputs[half], &mut scratch.units[half]);
            seen.clear();
            seen.extend(inputs.iter().map(|&input| self.turned[symmetry][half][usize::from(input)]));
            // Always add in the same order, regardless of the symmetry.
            seen.sort_unstable();
            active.copy_from_slice(&self.weights[self.bias()..][..units]);
            for &input in &*seen {
                let row = &self.weights[self.rows() + usize::from(input) * units..][..units];
                active.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
            }
            for (unit, weight) in active.iter().zip(&outputs[half * units..]) {
                let active = unit.clamp(0.0, 1.0);
                value += active * active * weight;
            }
        }
        (value + outputs[2 * units]) * PIECE
    }

    /// Adds the gradient of an example's loss under one of the symmetries.
    pub(super) fn follow(&self, example: &Example, symmetry: usize, scratch: &mut Scratch, gradient: &mut [f32]) {
        let units = self.layout.units;
        let error = expected(self.forward(example, symmetry, scratch)) - example.target;
        for &entry in &example.features.entries {
            gradient[usize::from(entry)] += error;
        }
        let Scratch { inputs, units: active, back } = scratch;
        let first = self.outputs(example.features.set);
        for (half, active) in active.iter().enumerate() {
            for (i, unit) in active.iter().enumerate() {
                let active = unit.clamp(0.0, 1.0);
                let output = first + half * units + i;
                gradient[output] += error * active * active;
                let is_open = *unit > 0.0 && *unit < 1.0;
                back[i] = if is_open { error * 2.0 * active * self.weights[output] } else { 0.0 };
            }
            let rows = inputs[half].iter().map(|&input| self.rows() + usize::from(input) * units);
            for row in rows.chain([self.bias()]) {
                gradient[row..][..units].iter_mut().zip(&*back).for_each(|(g, b)| *g += b);
            }
        }
        gradient[first + 2 * units] += error;
    }

    /// Converts the weights to the numbers of the file.
    pub(super) fn numbers(&self) -> Result<LearnedNumbers, String> {
        let whole = |weight: f32, scale: f32| {
            let number = (weight * scale).round();
            let fits = (f32::from(i16::MIN)..=f32::from(i16::MAX)).contains(&number);
            if fits { Ok(number as i16) } else { Err(format!("the trained weight {weight} does not fit 16 bits")) }
        };
        let all = |weights: &[f32], scale: f32| -> Result<Vec<i16>, String> {
            weights.iter().map(|&weight| whole(weight, scale)).collect()
        };
        let (units, table_scale) = (self.layout.units, PIECE * TABLE_SCALE as f32);
        let table: Vec<f32> = self.kept.iter().map(|&entry| self.weights[entry]).collect();
        let mut outputs = Vec::new();
        for set in self.weights[self.outputs(0)..].chunks(self.layout.set()) {
            outputs.extend(all(&set[..2 * units], OUTPUT_SCALE as f32)?);
            outputs.push(whole(set[2 * units], table_scale)?);
        }
        Ok(LearnedNumbers {
            size: self.size,
            table: all(&table, table_scale)?,
            rows: all(&self.weights[self.rows()..self.bias()], f32::from(ACTIVE))?,
            bias: all(&self.weights[self.bias()..][..units], f32::from(ACTIVE))?,
            outputs,
        })
    }
}
