use core::fmt;

use crate::pairing::GameScore;

/// Half the width of a 95 % interval, in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;
/// Normalised Elo of a mean score that exceeds one half by one standard deviation of a single game (M. Van den Bergh,
/// "Normalized Elo", 2021).
pub(crate) const NORMALISED: f64 = 800.0 / core::f64::consts::LN_10;

/// A value and the half width of its 95 % interval.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Estimated value.
    pub value: f64,
    /// Half the width of the interval; infinite if unknown.
    pub error: f64,
}

/// Formats the estimate as `+12.3 ± 4.5`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, error } = *self;
        match (value.is_finite(), error.is_finite()) {
            (true, true) => write!(f, "{} ± {error:.1}", signed(value, 1)),
            (true, false) => write!(f, "{} ± ?", signed(value, 1)),
            (false, _) => f.write_str(if value > 0.0 { "+inf" } else { "-inf" }),
        }
    }
}

/// Formats a number with its sign and this many decimals. Numbers that are rounded to zero get a plus.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    if text.bytes().any(|b| b.is_ascii_digit() && b != b'0') { text } else { text.replace('-', "+") }
}

/// The results of a match, counted in pairs of games from the same opening with colours exchanged. The two games of a
/// pair depend on each other, so errors are computed over pairs ("pentanomial").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Numbers of pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    pairs: [u64; 5],
    /// Numbers of games that the first player won, drew, lost.
    games: [u64; 3],
}

impl Tally {
    /// Creates a tally without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a tally from the numbers of pairs in which the first player scored 0, ½, 1, 1½ and 2 points. Wins and
    /// losses of single games are then unknown.
    pub const fn from_pairs(pairs: [u64; 5]) -> Self {
        Self { pairs, games: [0; 3] }
    }

    /// Counts a pair of games, each with the first player's score.
    pub fn add(&mut self, pair: [GameScore; 2]) {
        self.pairs[pair.iter().map(|score| score.half_points()).sum::<usize>()] += 1;
        for score in pair {
            self.games[2 - score.half_points()] += 1;
        }
    }

    /// Returns the numbers of pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    pub const fn pairs(&self) -> [u64; 5] {
        self.pairs
    }

    /// Returns the number of pairs.
    pub fn count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Returns the numbers of games won, drawn and lost by the first player.
    pub const fn wins_draws_losses(&self) -> [u64; 3] {
        self.games
    }

    /// Returns the first player's share of the points, 0 to 1; ½ before the first game.
    pub fn score(&self) -> f64 {
        self.moments().map_or(0.5, |(mean, _)| mean)
    }

    /// Returns the logistic Elo difference: 400 points are odds of ten to one.
    pub fn elo(&self) -> Estimate {
        let Some((mean, variance)) = self.moments() else {
            return Estimate { value: 0.0, error: f64::INFINITY };
        };
        let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10();
        let half = Z95 * (variance / self.count() as f64).sqrt();
        // Without variance the error is unknown.
        let error = if half > 0.0 { (elo(mean + half) - elo(mean - half)) / 2.0 } else { f64::INFINITY };
        // The sum turns -0.0 into 0.0.
        Estimate { value: elo(mean) + 0.0, error }
    }

    /// Returns the normalised Elo: the distance of the mean score from one half in standard deviations of a game,
    /// scaled to be close to Elo if draws are rare. It does not depend on the balance of the openings. Returns `None`
    /// while all pairs have the same score, because the deviation is then unknown.
    pub fn normalised_elo(&self) -> Option<Estimate> {
        let (mean, variance) = self.moments().filter(|&(_, variance)| variance > 0.0)?;
        Some(Estimate {
            value: (mean - 0.5) / (2.0 * variance).sqrt() * NORMALISED,
            error: Z95 * NORMALISED / (2.0 * self.count() as f64).sqrt(),
        })
    }

    /// Returns the likelihood of superiority: the probability that the first player is the stronger one.
    pub fn los(&self) -> f64 {
        match self.moments() {
            Some((mean, variance)) if variance > 0.0 => normal((mean - 0.5) / (variance / self.count() as f64).sqrt()),
            Some((mean, _)) if mean > 0.5 => 1.0,
            Some((mean, _)) if mean < 0.5 => 0.0,
            _ => 0.5,
        }
    }

    /// Returns the mean and the variance of a pair's score (0 to 1).
    fn moments(&self) -> Option<(f64, f64)> {
        let count = self.count() as f64;
        let distribution = (0..).zip(self.pairs).map(|(i, n)| (f64::from(i) / 4.0, n as f64 / count));
        (count > 0.0).then(|| moments(distribution))
    }
}

/// Returns the mean and the variance of a distribution of values with their probabilities.
pub(crate) fn moments(distribution: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let mean: f64 = distribution.clone().map(|(value, p)| value * p).sum();
    (mean, distribution.map(|(value, p)| p * (value - mean) * (value - mean)).sum())
}

/// Returns the distribution function of the normal distribution, by approximation 7.1.26 of Abramowitz and Stegun for
/// the error function, which is accurate to seven digits.
pub(crate) fn normal(z: f64) -> f64 {
    let x = z.abs() / core::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let coefficients = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let polynomial = coefficients.into_iter().fold(0.0, |sum, c| (sum + c) * t);
    let upper = polynomial * (-x * x).exp() / 2.0;
    if z < 0.0 { upper } else { 1.0 - upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_matches_have_their_published_elo() {
        let second = Tally::from_pairs([115, 1156, 2443, 1233, 141]).normalised_elo().expect("known");
        assert_eq!(format!("{:.2} ± {:.2}", second.value, second.error), "7.61 ± 6.75");
    }

    #[test]
    fn elo_by_hand() {
        let mut tally = Tally::new();
        for _ in 0..10 {
            tally.add([GameScore::Win, GameScore::Win]);
            tally.add([GameScore::Win, GameScore::Loss]);
        }
        // 75 %: 400 log10 3.
        assert!((tally.elo().value - 190.85).abs() < 0.01);
        assert_eq!(tally.wins_draws_losses(), [30, 0, 10]);
        assert!(tally.los() > 0.999 && Tally::new().los() < 0.501 && Tally::from_pairs([1, 0, 0, 0, 0]).los() < 1e-9);
        assert_eq!(Tally::from_pairs([0, 0, 0, 0, 3]).elo().to_string(), "+inf");
        assert_eq!(Tally::new().elo().to_string(), "+0.0 ± ?");
        assert_eq!(Tally::from_pairs([0, 0, 0, 0, 3]).normalised_elo(), None);
    }

    #[test]
    fn zero_is_never_negative() {
        assert_eq!(Estimate { value: -0.04, error: 0.04 }.to_string(), "+0.0 ± 0.0");
        assert_eq!(Estimate { value: -0.0, error: 1.0 }.to_string(), "+0.0 ± 1.0");
        assert_eq!(
            (signed(-0.004, 2), signed(-0.005_1, 2), signed(-0.4, 0)),
            ("+0.00".into(), "-0.01".into(), "+0".into())
        );
    }

    #[test]
    fn the_normal_distribution_has_its_known_values() {
        for (z, p) in [(0.0, 0.5), (1.0, 0.841_344_7), (-1.959_964, 0.025), (3.0, 0.998_650_1)] {
            assert!((normal(z) - p).abs() < 1e-6, "{z}");
        }
    }
}
