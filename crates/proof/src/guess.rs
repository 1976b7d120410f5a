//! Initial proof and disproof numbers of a position that has not been expanded.

use game::{Position as _, Side};
use loa::player::{LoaPolicy, surplus_distance};
use loa::{Bitboard, Position, groups_and_joints};
use search::Policy as _;

use crate::numbers::Numbers;

/// A method to estimate the initial numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Guess {
    /// Both numbers are 1.
    Unit,
    /// A quarter of the square of a side's scatter: Black's for the proof number, White's for the disproof number. The
    /// scatter is the sum of the pieces' distances to their centre, less the minimum sum for this number of pieces,
    /// plus two for each group after the first.
    Scatter,
    /// Like [`Scatter`](Self::Scatter), but smaller for the side that the terms of the evaluation prefer and larger
    /// for the other: by a factor of e for each 350 hundredths of a piece. (Evaluations in initial numbers: M. Winands
    /// and M. Schadd, "Evaluation-function based proof-number search", 2010. This formula is Plyhouse's own.)
    Terms,
    /// Like [`Terms`](Self::Terms), but with the learned evaluation, on boards that have one.
    #[default]
    Learned,
}

/// An estimator of initial numbers.
#[derive(Debug, Default)]
pub(crate) struct Guesser {
    guess: Guess,
    policy: LoaPolicy,
}

impl Guesser {
    /// Creates an estimator that uses this method.
    pub(crate) fn new(guess: Guess) -> Self {
        let policy = if guess == Guess::Terms { LoaPolicy::terms() } else { LoaPolicy::default() };
        Self { guess, policy }
    }

    /// Returns the initial numbers of an undecided position. `shapes` are those of Black's and White's pieces.
    #[inline]
    pub(crate) fn numbers(&self, p: &Position, shapes: &[Shape; 2]) -> Numbers {
        let [black, white] = shapes.map(|shape| shape.scatter.pow(2) / 4);
        match self.guess {
            Guess::Unit => Numbers::open(1, 1),
            Guess::Scatter => Numbers::open(black.max(1), white.max(1)),
            Guess::Terms | Guess::Learned => {
                let value = self.policy.evaluate(p);
                let value = if p.side_to_move() == Side::First { value } else { -value };
                Numbers::open(scaled(black, -value), scaled(white, value))
            }
        }
    }
}

/// Absolute value at which evaluations are clamped, in hundredths of a piece. Guessed.
const EXTREME: i32 = 1280;
/// Difference between the evaluations of two successive entries of [`FACTORS`], in hundredths of a piece.
const STEP: i32 = 10;
/// The factor 1, in the unit of [`FACTORS`].
const ONE: u64 = 1 << 20;

/// Table whose entry i is e^(i · 10 / 350), in units of 2⁻²⁰. Integers make the search the same on every machine.
static FACTORS: [u64; (EXTREME / STEP) as usize + 1] = {
    let mut factors = [ONE; (EXTREME / STEP) as usize + 1];
    let mut i = 1;
    while i < factors.len() {
        // e^(10/350) = 1 + 30 392 / 2²⁰
        factors[i] = factors[i - 1] + ((factors[i - 1] * 30_392) >> 20);
        i += 1;
    }
    factors
};

/// Returns n · e^(value / 350), clamped to the range from 1 to 1000.
#[inline]
fn scaled(n: u32, value: i32) -> u32 {
    let factor = FACTORS[(value.abs().min(EXTREME) / STEP) as usize];
    let n = u64::from(n);
    let scaled = if value < 0 { n * ONE / factor } else { n * factor / ONE };
    scaled.clamp(1, 1000) as u32
}

/// The shape of one side's pieces: their positions relative to each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// Distance of the side from being connected: the sum of its pieces' distances to their centre, less the minimum
    /// sum for this number of pieces, plus two for each group after the first.
    pub(crate) scatter: u32,
    /// Squares to which a connecting move can lead ([`groups_and_joints`]).
    pub(crate) joints: Bitboard,
}

impl Shape {
    /// Returns the shape of a side's pieces.
    #[inline]
    pub(crate) fn of(pieces: Bitboard) -> Self {
        let (groups, joints) = groups_and_joints(pieces);
        Self { scatter: surplus_distance(pieces) + 2 * groups.saturating_sub(1), joints }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_powers_of_e() {
        for (value, factor) in [(0, 1.0), (350, core::f64::consts::E), (700, 7.389), (-350, 1.0 / core::f64::consts::E)]
        {
            let expected = (100.0 * factor) as u32;
            assert!(scaled(100, value).abs_diff(expected) <= 2, "{value}: {}", scaled(100, value));
        }
    }
}
