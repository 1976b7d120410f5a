//! `plyhouse arena recover`.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use game::plural;

use super::options::StoreOption;

/// Copy the readable part of a damaged store to a new file
///
/// The damaged file is not changed. `arena verify --store NEW` lists the missing games; `arena resume` replays them.
#[derive(Args)]
pub(super) struct Options {
    /// New store, which must not exist
    new: PathBuf,
    #[command(flatten)]
    store: StoreOption,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let (location, new) = (&options.store.location, options.new.display());
    let file = location.file().with_context(|| format!("store {location}: a database found, expected a file"))?;
    ensure!(file.exists(), "store {location}: no such file");
    ensure!(!options.new.exists(), "file {new}: it exists, expected the name of a new file");
    let [tournaments, _, games] =
        arena::salvage(file, &options.new).with_context(|| format!("store {location}: it cannot be recovered"))?;
    writeln!(out, "saved to {new}: {tournaments} tournament{}, {games} game{}", plural(tournaments), plural(games))?;
    writeln!(out, "`plyhouse arena verify --store {new}` lists what is missing")?;
    Ok(())
}
