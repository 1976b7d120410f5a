//! `plyhouse arena`.

mod advice;
mod agents;
mod check;
mod confined;
mod enter;
mod farewell;
mod files;
mod list;
mod mock;
mod play;
mod report;
mod rounds;
mod show;
mod spar;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use arena::Store;
use clap::{Args, Subcommand};
use process::interrupt;

use crate::deferred::Deferred;

/// Tournaments of programs: enter programs, play, and rank them
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Deferred<Command>,
}

#[derive(Subcommand)]
enum Command {
    Doctor(confined::DoctorOptions),
    Check(check::Options),
    Enter(enter::Options),
    Run(play::RunOptions),
    Resume(play::ResumeOptions),
    List(list::Options),
    Standings(show::Options),
    Report(report::Options),
    Export(files::ExportOptions),
    Import(files::ImportOptions),
    Spar(spar::Options),
    Mock(mock::Options),
}

/// The store and the tournament in it.
#[derive(Args)]
struct Where {
    /// The file of the tournaments
    #[arg(long, value_name = "FILE", default_value = "arena.sqlite")]
    store: PathBuf,
    /// The number of the tournament; by default the latest
    #[arg(short, long, value_name = "N")]
    tournament: Option<i64>,
}

impl Where {
    /// Opens an existing store.
    fn open(&self) -> anyhow::Result<(Store, arena::Tournament)> {
        anyhow::ensure!(self.store.exists(), "store {}: no such file", self.store.display());
        let store = Store::open(&self.store)?;
        let tournament = store.tournament(self.tournament)?;
        Ok((store, tournament))
    }
}

pub(crate) fn run(Options { command: Deferred(command) }: Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if matches!(
        command,
        Command::Check(_) | Command::Enter(_) | Command::Run(_) | Command::Resume(_) | Command::Spar(_)
    ) {
        interrupt::end_children_on_interrupt()?;
    }
    let done = |()| ExitCode::SUCCESS;
    match command {
        Command::Doctor(options) => confined::doctor(&options, out),
        Command::Check(options) => check::run(&options, out),
        Command::Enter(options) => enter::run(&options, out),
        Command::Run(options) => play::run(&options, out).map(done),
        Command::Resume(options) => play::resume(&options, out).map(done),
        Command::List(options) => list::run(&options, out).map(done),
        Command::Standings(options) => show::run(&options, out).map(done),
        Command::Report(options) => report::run(&options, out).map(done),
        Command::Export(options) => files::export(&options, out).map(done),
        Command::Import(options) => files::import(&options, out).map(done),
        Command::Spar(options) => spar::run(&options, out),
        Command::Mock(options) => mock::run(&options, out).map(done),
    }
}
