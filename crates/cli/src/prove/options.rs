//! The options of `plyhouse prove`.

use std::path::PathBuf;

use clap::Args;
use games::MOST_WITHIN;

use crate::options::PositionOptions;

/// Prove that a side wins a position of any game, and write a certificate that `plyhouse verify` checks
///
/// Without `--for`, a win for either side counts. There is no move limit, and repetition is not a draw. Exit codes: 0
/// proven, 1 not proven, 2 wrong usage.
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(super) target: PositionOptions,
    /// The side that must win, such as `black`
    #[arg(long = "for", value_name = "SIDE")]
    pub(super) side: Option<String>,
    /// Find the shortest win within this many plies, by an exact search of every defence
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_WITHIN)))]
    #[arg(conflicts_with = "certificate")]
    pub(super) within: Option<u32>,
    /// Visit at most this many positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Size of the transposition table; without `--for`, both sides share it
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    pub(super) table: u64,
    /// Write a certificate when a win is proven
    #[arg(long, value_name = "FILE")]
    pub(super) certificate: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub(super) quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(super) json: bool,
}
