//! `plyhouse arena`.

mod advice;
mod agents;
mod archives;
mod away;
mod check;
mod class_path;
mod confined;
mod enter;
mod farewell;
mod files;
pub(crate) mod foreign;
mod list;
mod mock;
mod notices;
mod play;
mod program;
mod recover;
mod report;
mod rounds;
mod show;
mod spar;
mod store;
mod submission;
mod verify;
mod watch;

use std::io::{Write, stderr};
use std::process::ExitCode;

use arena::{Damaged, Location, Store};
use clap::{Args, Subcommand};
use process::interrupt;

use crate::deferred::Deferred;
use crate::options::StoreParser;

pub(crate) use away::AwayGames;

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
    Watch(watch::Options),
    Verify(verify::Options),
    Recover(recover::Options),
    Report(report::Options),
    Export(files::ExportOptions),
    Import(files::ImportOptions),
    Spar(spar::Options),
    Store(store::Options),
    Mock(mock::Options),
}

/// Where the tournaments are.
#[derive(Args)]
struct StoreOption {
    /// The tournaments: a file, or a PostgreSQL database as `postgres://user@host:port/database`
    #[arg(long = "store", value_name = "FILE|URL", default_value = "arena.sqlite", value_parser = StoreParser)]
    location: Location,
}

/// The store and the tournament in it.
#[derive(Args)]
struct Where {
    #[command(flatten)]
    store: StoreOption,
    /// The number of the tournament; by default the latest, for `resume` the only unfinished one
    #[arg(short, long, value_name = "N")]
    tournament: Option<i64>,
}

impl Where {
    /// Opens an existing store and finds the tournament.
    fn open(&self) -> anyhow::Result<(Store, arena::Tournament)> {
        let store = Store::existing(&self.store.location)?;
        let tournament = store.tournament(self.tournament)?;
        if tournament.is_changed {
            let _ = writeln!(foreign::Printable::new(stderr()), "WARNING: {}", changed(&tournament));
        }
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
    // Agents' names, faults and standard error must not reach a terminal as they are.
    let mut printable = foreign::Printable::new(&mut *out);
    let out: &mut dyn Write = match command {
        Command::Mock(_) | Command::Export(_) => out,
        _ => &mut printable,
    };
    match command {
        Command::Doctor(options) => confined::doctor(&options, out),
        Command::Check(options) => check::run(&options, out),
        Command::Enter(options) => enter::run(&options, out),
        Command::Run(options) => play::run(&options, out),
        Command::Resume(options) => play::resume(&options, out),
        Command::List(options) => list::run(&options, out).map(done),
        Command::Standings(options) => show::run(&options, out).map(done),
        Command::Watch(options) => watch::run(&options, out).map(done),
        Command::Verify(options) => verify::run(&options, out),
        Command::Recover(options) => recover::run(&options, out).map(done),
        Command::Report(options) => report::run(&options, out).map(done),
        Command::Export(options) => files::export(&options, out).map(done),
        Command::Import(options) => files::import(&options, out).map(done),
        Command::Spar(options) => spar::run(&options, out),
        Command::Store(options) => store::run(&options, out).map(done),
        Command::Mock(options) => mock::run(&options, out).map(done),
    }
}

/// What a changed header means.
fn changed(tournament: &arena::Tournament) -> String {
    format!(
        "tournament {}: its header was changed after it began: the names of its agents, or other things in it, may be \
         false",
        tournament.id
    )
}

/// Names the games that were left aside.
fn note_damaged(damaged: &[Damaged]) {
    let mut out = foreign::Printable::new(stderr());
    for game in damaged {
        let _ = writeln!(out, "{game}");
    }
    if !damaged.is_empty() {
        let _ = writeln!(out, "`arena verify` says more; `arena resume --replay-damaged` plays them again");
    }
}

/// Prints the hash that proves later that no game was changed, if it is written down outside of the store.
fn print_head(store: &Store, tournament: &arena::Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    // A head would be the one of the true tournament.
    if tournament.is_changed {
        return Ok(());
    }
    if let Some(head) = store.head(tournament.id)? {
        writeln!(out, "\nhead {head}")?;
    }
    Ok(())
}
