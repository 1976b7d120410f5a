//! Fits the weights of an evaluation to games with "Texel tuning" (P. Österlund): it finds the weights with which the
//! evaluation best predicts the results.
//!
//! Recipe: play games of an engine against itself from random openings. Keep the positions in which nothing is forced,
//! each with the game's result and the search's score. Fit the weights. Play the new weights against the old ones.

use engine::{Breakdown, TermValue};
use game::{Position, SplitMix64};
use measure::samples::Sample;

/// Advantage that makes the odds ten to one, in hundredths of a piece.
const TEN_TO_ONE: f32 = 400.0;

/// Parameters of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Number of passes over all samples.
    pub epochs: u32,
    /// Share of the search's score in the target; the rest is the game's result.
    pub score_share: f32,
    /// Weight decay, so that terms without any effect get no weight.
    pub decay: f32,
}

/// The fitted weights of a term, in hundredths of a piece per unit of the term.
#[derive(Clone, Copy, Debug)]
pub struct Weight {
    /// The term, with its previous weights.
    pub term: TermValue,
    /// Weight at the beginning of a game.
    pub early: f32,
    /// Weight at the end of a game.
    pub late: f32,
}

/// Formats weights as rows of `weights.rs`, with the alignment of that file. The unit is 1/256 of a hundredth of a
/// piece.
pub fn rows(weights: &[Weight]) -> String {
    let rows: Vec<[String; 3]> = weights
        .iter()
        .map(|Weight { term, early, late }| {
            let [early, late] = [early, late].map(|weight| ((weight * 256.0).round() as i32).to_string());
            [format!("{},", term.id), early, late]
        })
        .collect();
    let widest = |columns: core::ops::Range<usize>| {
        rows.iter().flat_map(|row| &row[columns.clone()]).map(String::len).max().unwrap_or(0)
    };
    let (id, number) = (widest(0..1), widest(1..3).max("early".len()));
    let head = format!("    {:<1$} {2:>number$}  {3:>number$}\n", "// term", id + "(Term::".len(), "early", "late");
    let row =
        |[term, early, late]: &[String; 3]| format!("    (Term::{term:<id$} {early:>number$}, {late:>number$}),\n");
    head + &rows.iter().map(row).collect::<String>()
}

/// Fitted weights and the quality of their prediction.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Weights of each term.
    pub weights: Vec<Weight>,
    /// Mean cross-entropy before and after the fit, in bits, over the tenth of the samples that is held back.
    pub loss: [f32; 2],
}

/// Fits weights by stochastic gradient descent (Adam; D. Kingma and J. Ba, 2015) on the cross-entropy between the
/// evaluation's expected result and the target. The fit begins with the weights of the first sample's evaluation. Calls
/// `see` with the loss after each pass.
pub fn fit<P: Position>(
    samples: &[Sample<P>],
    evaluation: impl Fn(&P) -> Breakdown,
    how: Fit,
    mut see: impl FnMut(u32, f32),
) -> Fitted {
    let terms = samples.first().map_or_else(Vec::new, |sample| evaluation(&sample.position).terms);
    let columns = 2 * terms.len();
    let rows: Vec<f32> = samples.iter().flat_map(|sample| row_of(&evaluation(&sample.position))).collect();
    let target = |s: &Sample<P>| how.score_share * expected(s.score as f32) + (1.0 - how.score_share) * s.result;
    let targets: Vec<f32> = samples.iter().map(target).collect();
    let row = |i: usize| &rows[i * columns..(i + 1) * columns];
    // Terms have very different magnitudes. Each is divided by its root mean square, so that one step size fits all.
    let scales = scales(&rows, columns);
    let mut weights: Vec<f32> = weights_of(&terms).zip(&scales).map(|(w, scale)| w * scale).collect();
    let predict = |weights: &[f32], i: usize| {
        expected(row(i).iter().zip(weights).zip(&scales).map(|((x, w), s)| x * w / s).sum())
    };
    // Every tenth block of neighbouring positions is held back.
    let (seen, held): (Vec<usize>, Vec<usize>) = (0..samples.len()).partition(|i| i / 100 % 10 != 0);
    let loss = |weights: &[f32]| {
        let bits = held.iter().map(|&i| cross_entropy(predict(weights, i), targets[i]));
        bits.sum::<f32>() / held.len().max(1) as f32
    };
    let before = loss(&weights);
    let mut adam = Adam::new(columns);
    let mut order = seen;
    let mut rng = SplitMix64::new(1);
    for epoch in 1..=how.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        let rate = if epoch * 3 > how.epochs * 2 { 0.3 } else { 2.0 };
        for batch in order.chunks(4_096) {
            let mut gradient = vec![0.0; columns];
            for &i in batch {
                let error = predict(&weights, i) - targets[i];
                for ((g, x), s) in gradient.iter_mut().zip(row(i)).zip(&scales) {
                    *g += error * x / s;
                }
            }
            for (g, w) in gradient.iter_mut().zip(&weights) {
                *g = *g / batch.len() as f32 + how.decay * w;
            }
            adam.step(&mut weights, &gradient, rate);
        }
        see(epoch, loss(&weights));
    }
    let after = loss(&weights);
    let weight = |column: usize| weights[column] / scales[column];
    let weights = terms.iter().enumerate();
    let weights = weights.map(|(i, &term)| Weight { term, early: weight(i), late: weight(terms.len() + i) }).collect();
    Fitted { weights, loss: [before, after] }
}

/// Returns the terms of a position as inputs of the fit: each value multiplied by the share of its early weight, then
/// each value multiplied by the share of its late weight.
fn row_of(breakdown: &Breakdown) -> Vec<f32> {
    let early = breakdown.early_share as f32;
    let row = [early, 1.0 - early].into_iter();
    row.flat_map(|share| breakdown.terms.iter().map(move |term| term.value as f32 * share)).collect()
}

/// Returns the weights in the order of [`row_of`].
fn weights_of(terms: &[TermValue]) -> impl Iterator<Item = f32> {
    terms.iter().map(|term| term.early as f32).chain(terms.iter().map(|term| term.late as f32))
}

/// Returns the root mean square of each column; 1 for a column of zeros.
fn scales(rows: &[f32], columns: usize) -> Vec<f32> {
    let mut squares = vec![0.0_f64; columns];
    for row in rows.chunks(columns) {
        squares.iter_mut().zip(row).for_each(|(sum, x)| *sum += f64::from(x * x));
    }
    let count = (rows.len() / columns.max(1)).max(1) as f64;
    squares.iter().map(|sum| (sum / count).sqrt() as f32).map(|scale| if scale > 0.0 { scale } else { 1.0 }).collect()
}

/// Returns the share of points that an evaluation predicts.
pub(crate) fn expected(units: f32) -> f32 {
    1.0 / (1.0 + (-units * core::f32::consts::LN_10 / TEN_TO_ONE).exp())
}

pub(crate) fn cross_entropy(p: f32, target: f32) -> f32 {
    let p = p.clamp(1e-6, 1.0 - 1e-6);
    -(target * p.log2() + (1.0 - target) * (1.0 - p).log2())
}

/// The state of the optimiser.
pub(crate) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    pub(crate) fn new(columns: usize) -> Self {
        Self { mean: vec![0.0; columns], square: vec![0.0; columns], steps: 0 }
    }

    pub(crate) fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let correct = KEEP.map(|keep| 1.0 - keep.powi(self.steps));
        for i in 0..weights.len() {
            self.mean[i] = KEEP[0] * self.mean[i] + (1.0 - KEEP[0]) * gradient[i];
            self.square[i] = KEEP[1] * self.square[i] + (1.0 - KEEP[1]) * gradient[i] * gradient[i];
            weights[i] -= rate * (self.mean[i] / correct[0]) / ((self.square[i] / correct[1]).sqrt() + 1e-8);
        }
    }
}
