//! `plyhouse perft`.

use std::io::Write;
use std::time::Instant;

use clap::Args;

use crate::options::PositionOptions;

/// Count the leaves of the game tree, to test and time move generation
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    target: PositionOptions,
    /// Maximum depth, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: u32,
    /// For the maximum depth, also print the count below each first move
    #[arg(long)]
    divide: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let position = options.target.position()?;
    let start = Instant::now();
    let mut leaves = 0_u64;
    for depth in 1..=options.depth {
        let count = position.perft(depth);
        leaves = leaves.saturating_add(count);
        writeln!(out, "{depth} {count}")?;
        out.flush()?;
    }
    let seconds = start.elapsed().as_secs_f64();
    if options.divide {
        for (m, count) in position.perft_divide(options.depth) {
            writeln!(out, "{m} {count}")?;
        }
    }
    writeln!(out, "{:.0} leaves/s", leaves as f64 / seconds.max(1e-9))?;
    Ok(())
}
