//! Functions of numbers that give the same result on every machine. Those of the standard library may differ in the
//! last bits between systems, and then so would the moves of a search.

use core::f64::consts::{LN_2, LN_10, LOG2_E, SQRT_2};

/// Largest absolute argument of [`exp`] that is not clamped. Derived: the result is a normal number.
const MOST: f64 = 700.0;
/// Evaluation that corresponds to odds of ten to one, in hundredths of a piece (`docs/engine.md`, "Evaluation").
const TEN_TO_ONE: f64 = 400.0;

/// Returns eˣ.
pub(super) fn exp(x: f64) -> f64 {
    let x = x.clamp(-MOST, MOST);
    let power = (x * LOG2_E).round();
    let rest = x - power * LN_2;
    let sum = (1..=13).rev().fold(1.0, |sum, n| 1.0 + sum * rest / f64::from(n));
    sum * f64::from_bits(((power as i64 + 1023) as u64) << 52)
}

/// Returns the natural logarithm of a positive number, at least that of the smallest normal number.
pub(super) fn ln(x: f64) -> f64 {
    const FRACTION: u64 = (1 << 52) - 1;
    let bits = x.max(f64::MIN_POSITIVE).to_bits();
    let mut exponent = (bits >> 52) as i32 - 1023;
    let mut fraction = f64::from_bits(bits & FRACTION | 1023 << 52);
    if fraction > SQRT_2 {
        fraction /= 2.0;
        exponent += 1;
    }
    let t = (fraction - 1.0) / (fraction + 1.0);
    let series = (0..=10).rev().fold(0.0, |sum, n| sum * t * t + 1.0 / f64::from(2 * n + 1));
    f64::from(exponent) * LN_2 + 2.0 * t * series
}

/// Returns the expected result of a position with this evaluation in hundredths of a piece, from -1 to 1.
pub(crate) fn expected_result(units: i32) -> f64 {
    2.0 / (1.0 + exp(-LN_10 / TEN_TO_ONE * f64::from(units))) - 1.0
}

/// Returns the evaluation in hundredths of a piece for this expected result, the inverse of [`expected_result`].
pub(super) fn units_of(result: f64) -> i32 {
    const MOST: f64 = 1.0 - 1e-9;
    let result = result.clamp(-MOST, MOST);
    (TEN_TO_ONE / LN_10 * (ln(1.0 + result) - ln(1.0 - result))).round() as i32
}

/// Replaces logits by the probabilities of their softmax.
pub(super) fn softmax(logits: &mut [f64]) {
    let most = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for logit in &mut *logits {
        *logit = exp(*logit - most);
        sum += *logit;
    }
    for probability in logits {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_agree_with_those_of_the_standard_library() {
        for step in -2_000..=2_000 {
            let x = f64::from(step) * 0.173;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "e^{x}");
            let y = x.exp();
            assert!((ln(y) - y.ln()).abs() < 1e-12 * (1.0 + x.abs()), "ln {y}");
        }
        assert!(exp(-1e9) > 0.0 && exp(1e9).is_finite() && ln(0.0).is_finite());
    }

    #[test]
    fn an_advantage_of_four_hundred_is_ten_to_one_and_can_be_converted_back() {
        assert!((expected_result(400) - 9.0 / 11.0).abs() < 1e-12);
        for units in [-2_000, -400, -1, 0, 37, 1_500] {
            assert_eq!(units_of(expected_result(units)), units);
        }
        assert!(units_of(1.0) > 3_000);
    }

    #[test]
    fn softmax_keeps_ratios() {
        let mut logits = [1_000.0, 1_000.0 + LN_2, 0.0];
        softmax(&mut logits);
        assert!((logits[1] / logits[0] - 2.0).abs() < 1e-12 && (logits.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
