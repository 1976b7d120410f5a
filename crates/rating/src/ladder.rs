//! Ratings of a ladder, in which players are replaced by newer versions.

use crate::elo::{Estimate, Z95};
use crate::linear::Cholesky;
use crate::ratings::{COMMON, ELO, MODEL, expected};

/// Weight of the virtual draw of a replaced player. One opponent may meet many short-lived versions, and a whole
/// virtual draw for each of them would pull its rating towards the average.
const REPLACED: f64 = 0.1;

/// The results between two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Players, by number.
    pub players: [usize; 2],
    /// Numbers of pairs of games from the same opening, by points of the first player: 0, ½, 1, 1½, 2.
    pub pairs: [u32; 5],
    /// Numbers of single games, by points of the first player: 0, ½, 1.
    pub singles: [u32; 3],
}

impl Results {
    /// Returns the number of games.
    pub fn games(&self) -> u32 {
        2 * self.pairs.iter().sum::<u32>() + self.singles.iter().sum::<u32>()
    }

    /// Returns the points of the first player.
    pub fn points(&self) -> f64 {
        let half_points =
            |counts: &[u32]| (0..).zip(counts).map(|(points, count): (u32, _)| points * count).sum::<u32>();
        f64::from(half_points(&self.pairs) + half_points(&self.singles)) / 2.0
    }

    /// Returns the sum of the squared deviations of the scores from the expected ones, if the first player expects `p`
    /// points in a game.
    fn squares(&self, p: f64) -> f64 {
        let squares = |counts: &[u32], expected: f64| -> f64 {
            (0..).zip(counts).map(|(half, &count)| f64::from(count) * (f64::from(half) / 2.0 - expected).powi(2)).sum()
        };
        squares(&self.pairs, 2.0 * p) + squares(&self.singles, p)
    }
}

/// The Elo ratings of the players of a ladder, with errors.
///
/// The ratings are those of [`Ratings`](crate::Ratings) over all players, including the replaced ones: the strengths
/// *s* maximise the likelihood of all results and of a virtual draw of each player against strength 0. Each strength
/// solves
///
/// *v* (½ − *p*(*s*)) + Σ (*points* − *games* · *p*(*s* − *s*ⱼ)) = 0, where *p*(*d*) = 1 / (1 + exp(−*d*)),
///
/// summed over the opponents *j*. The weight *v* is 1 for a player that plays and 0.1 for a replaced one. So the
/// ratings depend only on the results, and not on the times at which players were replaced. The mean of the players
/// that play is 0.
///
/// The errors are those of [`Ratings`](crate::Ratings) over the players that play. There, a replaced player is an
/// opponent of known strength, but only the share 1 − *w*/*h* of the information in the games against it counts: *w* is
/// the information of the pairing, Σ *p* (1 − *p*) over its games, and *h* is the total information about the replaced
/// player. If the replaced player had no other opponents, these games say nothing about strength and count almost
/// nothing.
///
/// Newton's method finds the strengths. Its linear systems are solved by conjugate gradients, because there may be
/// thousands of replaced players with few opponents each (M. R. Hestenes and E. Stiefel, "Methods of conjugate
/// gradients for solving linear systems", 1952). The strengths are kept as the start of the next search.
#[derive(Clone, Debug, Default)]
pub struct LadderRatings {
    strengths: Vec<f64>,
}

/// The information of a pairing at the current strengths.
struct Link {
    players: [usize; 2],
    /// Expected points of the first player in a game.
    p: f64,
    weight: f64,
}

impl LadderRatings {
    /// Rates the players. `plays` has an item for each player, which is `false` if the player was replaced. Returns the
    /// rating of each player that plays and has results.
    pub fn rate(&mut self, plays: &[bool], results: &[Results]) -> Vec<Option<Estimate>> {
        self.strengths.resize(plays.len(), 0.0);
        let (links, information) = self.fit(plays, results);
        let mut has_results = vec![false; plays.len()];
        results.iter().filter(|results| results.games() > 0).flat_map(|results| results.players).for_each(|player| {
            has_results[player] = true;
        });
        let rated: Vec<usize> = (0..plays.len()).filter(|&player| plays[player] && has_results[player]).collect();
        let mean = rated.iter().map(|&player| self.strengths[player]).sum::<f64>() / (rated.len().max(1) as f64);
        let mut ratings = vec![None; plays.len()];
        let errors = errors(&rated, &self.strengths, &information, (&links, results));
        for (&player, error) in rated.iter().zip(errors) {
            let value = (self.strengths[player] - mean) * ELO + 0.0;
            ratings[player] = Some(Estimate { value, error });
        }
        ratings
    }

    /// Returns the strengths of the last call of [`rate`](Self::rate), in units of 400 / ln 10 Elo. Strength 0 is that
    /// of the opponent of the virtual draws.
    pub fn strengths(&self) -> &[f64] {
        &self.strengths
    }

    /// Finds the strengths. Returns the information of each pairing, and the total information of each player.
    fn fit(&mut self, plays: &[bool], results: &[Results]) -> (Vec<Link>, Vec<f64>) {
        let totals: Vec<(f64, f64)> =
            results.iter().map(|results| (f64::from(results.games()), results.points())).collect();
        let draw: Vec<f64> = plays.iter().map(|&plays| if plays { 1.0 } else { REPLACED }).collect();
        for round in 0.. {
            let strengths = &self.strengths;
            let imagined = |(&strength, &weight): (&f64, &f64)| (expected(strength), weight);
            let (mut gradient, mut information): (Vec<f64>, Vec<f64>) = (strengths.iter().zip(&draw).map(imagined))
                .map(|(p, weight)| (weight * (0.5 - p), weight * p * (1.0 - p)))
                .unzip();
            let mut links = Vec::with_capacity(results.len());
            for (results, &(games, points)) in results.iter().zip(&totals) {
                let players @ [a, b] = results.players;
                let p = expected(strengths[a] - strengths[b]);
                let weight = games * p * (1.0 - p);
                gradient[a] += points - games * p;
                gradient[b] -= points - games * p;
                information[a] += weight;
                information[b] += weight;
                links.push(Link { players, p, weight });
            }
            let steps = solve(&information, &links, gradient);
            let largest = steps.iter().fold(0.0_f64, |largest, step| largest.max(step.abs()));
            if largest < 1e-9 || round == 100 {
                return (links, information);
            }
            for (strength, step) in self.strengths.iter_mut().zip(steps) {
                // A long step overshoots where the likelihood is flat.
                *strength += step.clamp(-1.0, 1.0);
            }
        }
        unreachable!("the loop ends in round 100")
    }
}

/// Solves the linear system of a step of Newton's method by conjugate gradients, preconditioned with the diagonal.
fn solve(diagonal: &[f64], links: &[Link], right: Vec<f64>) -> Vec<f64> {
    /// Largest ratio of the remaining residual to the first one. Further steps of Newton's method correct the rest.
    const PRECISION: f64 = 1e-8;
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scaled = |residual: &[f64]| residual.iter().zip(diagonal).map(|(r, d)| r / d).collect::<Vec<f64>>();
    let mut solution = vec![0.0; right.len()];
    let mut residual = right;
    let mut direction = scaled(&residual);
    let mut size = dot(&residual, &direction);
    let small = size * PRECISION * PRECISION;
    for _ in 0..1000 {
        if size <= small || size == 0.0 {
            break;
        }
        let mut product: Vec<f64> = direction.iter().zip(diagonal).map(|(x, d)| x * d).collect();
        for &Link { players: [a, b], weight, .. } in links {
            product[a] -= weight * direction[b];
            product[b] -= weight * direction[a];
        }
        let length = size / dot(&direction, &product);
        for (i, (x, step)) in solution.iter_mut().zip(&direction).enumerate() {
            *x += length * step;
            residual[i] -= length * product[i];
        }
        let next = scaled(&residual);
        let before = std::mem::replace(&mut size, dot(&residual, &next));
        for (step, next) in direction.iter_mut().zip(next) {
            *step = next + size / before * *step;
        }
    }
    solution
}

/// A pairing of which at least one player is rated.
struct Rated {
    /// Indices of the players among the rated ones; the second is `None` if it was replaced.
    players: (usize, Option<usize>),
    /// Share of the information that remains after the replaced player was estimated from the same games.
    share: f64,
    /// Inverse of the total information about the replaced player; 0 without one.
    other: f64,
}

/// Returns the error of each rated player's difference from their mean, in Elo.
fn errors(
    rated: &[usize],
    strengths: &[f64],
    information: &[f64],
    (links, results): (&[Link], &[Results]),
) -> Vec<f64> {
    let mut index = vec![None; strengths.len()];
    (0..).zip(rated).for_each(|(number, &player)| index[player] = Some(number));
    let pairings: Vec<Option<Rated>> = links
        .iter()
        .map(|link| {
            let [a, b] = link.players.map(|player| index[player]);
            let (one, two, replaced) = match (a, b) {
                (Some(one), two) => (one, two, link.players[1]),
                (None, Some(two)) => (two, None, link.players[0]),
                (None, None) => return None,
            };
            let other = if two.is_some() { 0.0 } else { information[replaced].recip() };
            Some(Rated { players: (one, two), share: (1.0 - link.weight * other).max(0.0), other })
        })
        .collect();
    let imagined: Vec<f64> = rated.iter().map(|&player| expected(strengths[player])).map(|p| p * (1.0 - p)).collect();
    let mut matrix = vec![vec![0.0; rated.len()]; rated.len()];
    for (number, &own) in imagined.iter().enumerate() {
        matrix[number][number] = own;
    }
    for (link, pairing) in links.iter().zip(&pairings) {
        let Some(Rated { players: (a, b), share, .. }) = *pairing else { continue };
        matrix[a][a] += link.weight * share;
        if let Some(b) = b {
            matrix[b][b] += link.weight;
            matrix[a][b] -= link.weight;
            matrix[b][a] -= link.weight;
        }
    }
    let inverse = Cholesky::new(matrix).inverse();
    let noise = noise(&inverse, &pairings, (links, results));
    variances(inverse, &imagined, &noise).into_iter().map(|variance| Z95 * ELO * variance.max(0.0).sqrt()).collect()
}

/// Variance of the points of a pairing, with the players' indices among the rated ones.
type Noise = ((usize, Option<usize>), f64);

/// Returns the variance of the points of each pairing, as [`Ratings`](crate::Ratings) estimates it.
fn noise(inverse: &[Vec<f64>], pairings: &[Option<Rated>], (links, results): (&[Link], &[Results])) -> Vec<Noise> {
    let (mut squares, mut total) = (0.0, 0.0);
    let mut spreads = Vec::with_capacity(pairings.len());
    for ((link, results), pairing) in links.iter().zip(results).zip(pairings) {
        let Some(Rated { players: players @ (a, b), share, other }) = *pairing else { continue };
        let spread = inverse[a][a] + b.map_or(other, |b| inverse[b][b] - 2.0 * inverse[a][b]);
        let of_game = link.p * (1.0 - link.p);
        // The fitted ratings follow each result a little, which makes its deviation smaller.
        let expected = |meetings: &[u32], games: f64| {
            let leverage = (games * of_game * spread).min(1.0);
            f64::from(meetings.iter().sum::<u32>()) * games * of_game * (1.0 - leverage)
        };
        let expected = expected(&results.pairs, 2.0) + expected(&results.singles, 1.0);
        let found = results.squares(link.p);
        squares += found;
        total += expected;
        spreads.push((players, link.weight * share * share, found, expected));
    }
    let ratio = |weight: f64, prior: f64, found: f64, expected: f64| (weight * prior + found) / (weight + expected);
    let common = ratio(MODEL, 1.0, squares, total);
    let variance =
        |(players, information, found, expected)| (players, information * ratio(COMMON, common, found, expected));
    spreads.into_iter().map(variance).collect()
}

/// Returns the diagonal of the covariance of the strengths relative to their mean: inverse times noise times inverse.
fn variances(mut inverse: Vec<Vec<f64>>, imagined: &[f64], noise: &[Noise]) -> Vec<f64> {
    let count = inverse.len().max(1) as f64;
    let mut mean = vec![0.0; inverse.len()];
    for row in &inverse {
        mean.iter_mut().zip(row).for_each(|(mean, value)| *mean += value / count);
    }
    for row in &mut inverse {
        row.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
    }
    let mut own = imagined.to_vec();
    let mut pairs = Vec::with_capacity(noise.len());
    for &((a, b), noise) in noise {
        match b {
            Some(b) => pairs.push(([a, b], noise)),
            None => own[a] += noise,
        }
    }
    let variance = |row: &Vec<f64>| -> f64 {
        let own: f64 = row.iter().zip(&own).map(|(value, own)| own * value * value).sum();
        own + pairs.iter().map(|&([a, b], noise)| noise * (row[a] - row[b]).powi(2)).sum::<f64>()
    };
    inverse.iter().map(variance).collect()
}

#[cfg(test)]
mod tests;
