//! Policies: probabilities of the legal actions from logits.

use crate::error::Wrong;

/// Exponents below this give 0.
const LEAST: f32 = -87.0;

/// The logits of the legal actions of one game. The buffers are reused from game to game.
#[derive(Default)]
pub(crate) struct Policy {
    logits: Vec<f32>,
    weights: Vec<f32>,
    greatest: f32,
}

impl Policy {
    /// Selects the logits of the legal actions. `game` is the number of the game, for the error.
    ///
    /// # Errors
    /// If a logit is not a number or is infinite, or if all are negative infinity, which means a probability of 0.
    #[inline]
    pub(crate) fn select(&mut self, game: usize, logits: &[f32], legal: &[u32]) -> Result<(), Wrong> {
        let logits = legal.iter().map(|&action| logits[action as usize]);
        self.fill(logits).map_err(|problem| Wrong::Value(format!("game {game}: logits: {problem}")))
    }

    /// Stores the logits of the legal actions.
    ///
    /// # Errors
    /// As for [`select`](Self::select), without the place.
    #[inline]
    pub(crate) fn fill(&mut self, logits: impl Iterator<Item = f32>) -> Result<(), String> {
        self.logits.clear();
        self.logits.extend(logits);
        self.greatest = f32::NEG_INFINITY;
        let mut is_number = true;
        for &logit in &self.logits {
            is_number &= !logit.is_nan();
            self.greatest = if logit > self.greatest { logit } else { self.greatest };
        }
        if is_number && self.greatest.is_finite() {
            return Ok(());
        }
        let found = if is_number { self.greatest } else { f32::NAN };
        let what = if found == f32::NEG_INFINITY { "all legal actions" } else { "a legal action" };
        Err(format!("{found} for {what} found, expected finite numbers"))
    }

    /// Returns weights proportional to the probabilities.
    pub(crate) fn weights(&mut self) -> &[f32] {
        self.weigh(1.0);
        &self.weights
    }

    /// Draws an index into the legal actions with a probability proportional to e^(logit / `temperature`). At the
    /// temperature 0, returns the first index of the greatest logit. `random` is a number from 0 to below 1.
    #[inline]
    pub(crate) fn draw(&mut self, temperature: f32, random: f64) -> usize {
        if temperature == 0.0 {
            return self.logits.iter().position(|&logit| logit >= self.greatest).unwrap_or(0);
        }
        let mut left = self.weigh(temperature) * random;
        let mut last = 0;
        for (index, &weight) in self.weights.iter().enumerate() {
            if weight > 0.0 {
                last = index;
                left -= f64::from(weight);
                if left < 0.0 {
                    break;
                }
            }
        }
        last
    }

    /// Appends the logarithms of the probabilities.
    pub(crate) fn push_logs(&mut self, logs: &mut Vec<f32>) {
        let sum = self.weigh(1.0).ln() as f32;
        logs.extend(self.logits.iter().map(|logit| logit - self.greatest - sum));
    }

    /// Computes weights proportional to the probabilities, and returns their sum. The greatest weight is 1.
    #[inline]
    fn weigh(&mut self, temperature: f32) -> f64 {
        let greatest = self.greatest;
        self.weights.clear();
        self.weights.extend(self.logits.iter().map(|logit| exp((logit - greatest) / temperature)));
        self.weights.iter().map(|&weight| f64::from(weight)).sum()
    }
}

/// Returns e^x for x up to 0, with a relative error below 3·10⁻⁷. In contrast to the standard library's function, the
/// compiler can vectorise it, and the result is the same on every machine.
#[inline]
fn exp(x: f32) -> f32 {
    use core::f32::consts::LOG2_E;
    /// 1.5 · 2²³: adding it rounds a small number to an integer, which is then in the low bits.
    const ROUND: f32 = 12_582_912.0;
    /// The upper bits of ln 2, whose product with a small integer is exact.
    const HIGH: f32 = 355.0 / 512.0;
    /// ln 2 without its upper bits.
    const LOW: f32 = -2.121_944_4e-4;
    let rounded = x * LOG2_E + ROUND;
    let n = rounded - ROUND;
    let r = (x - n * HIGH) - n * LOW;
    // Taylor series of e^r for |r| up to ln(2) / 2.
    let mut series = 1.0;
    for factor in [1.0 / 7.0, 1.0 / 6.0, 1.0 / 5.0, 1.0 / 4.0, 1.0 / 3.0, 1.0 / 2.0, 1.0] {
        series = 1.0 + series * r * factor;
    }
    let power = f32::from_bits(rounded.to_bits().wrapping_add(127) << 23);
    if x < LEAST { 0.0 } else { series * power }
}
