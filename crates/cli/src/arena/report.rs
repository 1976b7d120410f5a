//! `plyhouse arena report`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use measure::progress::Bar;

use super::head::print_head;
use super::notices::note_damaged;
use super::options::TournamentOption;

/// Write a static site that opens from disk: scoreboard, crosstable, a page for each agent, a replay of each game
#[derive(Args)]
pub(super) struct Options {
    /// Output folder; created if missing
    directory: PathBuf,
    #[command(flatten)]
    target: TournamentOption,
    /// Print nothing
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, tournament) = options.target.open()?;
    let bar = Bar::new(options.quiet, 0);
    let planned = u64::from(tournament.planned);
    let pages = arena::report(&store, &tournament, &options.directory, &mut |done| {
        bar.show(done, planned, &format!("{done}/{planned} games"));
    });
    bar.clear();
    let (index, damaged) = pages?;
    note_damaged(&damaged);
    if !options.quiet {
        writeln!(out, "{}", index.display())?;
        print_head(&store, &tournament, out)?;
    }
    Ok(())
}
