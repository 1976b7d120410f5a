//! Weighted sums of terms, with weights that shift as a game goes on.

/// One of a weight is this part of a hundredth of a piece.
pub(crate) const SCALE: i32 = 256;

/// Weights of terms at the beginning of a game and at its end.
#[derive(Debug)]
pub(crate) struct Weights<const TERMS: usize> {
    pub(crate) early: [i32; TERMS],
    pub(crate) late: [i32; TERMS],
}

/// The phase of a game that has just begun.
pub(crate) const BEGINNING: i32 = 16;

impl<const TERMS: usize> Weights<TERMS> {
    /// The weighted sum, in hundredths of a piece, in a phase from 0 (the end) to [`BEGINNING`].
    #[inline]
    pub(crate) fn sum(&self, terms: &[i32; TERMS], phase: i32) -> i32 {
        let (mut first, mut last) = (0, 0);
        for ((term, early), late) in terms.iter().zip(&self.early).zip(&self.late) {
            first += term * early;
            last += term * late;
        }
        (first * phase + last * (BEGINNING - phase)) / (BEGINNING * SCALE)
    }

    /// The weights as the tuner has them: the first `used` of each phase, in hundredths of a piece.
    pub(crate) fn flat(&self, used: usize) -> Vec<f32> {
        [&self.early[..used], &self.late[..used]].concat().into_iter().map(|w| w as f32 / SCALE as f32).collect()
    }
}

/// The names of the terms as the tuner has them.
pub(crate) fn names(names: &[&str]) -> Vec<String> {
    ["early", "late"].into_iter().flat_map(|phase| names.iter().map(move |name| format!("{phase}: {name}"))).collect()
}

/// The terms as the tuner has them: each phase's share of each term.
pub(crate) fn shared(terms: &[i32], phase: i32) -> Vec<f32> {
    let early = phase as f32 / BEGINNING as f32;
    [early, 1.0 - early].into_iter().flat_map(|share| terms.iter().map(move |&term| term as f32 * share)).collect()
}
