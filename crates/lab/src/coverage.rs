//! Measures how often the 95 % intervals of ratings contain the true values. It simulates tournaments of players with
//! known strengths.

use core::fmt;

use game::SplitMix64;
use rating::{Meeting, Ratings};

/// A round-robin of players whose strengths are evenly spaced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Number of players.
    pub players: usize,
    /// Difference between neighbours, in Elo.
    pub step: f64,
    /// Number of pairs of games between two players.
    pub pairs: u32,
}

impl Shape {
    /// Tournaments of the table in `docs/arena.md`.
    pub const ALL: [Self; 7] = [
        Self { players: 2, step: 40.0, pairs: 10 },
        Self { players: 2, step: 40.0, pairs: 100 },
        Self { players: 2, step: 300.0, pairs: 100 },
        Self { players: 6, step: 60.0, pairs: 1 },
        Self { players: 6, step: 60.0, pairs: 5 },
        Self { players: 6, step: 60.0, pairs: 25 },
        Self { players: 12, step: 30.0, pairs: 2 },
    ];

    fn elo(self) -> Vec<f64> {
        let middle = (self.players as f64 - 1.0) / 2.0;
        (0..self.players).map(|i| self.step * (middle - i as f64)).collect()
    }
}

/// Formats a shape like `6 players, 60 Elo apart, 10 games a pairing`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} players, {} Elo apart, {} games a pairing", self.players, self.step, 2 * self.pairs)
    }
}

/// The dependence between the two games of a pair. The expected score of each game is the same in all three cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// The games are independent.
    None,
    /// In half of the pairs both games have the same result for the same player: the opening suits the player.
    Alike,
    /// In half of the pairs the results of the two games differ as much as possible: the opening suits a colour.
    Opposed,
}

impl Dependence {
    /// All dependences.
    pub const ALL: [Self; 3] = [Self::None, Self::Alike, Self::Opposed];
}

/// Shares of draws between players of equal strength.
pub const DRAWS: [f64; 3] = [0.0, 0.3, 0.6];

/// The shares of intervals that contained the true value, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// Share for ratings, relative to the mean of the players.
    pub ratings: f64,
    /// Share for differences between neighbours.
    pub differences: f64,
}

/// Plays `runs` tournaments and counts how often the intervals contain the true strengths.
pub fn coverage(shape: Shape, draws: f64, dependence: Dependence, runs: u32, seed: u64) -> Coverage {
    let mut rng = SplitMix64::new(seed);
    let elo = shape.elo();
    let (mut ratings, mut differences) = (0_u32, 0_u32);
    for _ in 0..runs {
        let found = Ratings::new(shape.players, &tournament(&elo, shape.pairs, draws, dependence, &mut rng));
        for (player, truth) in elo.iter().enumerate() {
            let own = found.of(player);
            ratings += u32::from((own.value - truth).abs() <= own.error);
        }
        for player in 1..shape.players {
            let difference = found.difference(player - 1, player);
            differences += u32::from((difference.value - shape.step).abs() <= difference.error);
        }
    }
    let share = |count: u32, of: usize| f64::from(count) / (f64::from(runs) * of as f64);
    Coverage { ratings: share(ratings, shape.players), differences: share(differences, shape.players - 1) }
}

fn tournament(elo: &[f64], pairs: u32, draws: f64, dependence: Dependence, rng: &mut SplitMix64) -> Vec<Meeting> {
    let mut meetings = Vec::new();
    for a in 0..elo.len() {
        for b in a + 1..elo.len() {
            let chances = Chances::new(expected(elo[a] - elo[b]), draws);
            for _ in 0..pairs {
                let first = rng.fraction();
                let second = match (dependence, rng.fraction() < 0.5) {
                    (Dependence::Alike, true) => first,
                    (Dependence::Opposed, true) => 1.0 - first,
                    _ => rng.fraction(),
                };
                let points = chances.points(first) + chances.points(second);
                meetings.push(Meeting { players: [a, b], games: 2, points });
            }
        }
    }
    meetings
}

/// Returns the expected score of a player who is stronger by this difference, in Elo.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-difference / 400.0))
}

/// The probabilities of the results of a game.
#[derive(Clone, Copy, Debug)]
struct Chances {
    win: f64,
    draw: f64,
}

impl Chances {
    /// Computes the probabilities for an expected score, where `draws` is the share of draws between players of equal
    /// strength. The square of the probability of a draw is a multiple of the product of the probabilities of a win and
    /// a loss (R. R. Davidson, "On extending the Bradley-Terry model to accommodate ties", 1970). Ordo simulates games
    /// with the same probabilities.
    fn new(score: f64, draws: f64) -> Self {
        let k = (2.0 * draws / (1.0 - draws)).powi(2);
        let (a, b, c) = (1.0 - k / 4.0, k / 2.0, k * score * (1.0 - score));
        // The root of a·draw² + b·draw − c, in a form that is also exact if a is 0.
        let draw = if c > 0.0 { 2.0 * c / (b + (b * b + 4.0 * a * c).sqrt()) } else { 0.0 };
        Self { win: score - draw / 2.0, draw }
    }

    /// Returns the points for a random number from 0 to 1.
    fn points(self, u: f64) -> f64 {
        match u {
            u if u < self.win => 1.0,
            u if u < self.win + self.draw => 0.5,
            _ => 0.0,
        }
    }
}

/// Two players, and the numbers of games that the first of them won, drew and lost.
pub type Score = ([usize; 2], [u32; 3]);

/// Computes ratings and 95 % errors by the method of Ordo (M. A. Ballicora; its manual). The ratings are those at which
/// the expected points of all players equal their actual points. For the errors, the tournament is simulated `runs`
/// times with these ratings and the share of draws between equals, and each simulation is rated. The error is 1.96
/// standard deviations of the ratings.
///
/// Ordo's own unit is 0.9 % smaller, because it uses 202 points for a score of 76 %; here the unit is Elo.
pub fn by_ordos_method(players: usize, scores: &[Score], runs: u32, seed: u64) -> Vec<(f64, f64)> {
    let points = |scores: &[Score]| -> Vec<([usize; 2], f64, f64)> {
        let of = |&(pair, [won, drawn, lost]): &Score| {
            (pair, f64::from(won + drawn + lost), f64::from(won) + f64::from(drawn) / 2.0)
        };
        scores.iter().map(of).collect()
    };
    let rated = likeliest(players, &points(scores));
    let draws = draws_among_equals(scores, &rated);
    let mut rng = SplitMix64::new(seed);
    let (mut sums, mut squares) = (vec![0.0; players], vec![0.0; players]);
    for _ in 0..runs {
        let mut played = points(scores);
        for ([a, b], games, points) in &mut played {
            let chances = Chances::new(expected(rated[*a] - rated[*b]), draws);
            *points = (0..*games as u32).map(|_| chances.points(rng.fraction())).sum();
        }
        for (player, elo) in likeliest(players, &played).into_iter().enumerate() {
            sums[player] += elo;
            squares[player] += elo * elo;
        }
    }
    let n = f64::from(runs);
    let deviation = |player: usize| (squares[player] / n - (sums[player] / n).powi(2)).sqrt();
    (0..players).map(|player| (rated[player], 1.959_964 * deviation(player))).collect()
}

/// Returns the share of draws between equally strong players at which the expected number of draws is the actual
/// number.
fn draws_among_equals(scores: &[Score], elo: &[f64]) -> f64 {
    let drawn: f64 = scores.iter().map(|(_, [_, drawn, _])| f64::from(*drawn)).sum();
    let expected_draws = |draws: f64| -> f64 {
        let of = |&([a, b], games): &Score| {
            f64::from(games.iter().sum::<u32>()) * Chances::new(expected(elo[a] - elo[b]), draws).draw
        };
        scores.iter().map(of).sum()
    };
    let (mut low, mut high) = (0.0, 0.999);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if expected_draws(middle) < drawn { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Computes ratings with a mean of 0 at which each player's expected points equal the actual points. It repeatedly
/// corrects the rating of one player after another. It shares no code with [`Ratings`], and does not add virtual draws.
fn likeliest(players: usize, scores: &[([usize; 2], f64, f64)]) -> Vec<f64> {
    let mut elo = vec![0.0; players];
    for _ in 0..10_000 {
        let mut largest = 0.0_f64;
        for player in 0..players {
            let (mut surplus, mut slope) = (0.0, 0.0);
            for &([a, b], games, points) in scores.iter().filter(|(pair, ..)| pair.contains(&player)) {
                let p = expected(elo[a] - elo[b]);
                surplus += if a == player { points - games * p } else { games * p - points };
                slope += games * p * (1.0 - p) * core::f64::consts::LN_10 / 400.0;
            }
            let step = (surplus / slope).clamp(-100.0, 100.0);
            elo[player] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-3 {
            break;
        }
    }
    let mean = elo.iter().sum::<f64>() / players as f64;
    elo.iter().map(|elo| elo - mean).collect()
}

/// Returns sets of results, with their names, that are rated by [`Ratings`] and by Ordo's method.
pub fn sets() -> Vec<(&'static str, usize, Vec<Score>)> {
    let each = |score: [u32; 3]| {
        let pairs = (0..4).flat_map(|a| (a + 1..4).map(move |b| [a, b]));
        pairs.map(|pair| (pair, score)).collect::<Vec<_>>()
    };
    vec![
        ("two, 7,500 to 2,500", 2, vec![([0, 1], [7_500, 0, 2_500])]),
        (
            "three, two to one and four to one",
            3,
            vec![([0, 1], [2_000, 0, 1_000]), ([1, 2], [2_000, 0, 1_000]), ([0, 2], [2_400, 0, 600])],
        ),
        ("four equals, 18 games a pairing, 44 % draws", 4, each([5, 8, 5])),
        ("four, 40 games a pairing, no draw", 4, each([24, 0, 16])),
        ("four, 40 games a pairing, 60 % draws", 4, each([10, 24, 6])),
        (
            "four of a gauntlet, a third drawn",
            4,
            vec![([0, 1], [20, 10, 10]), ([0, 2], [14, 14, 12]), ([0, 3], [24, 12, 4])],
        ),
    ]
}

/// Returns each game of the results as a separate meeting.
pub fn meetings(scores: &[Score]) -> Vec<Meeting> {
    let games = |&(players, [won, drawn, lost]): &Score| {
        let game = move |points| Meeting { players, games: 1, points };
        let results = [(won, 1.0), (drawn, 0.5), (lost, 0.0)];
        results.into_iter().flat_map(move |(count, points)| (0..count).map(move |_| game(points)))
    };
    scores.iter().flat_map(games).collect()
}
