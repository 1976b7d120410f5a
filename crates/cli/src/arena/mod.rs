//! `plyhouse arena`.

mod advice;
mod agents;
mod archives;
mod away;
mod check;
mod class_path;
mod confined;
mod enter;
mod escaping;
mod files;
mod interruption;
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

use self::escaping::EscapingWriter;
use crate::deferred::Deferred;
use crate::options::StoreParser;

pub(crate) use away::AwayGames;

/// Run tournaments between programs: enter, play, rank
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

/// The store of tournaments.
#[derive(Args)]
struct StoreOption {
    /// Store: a file, or a PostgreSQL database such as `postgres://user@host:port/database`
    #[arg(long = "store", value_name = "FILE|URL", default_value = "arena.sqlite", value_parser = StoreParser)]
    location: Location,
}

/// The choice of a tournament in a store.
#[derive(Args)]
struct TournamentOption {
    #[command(flatten)]
    store: StoreOption,
    /// Number of the tournament; defaults to the latest one, for `resume` to the only unfinished one
    #[arg(short, long, value_name = "N")]
    tournament: Option<i64>,
}

impl TournamentOption {
    /// Opens an existing store and reads the tournament.
    fn open(&self) -> anyhow::Result<(Store, arena::Tournament)> {
        let store = Store::existing(&self.store.location)?;
        let tournament = store.tournament(self.tournament)?;
        if tournament.is_changed {
            let _ = writeln!(EscapingWriter::new(stderr()), "WARNING: {}", changed_header(&tournament));
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
    let success = |()| ExitCode::SUCCESS;
    // Agents control their names, their standard error and parts of fault messages, so these are escaped.
    let mut escaped = EscapingWriter::new(&mut *out);
    let out: &mut dyn Write = match command {
        Command::Mock(_) | Command::Export(_) => out,
        _ => &mut escaped,
    };
    match command {
        Command::Doctor(options) => confined::doctor(&options, out),
        Command::Check(options) => check::run(&options, out),
        Command::Enter(options) => enter::run(&options, out),
        Command::Run(options) => play::run(&options, out),
        Command::Resume(options) => play::resume(&options, out),
        Command::List(options) => list::run(&options, out).map(success),
        Command::Standings(options) => show::run(&options, out).map(success),
        Command::Watch(options) => watch::run(&options, out).map(success),
        Command::Verify(options) => verify::run(&options, out),
        Command::Recover(options) => recover::run(&options, out).map(success),
        Command::Report(options) => report::run(&options, out).map(success),
        Command::Export(options) => files::export(&options, out).map(success),
        Command::Import(options) => files::import(&options, out).map(success),
        Command::Spar(options) => spar::run(&options, out),
        Command::Store(options) => store::run(&options, out).map(success),
        Command::Mock(options) => mock::run(&options, out).map(success),
    }
}

/// Returns the warning about a tournament whose header was changed.
fn changed_header(tournament: &arena::Tournament) -> String {
    format!(
        "tournament {}: its header was changed after the start: names of agents and other settings may be false",
        tournament.id
    )
}

/// Reports damaged games, which are skipped, on standard error.
fn note_damaged(damaged: &[Damaged]) {
    let mut out = EscapingWriter::new(stderr());
    for game in damaged {
        let _ = writeln!(out, "{game}");
    }
    if !damaged.is_empty() {
        let _ =
            writeln!(out, "run `arena verify` for details, or `arena resume --replay-damaged` to replay these games");
    }
}

/// Prints the head of the chain of hashes. A copy outside the store proves later that no game was changed.
fn print_head(store: &Store, tournament: &arena::Tournament, out: &mut dyn Write) -> anyhow::Result<()> {
    // The stored head belongs to the unmodified header.
    if tournament.is_changed {
        return Ok(());
    }
    if let Some(head) = store.head(tournament.id)? {
        writeln!(out, "\nhead {head}")?;
    }
    Ok(())
}
