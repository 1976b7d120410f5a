//! `plyhouse course new`.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use course::{Clock, SystemClock};

/// Write the commented file of settings of a new course
#[derive(Args)]
pub(super) struct Options {
    /// File to write, such as `cs3243.toml`
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let file = &options.file;
    let shown = file.display();
    ensure!(file.extension().is_some_and(|end| end == "toml"), "file {shown}: expected a name that ends in `.toml`");
    let text = course::new_file(SystemClock.now());
    let created = OpenOptions::new().write(true).create_new(true).open(file);
    let written = created.and_then(|mut created| created.write_all(text.as_bytes()));
    written.with_context(|| format!("file {shown}"))?;
    let roster = file.with_file_name("teams.csv");
    writeln!(out, "{shown} is written. Next:")?;
    writeln!(out, "    set the name, the deadline, the time zone and the game in it,")?;
    writeln!(out, "    write the teams to {}, a table with the columns id, name and mail,", roster.display())?;
    writeln!(out, "    plyhouse course links {shown}     shows the personal links, and")?;
    writeln!(out, "    plyhouse course serve {shown}     starts the server.")?;
    Ok(())
}
