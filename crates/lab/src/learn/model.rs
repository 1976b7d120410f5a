//! The learned evaluation in floating point, with its gradient.

use engine::loa::learned::{ACTIVE, INPUTS, LearnedNumbers, OUTPUT_SCALE, SETS, TABLE_SCALE, UNITS, set_of};
use game::{Position as _, SplitMix64};
use loa::{Bitboard, LineTable, Position};
use measure::samples::Sample;

use crate::tune::expected;

/// Squares a side of the boards that are learned.
const SIZE: usize = 8;
/// Weights of one set of outputs: both halves and the offset.
const SET: usize = 2 * UNITS + 1;
/// A weight of 1 is a piece: this many hundredths.
const PIECE: f32 = 100.0;

/// A sample as the training sees it.
pub(super) struct Example {
    own: Bitboard,
    enemy: Bitboard,
    entries: Box<[u16]>,
    set: usize,
    pub(super) result: f32,
    pub(super) target: f32,
}

impl Example {
    pub(super) fn new(sample: &Sample<Position>, target: f32) -> Self {
        let p = &sample.position;
        let us = p.side_to_move();
        let entries = LineTable::of(p).into_boxed_slice();
        Self { own: p.pieces(us), enemy: p.pieces(!us), entries, set: set_of(p), result: sample.result, target }
    }
}

/// All weights in one row: tables, rows of inputs, biases, outputs.
pub(super) struct Model {
    pub(super) weights: Vec<f32>,
    entries: usize,
}

/// What the units of both halves are for an example.
type Units = [[f32; UNITS]; 2];

impl Model {
    /// A model whose tables are zero and whose network is small and random.
    pub(super) fn new(rng: &mut SplitMix64) -> Self {
        let entries = LineTable::entries(SIZE);
        let mut weights = vec![0.0; entries + (INPUTS + 1) * UNITS + SETS * SET];
        let mut scatter = |weights: &mut [f32], most: f32| {
            for w in weights {
                *w = most * (rng.below(20_001) as f32 / 10_000.0 - 1.0);
            }
        };
        let model = Self { weights: Vec::new(), entries };
        scatter(&mut weights[model.rows()..model.bias()], 0.15);
        scatter(&mut weights[model.outputs(0)..], 0.02);
        Self { weights, ..model }
    }

    /// How many of the weights are those of the tables. They come first.
    pub(super) fn tables(&self) -> usize {
        self.entries
    }

    fn rows(&self) -> usize {
        self.entries
    }

    fn bias(&self) -> usize {
        self.rows() + INPUTS * UNITS
    }

    fn outputs(&self, set: usize) -> usize {
        self.bias() + UNITS + set * SET
    }

    /// The value of an example for the side to move, in hundredths of a piece.
    pub(super) fn evaluate(&self, example: &Example) -> f32 {
        self.forward(example, [example.own, example.enemy]).0
    }

    fn forward(&self, example: &Example, boards: [Bitboard; 2]) -> (f32, Units) {
        let mut value: f32 = example.entries.iter().map(|&entry| self.weights[usize::from(entry)]).sum();
        let outputs = &self.weights[self.outputs(example.set)..][..SET];
        let mut units = [[0.0; UNITS]; 2];
        for (half, units) in units.iter_mut().enumerate() {
            units.copy_from_slice(&self.weights[self.bias()..][..UNITS]);
            for row in inputs(boards, half) {
                let row = &self.weights[self.rows() + row * UNITS..][..UNITS];
                units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += weight);
            }
            for (unit, weight) in units.iter().zip(&outputs[half * UNITS..]) {
                let active = unit.clamp(0.0, 1.0);
                value += active * active * weight;
            }
        }
        ((value + outputs[2 * UNITS]) * PIECE, units)
    }

    /// Adds the gradient of an example's loss, whose board is turned by one of the eight symmetries.
    pub(super) fn follow(&self, example: &Example, symmetry: usize, gradient: &mut [f32]) {
        let boards = [example.own, example.enemy].map(|board| turned(board, symmetry));
        let (value, units) = self.forward(example, boards);
        let error = expected(value) - example.target;
        for &entry in &example.entries {
            gradient[usize::from(entry)] += error;
        }
        let first = self.outputs(example.set);
        for (half, units) in units.iter().enumerate() {
            let mut back = [0.0; UNITS];
            for (i, unit) in units.iter().enumerate() {
                let active = unit.clamp(0.0, 1.0);
                let output = first + half * UNITS + i;
                gradient[output] += error * active * active;
                if *unit > 0.0 && *unit < 1.0 {
                    back[i] = error * 2.0 * active * self.weights[output];
                }
            }
            let rows = inputs(boards, half).map(|row| self.rows() + row * UNITS);
            for row in rows.chain([self.bias()]) {
                gradient[row..][..UNITS].iter_mut().zip(&back).for_each(|(g, b)| *g += b);
            }
        }
        gradient[first + 2 * UNITS] += error;
    }

    /// The weights as the numbers of the file.
    pub(super) fn numbers(&self) -> Result<LearnedNumbers, String> {
        let whole = |weight: f32, scale: f32| {
            let number = (weight * scale).round();
            let fits = (f32::from(i16::MIN)..=f32::from(i16::MAX)).contains(&number);
            if fits { Ok(number as i16) } else { Err(format!("the trained weight {weight} does not fit 16 bits")) }
        };
        let all = |weights: &[f32], scale: f32| -> Result<Vec<i16>, String> {
            weights.iter().map(|&weight| whole(weight, scale)).collect()
        };
        let table_scale = PIECE * TABLE_SCALE as f32;
        let table: Vec<f32> = LineTable::canonical(SIZE).map(|entry| self.weights[entry]).collect();
        let mut outputs = Vec::new();
        for set in self.weights[self.outputs(0)..].chunks(SET) {
            outputs.extend(all(&set[..2 * UNITS], OUTPUT_SCALE as f32)?);
            outputs.push(whole(set[2 * UNITS], table_scale)?);
        }
        Ok(LearnedNumbers {
            size: SIZE,
            table: all(&table, table_scale)?,
            rows: all(&self.weights[self.rows()..self.bias()], f32::from(ACTIVE))?,
            bias: all(&self.weights[self.bias()..][..UNITS], f32::from(ACTIVE))?,
            outputs,
        })
    }
}

/// The rows of the pieces on the board, as one half sees them.
fn inputs(boards: [Bitboard; 2], half: usize) -> impl Iterator<Item = usize> {
    let own = boards[half].into_iter().map(loa::Square::index);
    own.chain(boards[1 - half].into_iter().map(|square| 64 + square.index()))
}

/// A set of squares of the 8×8 board under one of its eight symmetries.
fn turned(board: Bitboard, symmetry: usize) -> Bitboard {
    let mut board = board;
    if symmetry & 1 != 0 {
        board = Bitboard(board.0.swap_bytes());
    }
    if symmetry & 2 != 0 {
        board = Bitboard(board.0.reverse_bits().swap_bytes());
    }
    if symmetry & 4 != 0 { board.transposed() } else { board }
}
