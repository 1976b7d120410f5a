//! Measures how well a Swiss tournament ranks 300 players whose strengths are known. Run with
//! `cargo run --release -p plyhouse-rating --example swiss`.
//!
//! Strengths are normally distributed with a standard deviation of 200 Elo, the seeds are random, and about 20 % of the
//! games are drawn.

#![allow(clippy::print_stdout, reason = "an example shows its results")]

use game::SplitMix64;
use rating::swiss::Swiss;

const PLAYERS: usize = 300;
const TOURNAMENTS: usize = 10;

/// Returns the half points of both players in a game.
fn play(rng: &mut SplitMix64, strengths: &[f64], [one, other]: [usize; 2]) -> [u32; 2] {
    let expected = 1.0 / (1.0 + 10_f64.powf((strengths[other] - strengths[one]) / 400.0));
    // Draws reduce the probabilities of a win and of a loss by the same amount. The limit keeps both from becoming
    // negative.
    let drawn = 0.2_f64.min(2.0 * expected.min(1.0 - expected));
    match rng.fraction() {
        x if x < drawn => [1, 1],
        x if x < expected + drawn / 2.0 => [2, 0],
        _ => [0, 2],
    }
}

/// Returns Kendall's rank correlation between an order and the strengths.
fn kendall(order: &[usize], strengths: &[f64]) -> f64 {
    let mut agreed = 0_i64;
    for (i, &one) in order.iter().enumerate() {
        let after = order[i + 1..].iter();
        agreed += after.map(|&other| if strengths[one] > strengths[other] { 1 } else { -1 }).sum::<i64>();
    }
    agreed as f64 / (order.len() * (order.len() - 1) / 2) as f64
}

/// The sums over all tournaments of one length.
#[derive(Default)]
struct Sums {
    correlation: f64,
    best_ten: usize,
    apart: f64,
    uneven: usize,
}

fn tournament(rng: &mut SplitMix64, rounds: usize, sums: &mut Sums) {
    // The sum of twelve uniform numbers is nearly normal, with a standard deviation of 1.
    let normal = |rng: &mut SplitMix64| (0..12).map(|_| rng.fraction()).sum::<f64>() - 6.0;
    let strengths: Vec<f64> = (0..PLAYERS).map(|_| 200.0 * normal(rng)).collect();
    let mut swiss = Swiss::new(PLAYERS, 1);
    for _ in 0..rounds {
        let round = swiss.pair().expect("at most half as many rounds as players");
        let apart = round.bouts.iter().map(|bout| {
            let [one, other] = bout.players.map(|player| swiss.half_points(player));
            f64::from(one.abs_diff(other)) / 2.0
        });
        sums.apart += apart.sum::<f64>() / (round.bouts.len() * rounds) as f64;
        let results: Vec<_> = round.bouts.iter().map(|bout| play(rng, &strengths, bout.players)).collect();
        swiss.play(&round, &results);
    }
    let order: Vec<usize> = swiss.table().iter().map(|line| line.player).collect();
    sums.correlation += kendall(&order, &strengths);
    let mut best: Vec<usize> = (0..PLAYERS).collect();
    best.sort_by(|&a, &b| strengths[b].total_cmp(&strengths[a]));
    sums.best_ten += order[..10].iter().filter(|player| best[..10].contains(player)).count();
    let firsts = |player: usize| swiss.history(player).iter().filter(|entry| entry.first).count();
    sums.uneven += (0..PLAYERS).filter(|&player| firsts(player).abs_diff(rounds - firsts(player)) > 1).count();
}

fn main() {
    println!("{PLAYERS} players, one game a round; means of {TOURNAMENTS} tournaments");
    println!("rounds  rank correlation  best ten found  points apart in a bout  colours uneven by 2");
    for rounds in [5, 7, 9, 11, 15] {
        let mut rng = SplitMix64::new(1);
        let mut sums = Sums::default();
        for _ in 0..TOURNAMENTS {
            tournament(&mut rng, rounds, &mut sums);
        }
        let mean = |sum: f64| sum / TOURNAMENTS as f64;
        println!(
            "{rounds:>6}  {:>16.2}  {:>14.1}  {:>22.3}  {:>19.1}",
            mean(sums.correlation),
            mean(sums.best_ten as f64),
            mean(sums.apart),
            mean(sums.uneven as f64)
        );
    }
}
