//! `plyhouse arena`.

mod agents;
pub(crate) mod away;
mod check;
mod class_path;
mod confined;
mod enter;
mod escaping;
mod files;
mod head;
mod interruption;
mod list;
mod mock;
mod notices;
mod options;
mod play;
mod recover;
mod report;
mod rounds;
mod show;
mod spar;
mod store;
mod verify;
mod watch;
mod wrap;

use std::io::Write;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use process::interrupt;
use process::system::check_tournaments;

use self::escaping::EscapingWriter;
use crate::deferred::Deferred;

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

pub(crate) fn run(Options { command: Deferred(command) }: Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if matches!(
        command,
        Command::Check(_) | Command::Enter(_) | Command::Run(_) | Command::Resume(_) | Command::Spar(_)
    ) {
        check_tournaments()?;
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
