use game::SplitMix64;

use super::*;
use crate::ratings::{Meeting, Ratings};

fn uniform(rng: &mut SplitMix64) -> f64 {
    rng.below(1 << 30) as f64 / f64::from(1 << 30)
}

/// Creates results of players with these strengths: `pairs` pairs of games and `singles` single games of each pairing.
fn results(pairings: &[[usize; 2]], strengths: &[f64], pairs: u32, singles: u32, rng: &mut SplitMix64) -> Vec<Results> {
    let of_pairing = |&players: &[usize; 2]| {
        let p = expected(strengths[players[0]] - strengths[players[1]]);
        // A tenth of the games is drawn.
        let mut game = || match uniform(rng) {
            r if r < 0.1 => 1,
            r => usize::from(r < 0.1 + 0.9 * p) * 2,
        };
        let mut results = Results { players, ..Results::default() };
        (0..pairs).for_each(|_| results.pairs[game() + game()] += 1);
        (0..singles).for_each(|_| results.singles[game()] += 1);
        results
    };
    pairings.iter().map(of_pairing).collect()
}

fn meetings(results: &[Results]) -> Vec<Meeting> {
    let of_pairing = |results: &Results| {
        let players = results.players;
        let of = |counts: &[u32], games: u32| -> Vec<Meeting> {
            let meeting = |(half, &count): (u32, &u32)| {
                vec![Meeting { players, games, points: f64::from(half) / 2.0 }; count as usize]
            };
            (0..).zip(counts).flat_map(meeting).collect()
        };
        [of(&results.pairs, 2), of(&results.singles, 1)].concat()
    };
    results.iter().flat_map(of_pairing).collect()
}

/// Returns all pairings of players `from` with players `to`.
fn all(from: core::ops::Range<usize>, to: &core::ops::Range<usize>) -> Vec<[usize; 2]> {
    from.flat_map(|a| to.clone().filter(move |&b| a < b).map(move |b| [a, b])).collect()
}

#[test]
fn games_and_points_of_results_are_counted() {
    let results = Results { players: [0, 1], pairs: [1, 2, 3, 4, 5], singles: [1, 2, 3] };
    assert_eq!((results.games(), results.points()), (36, 24.0));
}

#[test]
fn without_replaced_players_the_ratings_are_the_usual_ones() {
    let mut rng = SplitMix64::new(1);
    let strengths = [1.0, 0.4, 0.0, -0.3, -0.5, -1.2, 0.0];
    // The last player has no games.
    let results = results(&all(0..6, &(0..6)), &strengths, 5, 3, &mut rng);
    let usual = Ratings::new(7, &meetings(&results));
    let found = LadderRatings::default().rate(&[true; 7], &results);
    for (player, found) in found.iter().enumerate().take(6) {
        let (found, usual) = (found.expect("it has games"), usual.of(player));
        assert!((found.value - usual.value).abs() < 1e-4, "{player}: {found} {usual}");
        assert!((found.error - usual.error).abs() < 1e-4, "{player}: {found} {usual}");
    }
    assert_eq!(found[6], None);
    assert!(LadderRatings::default().rate(&[], &[]).is_empty());
    assert_eq!(LadderRatings::default().rate(&[true], &[]), [None]);
}

/// Solves the equations of the documentation one strength at a time, by bisection, until nothing changes.
fn solved_directly(plays: &[bool], results: &[Results]) -> Vec<f64> {
    let mut strengths = vec![0.0; plays.len()];
    for _ in 0..2000 {
        for player in 0..plays.len() {
            let slope = |s: f64| {
                let virtual_draw = if plays[player] { 1.0 } else { 0.1 } * (0.5 - expected(s));
                let of_results = results.iter().map(|results| {
                    let (games, points) = (f64::from(results.games()), results.points());
                    match results.players {
                        [a, b] if a == player => points - games * expected(s - strengths[b]),
                        [a, b] if b == player => games - points - games * expected(s - strengths[a]),
                        _ => 0.0,
                    }
                });
                virtual_draw + of_results.sum::<f64>()
            };
            let (mut low, mut high) = (-20.0, 20.0);
            for _ in 0..50 {
                let middle = f64::midpoint(low, high);
                if slope(middle) > 0.0 { low = middle } else { high = middle }
            }
            strengths[player] = low;
        }
    }
    strengths
}

#[test]
fn strengths_solve_the_equations() {
    let mut rng = SplitMix64::new(2);
    let plays = [true, true, true, true, false, false, false, false];
    let strengths = [1.0, 0.3, -0.2, -1.0, 0.5, -0.5, 0.0, 3.0];
    let pairings = [[0, 1], [2, 3], [4, 0], [1, 4], [4, 5], [5, 2], [3, 6], [6, 7], [7, 3]];
    let results = results(&pairings, &strengths, 4, 1, &mut rng);
    let direct = solved_directly(&plays, &results);
    let mut ratings = LadderRatings::default();
    let found = ratings.rate(&plays, &results);
    for (one, other) in ratings.strengths().iter().zip(&direct) {
        assert!((one - other).abs() < 1e-6, "{:?} {direct:?}", ratings.strengths());
    }
    let mean = direct[..4].iter().sum::<f64>() / 4.0;
    let elo = found[0].map(|found| found.value).expect("it has games");
    assert!((elo - (direct[0] - mean) * 400.0 / 10.0_f64.ln()).abs() < 1e-3, "{elo}");
    assert!(found[4..].iter().all(Option::is_none));
    // Another start of the search leads to the same ratings.
    let mut warm = LadderRatings { strengths: vec![2.0, -2.0, 1.0, 0.0, 3.0, -3.0, 0.5, 0.0] };
    for (one, other) in warm.rate(&plays, &results).iter().zip(&found).take(4) {
        let (one, other) = (one.expect("it has games"), other.expect("it has games"));
        assert!((one.value - other.value).abs() < 1e-5 && (one.error - other.error).abs() < 1e-5);
    }
}

/// The true difference from the mean is within the error in about 95 of 100 cases, although errors take the strengths
/// of replaced players as known.
#[test]
fn errors_cover_the_true_ratings() {
    let mut rng = SplitMix64::new(3);
    let (players, replaced) = (8, 24);
    let plays: Vec<bool> = (0..players + replaced).map(|player| player < players).collect();
    let mut inside = 0;
    let rounds = 400;
    for _ in 0..rounds {
        let strengths: Vec<f64> = (0..plays.len()).map(|_| 3.0 * uniform(&mut rng) - 1.5).collect();
        let current = results(&all(0..players, &(0..players)), &strengths, 2, 0, &mut rng);
        // Each replaced player met three opponents, some of which are replaced, too.
        let of_replaced = |old: usize| [[old, old % players], [old, (old + 3) % players], [old, (old + 1) % 24]];
        let pairings: Vec<[usize; 2]> = (players..plays.len()).flat_map(of_replaced).collect();
        let old = results(&pairings, &strengths, 2, 0, &mut rng);
        let found = LadderRatings::default().rate(&plays, &[current, old].concat());
        let mean = strengths[..players].iter().sum::<f64>() / players as f64;
        for (found, strength) in found.iter().flatten().zip(&strengths) {
            inside += usize::from((found.value - (strength - mean) * ELO).abs() <= found.error);
        }
    }
    let share = inside as f64 / (rounds * players) as f64;
    assert!((0.92..=0.98).contains(&share), "{share}");
}

/// A version with a single opponent says nothing about strength, even with hundreds of games.
#[test]
fn replaced_players_without_other_opponents_say_almost_nothing() {
    let mut rng = SplitMix64::new(4);
    let strengths = [0.5, 0.0, -0.5, 0.3];
    let current = results(&all(0..3, &(0..3)), &strengths, 200, 0, &mut rng);
    let old = results(&[[0, 3]], &strengths, 300, 0, &mut rng);
    let before = LadderRatings::default().rate(&[true, true, true, false], &current);
    let after = LadderRatings::default().rate(&[true, true, true, false], &[current, old].concat());
    for (before, after) in before.iter().flatten().zip(after.iter().flatten()) {
        assert!((before.value - after.value).abs() < 1.0, "{before} {after}");
        assert!((before.error / after.error - 1.0).abs() < 0.05, "{before} {after}");
    }
}
