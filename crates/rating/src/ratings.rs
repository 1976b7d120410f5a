//! Ratings of several players from all their games.

use std::collections::BTreeMap;

use crate::elo::Estimate;
use crate::elo::{Z95, normal};
use crate::linear::Cholesky;

/// Elo per unit of strength. In the model, the odds between two players are the exponential of the difference of their
/// strengths.
pub(crate) const ELO: f64 = 400.0 / core::f64::consts::LN_10;

/// Weight of the model's variance in the estimate of the variance that is common to all pairings. The unit is
/// information. A game between equal players has an information of ¼, so this is the weight of four games. The weight
/// matters only if hardly any game was close. The coverage in `docs/arena.md` is nearly the same with a quarter of this
/// weight and with four times this weight.
pub(crate) const MODEL: f64 = 1.0;
/// Weight of the common variance in the estimate of a pairing's own variance: that of ten games. The coverage is
/// equally insensitive to this weight.
pub(crate) const COMMON: f64 = 2.5;

/// The games of two players from one opening: usually two, with colours exchanged. Games of different meetings are
/// assumed to be independent; games of the same meeting are not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Players, by number.
    pub players: [usize; 2],
    /// Number of games.
    pub games: u32,
    /// Total points of the first player: 1 for a win, ½ for a draw.
    pub points: f64,
}

/// The Elo ratings of several players, with errors.
///
/// The ratings are the maximum-likelihood ratings of the Bradley-Terry model, with a draw as half a win. The difference
/// between two ratings determines the expected score. Each player also has one virtual draw against an average player,
/// so that a player with a perfect score has a finite rating. The mean is 0.
///
/// The errors do not come from that model, which assumes that there are no draws and that games are independent. They
/// come from the differences between the actual and the expected scores of the meetings ("sandwich estimate"). Draws
/// make the variance smaller than in the model, and dependence between the games of one opening makes it smaller or
/// larger. The variance of a pairing is a weighted mean of two estimates: one from its own meetings and one from all
/// meetings. The weight of the first estimate grows with the number of the pairing's own meetings.
///
/// Sources: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs" (1952). P. McCullagh and J. A.
/// Nelder, "Generalized Linear Models" (1989), chapter 9 (variance in excess of the model's). R. M. Bell and D. F.
/// McCaffrey, "Bias reduction in standard errors for linear regression with multi-stage samples" (2002) (correction of
/// residuals for the fit).
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// Elo of each player. The mean over the players with games is 0.
    elo: Vec<f64>,
    /// `true` for each player with games.
    played: Vec<bool>,
    /// Covariance matrix of the players' strengths, each relative to the mean.
    covariance: Vec<Vec<f64>>,
}

/// The sum of all games of two players.
#[derive(Clone, Copy, Debug, Default)]
struct Pairing {
    games: f64,
    points: f64,
}

type Pairings = BTreeMap<[usize; 2], Pairing>;

impl Ratings {
    /// Rates players from their meetings.
    pub fn new(players: usize, meetings: &[Meeting]) -> Self {
        let mut pairings = Pairings::new();
        for meeting in meetings {
            let pairing = pairings.entry(meeting.players).or_default();
            pairing.games += f64::from(meeting.games);
            pairing.points += meeting.points;
        }
        let strength = likeliest(players, &pairings);
        let inverse = Cholesky::new(derivatives(&strength, &pairings).1).inverse();
        let noise = noise(&strength, &inverse, meetings);
        let mut played = vec![false; players];
        for player in pairings.keys().flatten() {
            played[*player] = true;
        }
        let covariance = centred(sandwich(&inverse, &strength, &noise), &played);
        let mean = mean(&strength, &played);
        // Adding zero turns a negative zero into a positive one.
        let elo = strength.iter().zip(&played).map(|(s, &played)| if played { (s - mean) * ELO + 0.0 } else { 0.0 });
        Self { elo: elo.collect(), played, covariance }
    }

    /// Returns a player's rating, with the error of its difference from the mean of all players. The error of a player
    /// without games is infinite.
    pub fn of(&self, player: usize) -> Estimate {
        let error = if self.played[player] { error(self.covariance[player][player]) } else { f64::INFINITY };
        Estimate { value: self.elo[player], error }
    }

    /// Returns the first player's rating minus the second's.
    pub fn difference(&self, one: usize, other: usize) -> Estimate {
        let c = &self.covariance;
        let variance = c[one][one] - 2.0 * c[one][other] + c[other][other];
        let both = self.played[one] && self.played[other];
        let error = if both { error(variance) } else { f64::INFINITY };
        Estimate { value: self.elo[one] - self.elo[other] + 0.0, error }
    }

    /// Returns the likelihood of superiority: the probability that the first player is stronger than the second.
    pub fn superiority(&self, one: usize, other: usize) -> f64 {
        let Estimate { value, error } = self.difference(one, other);
        if error > 0.0 { normal(value / error * Z95) } else { 0.5 }
    }
}

/// Returns half the width of the 95 % interval in Elo, from the variance of a strength.
fn error(variance: f64) -> f64 {
    Z95 * ELO * variance.max(0.0).sqrt()
}

/// Returns the expected score of a player whose strength exceeds the opponent's by `difference`.
pub(crate) fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Returns the maximum-likelihood strengths, by Newton's method.
fn likeliest(players: usize, pairings: &Pairings) -> Vec<f64> {
    let mut strength = vec![0.0_f64; players];
    for _ in 0..100 {
        let (gradient, curvature) = derivatives(&strength, pairings);
        let mut largest = 0.0_f64;
        for (s, step) in strength.iter_mut().zip(Cholesky::new(curvature).solve(gradient)) {
            // A long step overshoots where the likelihood is flat.
            let step = step.clamp(-1.0, 1.0);
            *s += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-10 {
            break;
        }
    }
    strength
}

/// Returns the gradient of the log-likelihood and its negated second derivatives.
fn derivatives(strength: &[f64], pairings: &Pairings) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = strength.len();
    let mut gradient: Vec<f64> = strength.iter().map(|&s| 0.5 - expected(s)).collect();
    let mut curvature = vec![vec![0.0; n]; n];
    for (i, &s) in strength.iter().enumerate() {
        curvature[i][i] = imagined(s);
    }
    for (&[a, b], pairing) in pairings {
        let p = expected(strength[a] - strength[b]);
        let surplus = pairing.points - pairing.games * p;
        gradient[a] += surplus;
        gradient[b] -= surplus;
        add(&mut curvature, [a, b], pairing.games * p * (1.0 - p));
    }
    (gradient, curvature)
}

/// Returns the information of the virtual draw of a player of this strength.
fn imagined(strength: f64) -> f64 {
    let p = expected(strength);
    p * (1.0 - p)
}

/// Adds the quadratic form `weight × (a - b)²` to a matrix.
fn add(matrix: &mut [Vec<f64>], [a, b]: [usize; 2], weight: f64) {
    matrix[a][a] += weight;
    matrix[b][b] += weight;
    matrix[a][b] -= weight;
    matrix[b][a] -= weight;
}

/// Returns the mean over the players with games.
fn mean(values: &[f64], played: &[bool]) -> f64 {
    let (sum, count) = values
        .iter()
        .zip(played)
        .filter(|&(_, &played)| played)
        .fold((0.0, 0.0_f64), |(sum, count), (value, _)| (sum + value, count + 1.0));
    sum / count.max(1.0)
}

/// Returns the covariance matrix of the values relative to their mean over the players with games.
fn centred(mut covariance: Vec<Vec<f64>>, played: &[bool]) -> Vec<Vec<f64>> {
    let means: Vec<f64> = covariance.iter().map(|row| mean(row, played)).collect();
    let all = mean(&means, played);
    for (row, own) in covariance.iter_mut().zip(&means) {
        for (value, other) in row.iter_mut().zip(&means) {
            *value += all - own - other;
        }
    }
    covariance
}

/// The sums over meetings from which a variance is estimated.
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    /// Sum of the squared deviations of scores from the expected ones.
    squares: f64,
    /// Expected value of `squares` in the model without draws.
    expected: f64,
    /// Sum of the variances of all games in that model.
    information: f64,
}

/// Returns the variance of the points of each pairing.
fn noise(strength: &[f64], inverse: &[Vec<f64>], meetings: &[Meeting]) -> BTreeMap<[usize; 2], f64> {
    let mut spreads: BTreeMap<[usize; 2], Spread> = BTreeMap::new();
    let mut all = Spread::default();
    for meeting in meetings {
        let [a, b] = meeting.players;
        let p = expected(strength[a] - strength[b]);
        let games = f64::from(meeting.games);
        let information = games * p * (1.0 - p);
        let square = (meeting.points - games * p).powi(2);
        // Each result pulls the fitted ratings slightly towards itself, which makes its own deviation smaller.
        let leverage = information * (inverse[a][a] - 2.0 * inverse[a][b] + inverse[b][b]);
        for spread in [spreads.entry(meeting.players).or_default(), &mut all] {
            spread.squares += square;
            spread.expected += information * (1.0 - leverage);
            spread.information += information;
        }
    }
    let ratio =
        |spread: &Spread, weight: f64, prior: f64| (weight * prior + spread.squares) / (weight + spread.expected);
    let common = ratio(&all, MODEL, 1.0);
    spreads
        .into_iter()
        .map(|(players, spread)| (players, spread.information * ratio(&spread, COMMON, common)))
        .collect()
}

/// Returns the covariance of the strengths: inverse times noise times inverse.
fn sandwich(inverse: &[Vec<f64>], strength: &[f64], noise: &BTreeMap<[usize; 2], f64>) -> Vec<Vec<f64>> {
    let n = strength.len();
    let mut middle = vec![vec![0.0; n]; n];
    for (i, &s) in strength.iter().enumerate() {
        middle[i][i] = imagined(s);
    }
    for (&players, &variance) in noise {
        add(&mut middle, players, variance);
    }
    let times = |a: &[Vec<f64>], b: &[Vec<f64>]| -> Vec<Vec<f64>> {
        // `b` is symmetric in both products, so its rows equal its columns.
        a.iter().map(|row| b.iter().map(|column| row.iter().zip(column).map(|(x, y)| x * y).sum()).collect()).collect()
    };
    times(&times(inverse, &middle), inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::Tally;

    /// Creates meetings of one game each, from the players and the numbers of games that the first player won and lost.
    fn meetings(list: &[(usize, usize, u32, u32)]) -> Vec<Meeting> {
        let games = |&(a, b, won, lost): &(usize, usize, u32, u32)| {
            let game = move |points| Meeting { players: [a, b], games: 1, points };
            (0..won).map(move |_| game(1.0)).chain((0..lost).map(move |_| game(0.0)))
        };
        list.iter().flat_map(games).collect()
    }

    fn all(players: usize, list: &[(usize, usize, u32, u32)]) -> Vec<Estimate> {
        let ratings = Ratings::new(players, &meetings(list));
        (0..players).map(|player| ratings.of(player)).collect()
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let found = all(2, &[(0, 1, 7_500, 2_500)]);
        assert!((found[0].value - found[1].value - 190.85).abs() < 0.1, "{found:?}");
        assert!((found[0].value + found[1].value).abs() < 1e-9);
    }

    /// Strengths in the ratio 4 : 2 : 1 give odds of two to one between neighbours and of four to one between the outer
    /// players.
    #[test]
    fn consistent_results_give_their_ratings() {
        let found = all(3, &[(0, 1, 2000, 1000), (1, 2, 2000, 1000), (0, 2, 2400, 600)]);
        let step = 400.0 * 2.0_f64.log10();
        assert!((found[0].value - step).abs() < 0.2 && (found[2].value + step).abs() < 0.2, "{found:?}");
        assert!(found.iter().all(|estimate| estimate.error > 1.0 && estimate.error < 10.0), "{found:?}");
    }

    #[test]
    fn winning_everything_is_finite_and_more_games_say_more() {
        let few = all(2, &[(0, 1, 5, 0)]);
        let many = all(2, &[(0, 1, 50, 0)]);
        assert!(few[0].value > 100.0 && many[0].value > few[0].value && many[0].value < 2000.0, "{few:?} {many:?}");
        assert!(few[0].error > few[0].value && many[0].error > 100.0, "little is known: {few:?} {many:?}");
        assert!(all(0, &[]).is_empty());
        assert!(all(3, &[]).iter().all(|estimate| *estimate == Estimate { value: 0.0, error: f64::INFINITY }));
    }

    /// Creates pairs of games. `counts` are the numbers of pairs in which the first player scores 0, ½, 1, 1½ and 2
    /// points.
    fn pairs(players: [usize; 2], counts: [u64; 5]) -> Vec<Meeting> {
        let meetings = (0..).zip(counts).flat_map(|(half_points, count)| {
            let meeting = Meeting { players, games: 2, points: f64::from(half_points) / 2.0 };
            (0..count).map(move |_| meeting)
        });
        meetings.collect()
    }

    /// With many games the virtual draws have no effect, and the estimate is that of the pentanomial distribution.
    #[test]
    fn a_long_match_has_the_elo_and_error_of_its_pairs() {
        for counts in [[379, 10_170, 21_828, 10_640, 343], [500, 0, 3_000, 0, 900], [20, 60, 900, 300, 90]] {
            let ratings = Ratings::new(2, &pairs([0, 1], counts));
            let (found, known) = (ratings.difference(0, 1), Tally::from_pairs(counts).elo());
            assert!((found.value - known.value).abs() < 0.1, "{found} {known}");
            assert!((found.error / known.error - 1.0).abs() < 0.01, "{found} {known}");
            // The rating of each player differs from the mean of both by half of the difference.
            for (player, sign) in [(0, 1.0), (1, -1.0)] {
                let own = ratings.of(player);
                assert!((own.value - sign * found.value / 2.0).abs() < 1e-6, "{own} {found}");
                assert!((own.error - found.error / 2.0).abs() < 1e-6, "{own} {found}");
            }
        }
    }

    #[test]
    fn draws_and_dependent_pairs_narrow_the_interval() {
        let error = |counts| Ratings::new(2, &pairs([0, 1], counts)).difference(0, 1).error;
        let decided = error([250, 0, 500, 0, 250]);
        assert!((decided / Tally::from_pairs([250, 0, 500, 0, 250]).elo().error - 1.0).abs() < 0.01);
        // With 60 % draws, the variance of a game is 0.4 of the variance without draws.
        let drawn = error([40, 240, 440, 240, 40]);
        assert!((drawn / decided - 0.4_f64.sqrt()).abs() < 0.01, "{drawn} {decided}");
        // In most pairs, the better side of the opening wins both games.
        assert!(error([50, 0, 900, 0, 50]) < 0.5 * decided);
        // In every pair, the same player wins both games.
        assert!(error([500, 0, 0, 0, 500]) > 1.4 * decided);
    }

    #[test]
    fn players_without_games_do_not_count() {
        let games = [(0, 2, 30, 10), (2, 3, 25, 15)];
        let found = all(5, &games);
        let same = all(3, &[(0, 1, 30, 10), (1, 2, 25, 15)]);
        for (player, other) in [(0, 0), (2, 1), (3, 2)] {
            let (a, b) = (found[player], same[other]);
            assert!((a.value - b.value).abs() < 1e-9 && (a.error - b.error).abs() < 1e-9, "{a} {b}");
        }
        assert_eq!(found[1], Estimate { value: 0.0, error: f64::INFINITY });
    }

    #[test]
    fn superiority_follows_the_difference() {
        let ratings = Ratings::new(2, &pairs([0, 1], [100, 0, 220, 0, 130]));
        let los = Tally::from_pairs([100, 0, 220, 0, 130]).los();
        assert!((ratings.superiority(0, 1) - los).abs() < 0.005, "{} {los}", ratings.superiority(0, 1));
        assert!((ratings.superiority(0, 1) + ratings.superiority(1, 0) - 1.0).abs() < 1e-6);
    }
}
