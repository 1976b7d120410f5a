//! `plyhouse course`: runs the competition of a course.

mod actions;
mod backup;
mod file;
mod links;
mod new;
mod reports;
mod serve;
mod status;
mod text;

use std::io::Write;

use clap::{Args, Subcommand};
use process::system::{check_tournaments, keep_all_private};

use crate::deferred::Deferred;
use file::CourseFile;

/// Run a course: students submit agents on a page, which are checked and play a ladder and a final
///
/// A course is a file of settings, such as `cs3243.toml`, and a database beside it, `cs3243.sqlite`. Commands other
/// than `serve` and `restore` work while a server runs the course, and without one.
#[derive(Args)]
pub(crate) struct Options {
    #[command(subcommand)]
    command: Deferred<Command>,
}

#[derive(Subcommand)]
enum Command {
    New(new::Options),
    Serve(serve::Options),
    Links(links::Options),
    Status(status::Options),
    AcceptLate(actions::UploadOptions),
    /// Check a refused upload again, for example after a change of the machine
    CheckAgain(actions::UploadOptions),
    Extend(actions::ExtendOptions),
    Freeze(actions::FreezeOptions),
    /// Withdraw a team: it plays no longer, and its games do not count
    Withdraw(actions::ReasonOptions),
    /// Let a withdrawn or disqualified team take part again, with all its games
    Reinstate(actions::TeamOptions),
    /// Disqualify a team: it plays no longer, and its games do not count
    Disqualify(actions::ReasonOptions),
    Rerun(actions::RerunOptions),
    Announce(actions::AnnounceOptions),
    /// End the time for uploads now instead of at the deadline
    Close(CourseFile),
    /// Start the final, or start it again after a failure
    Final(CourseFile),
    /// Publish the results of the final
    Publish(CourseFile),
    Grades(reports::GradesOptions),
    Copies(reports::CopiesOptions),
    Audit(reports::AuditOptions),
    Backup(backup::Options),
    Restore(backup::RestoreOptions),
}

pub(crate) fn run(Options { command: Deferred(command) }: Options, out: &mut dyn Write) -> anyhow::Result<()> {
    check_tournaments()?;
    if !matches!(command, Command::New(_)) {
        // Students may have accounts on this machine, and must not read submissions, links or grades.
        keep_all_private();
    }
    match command {
        Command::New(options) => new::run(&options, out),
        Command::Serve(options) => serve::run(&options, out),
        Command::Links(options) => links::run(&options, out),
        Command::Status(options) => status::run(&options, out),
        Command::AcceptLate(options) => actions::accept_late(&options, out),
        Command::CheckAgain(options) => actions::check_again(&options, out),
        Command::Extend(options) => actions::extend(&options, out),
        Command::Freeze(options) => actions::freeze(&options, out),
        Command::Withdraw(options) => actions::exclude("withdraw", &options, out),
        Command::Reinstate(options) => actions::reinstate(&options, out),
        Command::Disqualify(options) => actions::exclude("disqualify", &options, out),
        Command::Rerun(options) => actions::rerun(&options, out),
        Command::Announce(options) => actions::announce(&options, out),
        Command::Close(file) => actions::plain(&file, "close", "the time for uploads is over", out),
        Command::Final(file) => {
            actions::plain(&file, "startFinal", "the final begins when all uploads are checked", out)
        }
        Command::Publish(file) => actions::plain(&file, "publish", "the results of the final are public", out),
        Command::Grades(options) => reports::grades(&options, out),
        Command::Copies(options) => reports::copies(&options, out),
        Command::Audit(options) => reports::audit(&options, out),
        Command::Backup(options) => backup::run(&options, out),
        Command::Restore(options) => backup::restore(&options, out),
    }
}
