//! Runs the fuzzing driver: `cargo run --release -p plyhouse-lab --bin fuzz -- --seconds 60`.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use clap::Parser;
use lab::fuzz::{Fuzzer, Target};

/// Run every parser with malformed input.
#[derive(Parser)]
struct Options {
    /// Time for each target, in seconds
    #[arg(long, default_value = "60")]
    seconds: u64,
    /// Seed of the first input; each further input has the next number
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Run only this target
    #[arg(long)]
    target: Option<String>,
}

fn main() {
    let options = Options::parse();
    let mut out = std::io::stderr();
    for target in Target::ALL {
        if options.target.as_ref().is_some_and(|name| *name != target.to_string()) {
            continue;
        }
        let (start, mut seed) = (Instant::now(), options.seed);
        let mut shown = Instant::now();
        while start.elapsed() < Duration::from_secs(options.seconds) {
            // Each input has its own fuzzer, so that its seed alone reproduces a finding.
            if std::panic::catch_unwind(|| Fuzzer::new(target, seed).step()).is_err() {
                let _ = writeln!(out, "finding: --target {target} --seed {seed}");
                std::process::exit(1);
            }
            seed += 1;
            if out.is_terminal() && shown.elapsed() > Duration::from_millis(200) {
                let _ =
                    write!(out, "\r{target}: {} inputs, {:.0} s ", seed - options.seed, start.elapsed().as_secs_f64());
                shown = Instant::now();
            }
        }
        let _ = writeln!(
            out,
            "{}{target}: {} inputs, no finding",
            if out.is_terminal() { "\r" } else { "" },
            seed - options.seed
        );
    }
}
