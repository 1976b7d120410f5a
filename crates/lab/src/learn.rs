//! Trains learned evaluations ([`engine::learned`]) on samples.
//!
//! Recipe: play games of the engine against itself (`tune generate`), train, play the new evaluation against the old
//! one, and repeat with games played by the new one. The target of a sample is a mix of the game's result and the
//! search's score. Training is stochastic gradient descent (Adam) on the cross-entropy. If the board of a game has
//! symmetries, one of the eight is chosen at random and applied each time that the network is trained on a sample. The
//! tables are symmetric by construction.

mod command;
mod compare;
mod learnable;
mod model;

pub use command::Learn;
pub use compare::Compare;
pub use learnable::{Evaluation, Features, Learnable};

use engine::learned::LearnedNumbers;
use game::SplitMix64;
use measure::samples::Sample;

use crate::tune::{Adam, cross_entropy, expected};
use model::{Example, Model, SYMMETRIES};

/// Parameters of training.
#[derive(Clone, Copy, Debug)]
pub struct Learning {
    /// Number of passes over all samples.
    pub epochs: u32,
    /// Share of the search's score in the target; the rest is the game's result.
    pub score_share: f32,
    /// Maximum learning rate. The rate decreases along a cosine to a fiftieth of the maximum.
    pub rate: f32,
    /// Weight decay of the tables, so that entries with few samples keep small values.
    pub decay: f32,
    /// Seed of the initial weights, the order of the samples and their symmetries.
    pub seed: u64,
}

impl Default for Learning {
    /// Returns the parameters of the evaluation of Lines of Action.
    fn default() -> Self {
        Self { epochs: 24, score_share: 0.5, rate: 0.01, decay: 1e-6, seed: 7 }
    }
}

/// Mean cross-entropy of predictions over the held-back samples, in bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Loss against the results of the games.
    pub results: f32,
    /// Loss against the training targets.
    pub targets: f32,
}

/// Number of blocks in a group. The first block of each group is held back. A block has [`BLOCK`] consecutive samples,
/// so that hardly any game has both training samples and held-back samples.
const BLOCKS: usize = 20;
const BLOCK: usize = 3_000;
/// Number of samples per step.
const BATCH: usize = 4_096;
/// Learning rate of the network relative to that of the tables.
const NETWORK_RATE: f32 = 0.3;

/// Returns `true` if the sample with this number is held back.
fn is_held(number: usize) -> bool {
    (number / BLOCK).is_multiple_of(BLOCKS)
}

/// Computes the loss of an evaluation over the held-back samples.
pub fn held_back_loss<P>(samples: &[Sample<P>], how: Learning, evaluate: impl Fn(&P) -> i32) -> Loss {
    let held = samples.iter().enumerate().filter(|&(i, _)| is_held(i)).map(|(_, sample)| sample);
    mean(held.map(|sample| {
        let p = expected(evaluate(&sample.position) as f32);
        [cross_entropy(p, sample.result), cross_entropy(p, target(sample, how))]
    }))
}

fn mean(losses: impl Iterator<Item = [f32; 2]>) -> Loss {
    let (mut sums, mut count) = ([0.0_f64; 2], 0_usize);
    for loss in losses {
        (0..2).for_each(|i| sums[i] += f64::from(loss[i]));
        count += 1;
    }
    let [results, targets] = sums.map(|sum| (sum / count.max(1) as f64) as f32);
    Loss { results, targets }
}

fn target<P>(sample: &Sample<P>, how: Learning) -> f32 {
    how.score_share * expected(sample.score as f32) + (1.0 - how.score_share) * sample.result
}

/// Returns the length of a side of all samples' boards, in squares.
fn board_size<P: Learnable>(samples: &[Sample<P>]) -> Result<usize, String> {
    let mut sizes = samples.iter().map(|sample| sample.position.board_size());
    let size = sizes.next().ok_or("expected positions, found none")?;
    if let Some(other) = sizes.find(|&other| other != size) {
        return Err(format!("expected positions on boards of one size, found {size}×{size} and {other}×{other}"));
    }
    let possible = P::LAYOUT.sizes;
    if possible.contains(&size) {
        return Ok(size);
    }
    let (least, most) = possible.into_inner();
    Err(format!("expected positions on boards of {least} to {most} squares a side, found {size}×{size}"))
}

/// Trains an evaluation from scratch. Calls `see` after each pass with the loss of the floating-point model. The same
/// samples and parameters give the same numbers on the same kind of machine.
///
/// # Errors
/// Returns an error if there are no samples, if their boards differ in size, or if a trained weight does not fit the
/// number format of the file.
pub fn learn<P: Learnable>(
    samples: &[Sample<P>],
    how: Learning,
    mut see: impl FnMut(u32, Loss),
) -> Result<LearnedNumbers, String> {
    let size = board_size(samples)?;
    let mut rng = SplitMix64::new(how.seed);
    let mut model = Model::new::<P>(size, &mut rng);
    let mut scratch = model.scratch();
    let examples: Vec<Example> = samples.iter().map(|sample| Example::new(sample, target(sample, how))).collect();
    let (held, mut order): (Vec<usize>, Vec<usize>) = (0..examples.len()).partition(|&i| is_held(i));
    let steps = how.epochs as usize * order.len().div_ceil(BATCH);
    let tables = model.tables();
    let (mut table_adam, mut network_adam) = (Adam::new(tables), Adam::new(model.weights.len() - tables));
    let mut gradient = vec![0.0; model.weights.len()];
    let mut step = 0;
    for epoch in 1..=how.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        for batch in order.chunks(BATCH) {
            gradient.fill(0.0);
            for &i in batch {
                model.follow(&examples[i], rng.below(SYMMETRIES), &mut scratch, &mut gradient);
            }
            for g in &mut gradient {
                *g /= batch.len() as f32;
            }
            step += 1;
            let turned = 0.5 + 0.5 * (core::f32::consts::PI * step as f32 / steps as f32).cos();
            let rate = how.rate * (0.02 + 0.98 * turned);
            let (table_gradient, network_gradient) = gradient.split_at_mut(tables);
            let (table_weights, network_weights) = model.weights.split_at_mut(tables);
            table_gradient.iter_mut().zip(&*table_weights).for_each(|(g, w)| *g += how.decay * w);
            table_adam.step(table_weights, table_gradient, rate);
            network_adam.step(network_weights, network_gradient, NETWORK_RATE * rate);
        }
        let loss = mean(held.iter().map(|&i| {
            let p = expected(model.evaluate(&examples[i], &mut scratch));
            [cross_entropy(p, examples[i].result), cross_entropy(p, examples[i].target)]
        }));
        see(epoch, loss);
    }
    model.numbers()
}
