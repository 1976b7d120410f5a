//! Options that several programs share.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::{Args, Parser};
use engine::{Level, Strength};

/// How strong the automated players are.
#[derive(Args, Clone, Debug)]
pub(crate) struct StrengthOptions {
    /// Strength of the automated players, 1 to 10
    #[arg(long, value_name = "1..10", default_value = "10")]
    level: Level,
    /// Time for a move in seconds, instead of a fixed number of positions; games then no longer repeat exactly
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    movetime: Option<Duration>,
    /// Threads for the automated players; with more than one, games no longer repeat exactly
    #[arg(long, value_name = "N", default_value = "1", value_parser = up_to_256)]
    threads: NonZeroUsize,
}

impl StrengthOptions {
    pub(crate) fn strength(&self) -> Strength {
        Strength { level: self.level, movetime: self.movetime, nodes: None, threads: self.threads }
    }
}

/// Reads a number of threads, or of lines to show.
pub(crate) fn up_to_256(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(n) if n.get() <= 256 => Ok(n),
        _ => Err("expected a number from 1 to 256".to_owned()),
    }
}

/// So many threads, or as many as there are processors.
pub(crate) fn processors(asked: Option<u64>) -> usize {
    asked.map_or_else(|| available_parallelism().map_or(1, usize::from), |n| n as usize)
}

/// Reads a number of seconds, with decimals if need be.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err("expected seconds from 0 to 1000000".to_owned()),
    }
}

/// Parses the options of a course's program. Wrong ones are answered with the usage on
/// standard error and exit code 1.
pub(crate) fn parse_or_exit<T: Parser>() -> Result<T, ExitCode> {
    T::try_parse().map_err(|error| {
        let _ = error.print();
        if error.use_stderr() { ExitCode::from(1) } else { ExitCode::SUCCESS }
    })
}
