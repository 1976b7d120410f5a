//! Measures the design choices of the proof search on positions from the proven win of 6×6 Lines of Action.

use std::io::{Write, stdout};
use std::time::Instant;

use clap::Parser;
use game::{Position as _, SplitMix64};
use loa::Position;
use proof::{Adding, Choices, Guess, Search};
use search::Stop;

/// Compare variants of the proof search side by side
#[derive(Parser)]
#[command(name = "proofs")]
struct Options {
    /// Number of positions
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Leave out positions that version 1 of the search proves within this many expansions
    #[arg(long, default_value_t = 20_000)]
    easy: u64,
    /// Give up after this many expansions
    #[arg(long, default_value_t = 400_000)]
    budget: u64,
    /// Transposition table in MiB
    #[arg(long, default_value_t = 128)]
    table: usize,
    /// Seed of the positions
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Use only these positions, by number
    #[arg(long, value_delimiter = ',')]
    only: Vec<usize>,
}

/// Returns the options of version 1 of the search. They select the positions, so that later versions are compared on
/// the same ones.
fn version_1() -> Choices {
    Choices::of_version(1).expect("invariant: logs of version 1 remain usable")
}

/// Returns the variants. Each differs in one choice from the first, which is the default, except for version 1.
fn variants() -> Vec<(&'static str, Choices)> {
    let default = Choices::default();
    vec![
        ("version 2", default),
        ("version 1", version_1()),
        ("initial numbers: one", Choices { guess: Guess::Unit, ..default }),
        ("initial numbers: scatter alone", Choices { guess: Guess::Scatter, ..default }),
        ("initial numbers: terms", Choices { guess: Guess::Terms, ..default }),
        ("sums instead of weak numbers", Choices { adding: Adding::Sum, ..default }),
        ("thresholds + 1/2", Choices { slack: 2, ..default }),
        ("thresholds + 1/4", Choices { slack: 4, ..default }),
        ("thresholds + 0", Choices { slack: u32::MAX, ..default }),
        ("wins at once are searched for", Choices { ahead: false, ..default }),
    ]
}

/// Returns positions after two to eight plies, with Black to move. Black's moves are from the book, White's are random.
fn sample(options: &Options) -> Vec<Position> {
    let (book, mut rng) = (proof::shipped(), SplitMix64::new(options.seed));
    let mut found: Vec<Position> = Vec::new();
    while found.len() < options.count {
        let mut p = Position::start(6).expect("invariant: the game is played on 6×6");
        for _ in 0..=rng.below(4) {
            let Some(m) = book.reply(&p) else { break };
            p.play(m);
            if let Some(&m) = rng.choose(&p.legal_moves()) {
                p.play(m);
            }
        }
        let hard = p.outcome().is_none() && {
            let mut search = Search::new(version_1(), 6, options.table, Stop::new());
            search.solve(&p, options.easy).is_ok_and(|finding| !finding.numbers.is_settled())
        };
        if hard && !found.contains(&p) {
            found.push(p);
        }
    }
    found
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let positions = sample(&options);
    let mut out = stdout();
    writeln!(out, "{:<30} {:>6} {:>12} {:>15} {:>9}", "", "proven", "expansions", "geometric mean", "seconds")?;
    for (i, (name, choices)) in variants().into_iter().enumerate() {
        if !options.only.is_empty() && !options.only.contains(&i) {
            continue;
        }
        let (mut proven, mut expansions, mut logarithms, began) = (0, 0, 0.0, Instant::now());
        for p in &positions {
            let mut search = Search::new(choices, 6, options.table, Stop::new());
            proven += u32::from(search.solve(p, options.budget)?.numbers.proof == 0);
            expansions += search.expansions();
            logarithms += (search.expansions() as f64).ln();
        }
        let mean = (logarithms / positions.len() as f64).exp();
        let millions = expansions as f64 / 1e6;
        writeln!(out, "{name:<30} {proven:>6} {millions:>10.1} M {mean:>15.0} {:>9.0}", began.elapsed().as_secs_f64())?;
        out.flush()?;
    }
    Ok(())
}
