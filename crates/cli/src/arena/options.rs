//! Options that several commands of `plyhouse arena` share.

use std::io::{IsTerminal, Write, stderr, stdout};

use arena::{Location, Store, Tournament};
use clap::Args;

use super::escaping::EscapingWriter;
use super::notices::changed_header;
use crate::options::StoreParser;

/// The store of tournaments.
#[derive(Args)]
pub(super) struct StoreOption {
    /// Store: a file, or a PostgreSQL database such as `postgres://user@host:port/database`
    #[arg(long = "store", value_name = "FILE|URL", default_value = "arena.sqlite", value_parser = StoreParser)]
    pub(super) location: Location,
}

/// The choice of a tournament in a store.
#[derive(Args)]
pub(super) struct TournamentOption {
    #[command(flatten)]
    pub(super) store: StoreOption,
    /// Number of the tournament; defaults to the latest one, or to the only unfinished one for `resume`
    #[arg(short, long, value_name = "N")]
    pub(super) tournament: Option<i64>,
}

impl TournamentOption {
    /// Opens an existing store and reads the tournament.
    pub(super) fn open(&self) -> anyhow::Result<(Store, Tournament)> {
        let store = Store::existing(&self.store.location)?;
        let tournament = store.tournament(self.tournament)?;
        if tournament.is_changed {
            let _ = writeln!(EscapingWriter::new(stderr()), "WARNING: {}", changed_header(&tournament));
        }
        Ok((store, tournament))
    }
}

/// Options for playing games and printing results.
#[derive(Args)]
pub(super) struct PlayOptions {
    /// Distribute the games to workers on other machines through this store (see `plyhouse work`)
    #[arg(long, conflicts_with = "jobs")]
    pub(super) hand_out: bool,
    /// Number of games played at the same time; defaults to the number of processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    pub(super) jobs: Option<u64>,
    /// Also print the standings after every N games; on a terminal, defaults to a tenth of the tournament, but at least
    /// ten games
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    #[arg(conflicts_with_all = ["quiet", "json"])]
    every: Option<u64>,
    /// Print nothing
    #[arg(long)]
    pub(super) quiet: bool,
    /// Print each finished game as a line of JSON, then the standings as the last line
    #[arg(long)]
    pub(super) json: bool,
}

impl PlayOptions {
    /// Returns the number of games between two printed standings; `None` to print only the final ones.
    pub(super) fn every(&self, planned: u64) -> Option<u64> {
        /// Minimum of the default, because fewer games change little.
        const MIN: u64 = 10;
        let on_terminal = !self.quiet && !self.json && stdout().is_terminal();
        self.every.or(on_terminal.then_some(planned.div_ceil(10).max(MIN)))
    }
}
