//! Ratings of many players from all their games.

use crate::Estimate;
use crate::elo::Z95;

/// A game between two players, by number. The points are those of the first one: 0, ½ or 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The players.
    pub players: [usize; 2],
    /// Points of the first.
    pub points: f64,
}

/// Elo of each player with 95 % errors, by the model of Bradley and Terry: the likeliest strengths given all games,
/// where a draw is half a win. The mean is 0.
///
/// Each player also has one imagined draw against a player of strength 0, so that a player with a clean score has a
/// rating, too.
///
/// Source: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952); the likeliest strengths
/// by Newton's method, the errors from the curvature there.
pub fn ratings(players: usize, games: &[Meeting]) -> Vec<Estimate> {
    const ELO: f64 = 400.0 / core::f64::consts::LN_10;
    let mut strength = vec![0.0_f64; players];
    for _ in 0..100 {
        let (gradient, curvature) = derivatives(&strength, games);
        let inverse = invert(curvature);
        let mut largest = 0.0_f64;
        for (i, row) in inverse.iter().enumerate() {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            // A long step overshoots where the likelihood is flat.
            let step = step.clamp(-1.0, 1.0);
            strength[i] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    let inverse = invert(derivatives(&strength, games).1);
    let n = players.max(1) as f64;
    let mean = strength.iter().sum::<f64>() / n;
    // The error of the difference to the mean. The mean itself rests on the imagined draws alone and has no meaning.
    let rows: Vec<f64> = inverse.iter().map(|row| row.iter().sum()).collect();
    let all: f64 = rows.iter().sum();
    let variance = |i: usize| inverse[i][i] - 2.0 * rows[i] / n + all / (n * n);
    let error = |i: usize| Z95 * variance(i).max(0.0).sqrt() * ELO;
    (0..players).map(|i| Estimate { value: (strength[i] - mean) * ELO, error: error(i) }).collect()
}

/// Slope of the log-likelihood, and its curvature with the sign changed.
fn derivatives(strength: &[f64], games: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = strength.len();
    let expected = |difference: f64| 1.0 / (1.0 + (-difference).exp());
    let mut gradient = vec![0.0; n];
    let mut curvature = vec![vec![0.0; n]; n];
    for i in 0..n {
        let p = expected(strength[i]);
        gradient[i] += 0.5 - p;
        curvature[i][i] += p * (1.0 - p);
    }
    for game in games {
        let [a, b] = game.players;
        let p = expected(strength[a] - strength[b]);
        gradient[a] += game.points - p;
        gradient[b] -= game.points - p;
        let weight = p * (1.0 - p);
        curvature[a][a] += weight;
        curvature[b][b] += weight;
        curvature[a][b] -= weight;
        curvature[b][a] -= weight;
    }
    (gradient, curvature)
}

/// The inverse of a positive definite matrix, by Gauss and Jordan.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| f64::from(i == j)).collect()).collect();
    for pivot in 0..n {
        let scale = matrix[pivot][pivot];
        for j in 0..n {
            matrix[pivot][j] /= scale;
            inverse[pivot][j] /= scale;
        }
        let (pivot_row, pivot_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for i in (0..n).filter(|&i| i != pivot) {
            let factor = matrix[i][pivot];
            for j in 0..n {
                matrix[i][j] -= factor * pivot_row[j];
                inverse[i][j] -= factor * pivot_inverse[j];
            }
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meetings(list: &[(usize, usize, u32, u32)]) -> Vec<Meeting> {
        let games = |&(a, b, won, lost): &(usize, usize, u32, u32)| {
            let game = move |points| Meeting { players: [a, b], points };
            (0..won).map(move |_| game(1.0)).chain((0..lost).map(move |_| game(0.0)))
        };
        list.iter().flat_map(games).collect()
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let found = ratings(2, &meetings(&[(0, 1, 7_500, 2_500)]));
        assert!((found[0].value - found[1].value - 190.85).abs() < 0.1, "{found:?}");
        assert!((found[0].value + found[1].value).abs() < 1e-9);
    }

    /// Strengths in the ratio 4 : 2 : 1 give two to one between neighbours and four to one between the outer ones.
    #[test]
    fn consistent_results_give_their_ratings() {
        let found = ratings(3, &meetings(&[(0, 1, 2000, 1000), (1, 2, 2000, 1000), (0, 2, 2400, 600)]));
        let step = 400.0 * 2.0_f64.log10();
        assert!((found[0].value - step).abs() < 0.2 && (found[2].value + step).abs() < 0.2, "{found:?}");
        assert!(found.iter().all(|estimate| estimate.error > 1.0 && estimate.error < 10.0), "{found:?}");
    }

    #[test]
    fn winning_everything_is_finite_and_more_games_say_more() {
        let few = ratings(2, &meetings(&[(0, 1, 5, 0)]));
        let many = ratings(2, &meetings(&[(0, 1, 50, 0)]));
        assert!(few[0].value > 100.0 && many[0].value > few[0].value && many[0].value < 2000.0, "{few:?} {many:?}");
        assert!(ratings(0, &[]).is_empty());
        assert!(ratings(3, &[]).iter().all(|estimate| estimate.value == 0.0));
    }
}
