//! `plyhouse bench`.

use std::io::Write;

use clap::Args;

/// Search fixed positions of every game; the node counts are the engines' signature, the same on every machine
#[derive(Args)]
pub(crate) struct Options {
    /// Print only the signature, without times
    #[arg(long)]
    signature: bool,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut printed = Ok(());
    let parts = measure::bench::run(|part| {
        if !options.signature && printed.is_ok() {
            let rate = part.nodes as f64 / part.time.as_secs_f64().max(1e-9);
            printed = writeln!(
                out,
                "{:<12} {:>2}x{:<2} {:>9} nodes {:>6.2} s {:>10.0} nodes/s",
                part.game.to_string(),
                part.size,
                part.size,
                part.nodes,
                part.time.as_secs_f64(),
                rate
            )
            .and_then(|()| out.flush());
        }
    });
    printed?;
    if options.signature {
        write!(out, "{}", measure::bench::signature(&parts))?;
    } else {
        let total: u64 = parts.iter().map(|part| part.nodes).sum();
        writeln!(out, "total {total} nodes")?;
    }
    Ok(())
}
