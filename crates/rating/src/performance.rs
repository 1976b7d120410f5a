//! Rating from results against opponents of known ratings.

/// Rating difference that corresponds to odds of *e* to one.
const ELO: f64 = 400.0 / core::f64::consts::LN_10;

/// An estimated rating with its standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guess {
    /// Estimated rating.
    pub rating: f64,
    /// Standard deviation of the estimate.
    pub deviation: f64,
}

/// Returns the most likely rating of a player, given a prior and games against opponents of known ratings. Each game is
/// the opponent's rating and the points scored against it: 0, ½ or 1. The prior keeps the rating finite after a perfect
/// score.
///
/// The same formula rates a puzzle: its opponents are the players who try it, and it scores a point if they fail.
pub fn performance(guess: Guess, games: &[(f64, f64)]) -> f64 {
    /// Bounds of the bisection. They contain every rating that occurs.
    const BOUNDS: (f64, f64) = (-2_000.0, 6_000.0);
    // The slope of the logarithm of the probability decreases as the rating grows, so bisection finds its zero.
    let slope = |rating: f64| {
        let of_games: f64 = games.iter().map(|&(opponent, points)| points - expected(rating, opponent)).sum();
        of_games / ELO - (rating - guess.rating) / (guess.deviation * guess.deviation)
    };
    let (mut low, mut high) = BOUNDS;
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Returns the rating of [`performance`] and its standard deviation, which follows from the curvature of the likelihood
/// at this rating.
pub fn estimate(prior: Guess, games: &[(f64, f64)]) -> Guess {
    let rating = performance(prior, games);
    let information = |&(opponent, _): &(f64, f64)| {
        let expected = expected(rating, opponent);
        expected * (1.0 - expected) / (ELO * ELO)
    };
    let precision = 1.0 / (prior.deviation * prior.deviation) + games.iter().map(information).sum::<f64>();
    Guess { rating, deviation: precision.sqrt().recip() }
}

/// Returns the expected points of a player against an opponent.
fn expected(rating: f64, opponent: f64) -> f64 {
    1.0 / (1.0 + ((opponent - rating) / ELO).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPEN: Guess = Guess { rating: 1_000.0, deviation: 10_000.0 };

    #[test]
    fn even_scores_give_the_rating_of_the_opponents() {
        let games = [(1_400.0, 1.0), (1_400.0, 0.0), (1_400.0, 0.5)];
        assert!((performance(OPEN, &games) - 1_400.0).abs() < 1.0);
        let three_of_four = [(1_400.0, 1.0), (1_400.0, 1.0), (1_400.0, 1.0), (1_400.0, 0.0)];
        assert!((performance(OPEN, &three_of_four) - 1_590.85).abs() < 1.0);
    }

    #[test]
    fn without_games_the_guess_stands_and_clean_scores_stay_finite() {
        let guess = Guess { rating: 1_200.0, deviation: 350.0 };
        assert!((performance(guess, &[]) - 1_200.0).abs() < 1e-6);
        let clean: Vec<(f64, f64)> = (0..20).map(|_| (1_500.0, 1.0)).collect();
        let found = performance(guess, &clean);
        assert!(found > 1_700.0 && found < 3_000.0, "{found}");
    }

    #[test]
    fn games_make_an_estimate_more_precise() {
        let guess = Guess { rating: 1_000.0, deviation: 400.0 };
        assert!((estimate(guess, &[]).deviation - 400.0).abs() < 1e-9);
        let even: Vec<(f64, f64)> = (0..16).map(|game| (1_000.0, f64::from(game % 2))).collect();
        // Practically without a prior, sixteen games with an even score give a deviation of 2 * 173.7 / 4 points.
        let alone = Guess { deviation: 1e6, ..guess };
        assert!((estimate(alone, &even).deviation - 86.86).abs() < 0.01);
        assert!(estimate(guess, &even).deviation < 86.0);
        // A game whose result was expected adds little information.
        let foregone = [(400.0, 1.0), (3_000.0, 0.0)];
        assert!(estimate(guess, &foregone).deviation > 370.0);
    }
}
