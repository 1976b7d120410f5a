//! Prints how often the 95 % intervals of ratings contain the true values, and compares ratings and errors with those
//! of Ordo's method, as tables for `docs/arena.md`: `cargo run --release -p plyhouse-lab --bin coverage`.

use std::io::Write;

use clap::Parser;
use lab::coverage::{DRAWS, Dependence, Shape, by_ordos_method, coverage, meetings, sets};
use rating::Ratings;

/// Simulate tournaments and count how often the intervals of ratings contain the true strengths.
#[derive(Parser)]
struct Options {
    /// Number of tournaments for each figure
    #[arg(long, default_value = "4000")]
    runs: u32,
    /// Seed of all results
    #[arg(long, default_value = "1")]
    seed: u64,
}

fn main() -> std::io::Result<()> {
    let Options { runs, seed } = Options::parse();
    let mut out = std::io::stdout().lock();
    writeln!(out, "| tournament | 0 % draws | 30 % | 60 % |\n| --- | --- | --- | --- |")?;
    for shape in Shape::ALL {
        write!(out, "| {shape} |")?;
        for draws in DRAWS {
            let shares =
                Dependence::ALL.map(|how| format!("{:.1}", 100.0 * coverage(shape, draws, how, runs, seed).ratings));
            write!(out, " {} |", shares.join(", "))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "\n| games | ours | by Ordo's method |\n| --- | --- | --- |")?;
    for (name, players, scores) in sets() {
        let ours = Ratings::new(players, &meetings(&scores));
        let list = |elo: &dyn Fn(usize) -> (f64, f64)| {
            let cells = (0..players).map(|player| {
                let (value, error) = elo(player);
                format!("{} ± {error:.1}", rating::signed(value, 1))
            });
            cells.collect::<Vec<_>>().join(", ")
        };
        let theirs = by_ordos_method(players, &scores, runs, seed);
        let own = |player: usize| (ours.of(player).value, ours.of(player).error);
        writeln!(out, "| {name} | {} | {} |", list(&own), list(&|player| theirs[player]))?;
    }
    Ok(())
}
