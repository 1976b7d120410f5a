//! `plyhouse arena enter`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::entry::{self, Subject};
use arena::{AgentSpec, Format};
use clap::Args;

use super::{check, confined};

/// Build and check submissions, one folder each, and write a tournament file with those that pass
#[derive(Args)]
pub(super) struct Options {
    /// Folder that contains a folder for each submission, with an `agent.toml` unless the options describe the
    /// submission
    directory: PathBuf,
    #[command(flatten)]
    game: check::GameOptions,
    #[command(flatten)]
    submission: check::SubmissionOptions,
    /// Tournament file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defaults = options.submission.defaults();
    let folders = entry::folders(&options.directory)?;
    let archives = entry::archives(&options.directory);
    let any = !folders.is_empty() || !archives.is_empty();
    ensure!(any, "folder {}: no folders found, expected one for each submission", options.directory.display());
    for entry::Archive { name, what, remedy } in &archives {
        writeln!(out, "{name}\n    refused {what}\n            {remedy}")?;
    }
    let (mut draft, mut refused) = (options.game.draft(defaults.dialect.as_deref()), archives.len());
    draft.spec.format = Format::RoundRobin;
    draft.spec.sandbox = options.game.sandbox.sandbox;
    let submissions: Vec<_> = folders.iter().map(|folder| entry::read_submission(folder, &defaults)).collect();
    let names: Vec<String> = folders.iter().map(|folder| file_name(folder)).collect();
    let chosen = submissions.iter().map(|agent| agent.as_ref().ok().map(|agent| agent.name.as_str()));
    let look_alikes = entry::look_alikes(&names.iter().map(String::as_str).zip(chosen).collect::<Vec<_>>());
    for (((folder, name), agent), look_alike) in folders.iter().zip(&names).zip(submissions).zip(look_alikes) {
        writeln!(out, "{name}")?;
        let agent = agent.map_err(anyhow::Error::from).and_then(|agent| match look_alike {
            Some(other) => under_folders_name(agent, name, &other, out),
            None => Ok(agent),
        });
        let checked = match agent {
            Ok(agent) => {
                draft.adopt(agent.dialect.as_deref().unwrap_or_default());
                let venue = confined::for_one(&draft.spec, &agent, options.game.sandbox)?;
                check_submission(folder, &Subject { spec: &draft.spec, agent: &agent, venue: &venue }, out)
            }
            Err(error) => Err(error),
        };
        match checked {
            Ok(Some(agent)) => draft.spec.agents.push(agent),
            Ok(None) => refused += 1,
            Err(error) => {
                writeln!(out, "    refused {}", format!("{error:#}").replace('\n', "\n            "))?;
                refused += 1;
            }
        }
    }
    let spec = draft.spec;
    if spec.agents.is_empty() {
        writeln!(out, "no submission was accepted, so no tournament file is written")?;
        return Ok(ExitCode::from(1));
    }
    writeln!(out, "{} accepted, {refused} refused", spec.agents.len())?;
    if let Some(path) = &options.out {
        std::fs::write(path, spec.to_toml()?).with_context(|| format!("file {}", path.display()))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(if refused == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Renames an agent to the name of its folder, because its own name looks like the name of the submission `other`.
///
/// # Errors
/// Returns an error if the folder's name is not a valid name.
fn under_folders_name(agent: AgentSpec, folder: &str, other: &str, out: &mut dyn Write) -> anyhow::Result<AgentSpec> {
    entry::check_folder_name(folder)?;
    writeln!(
        out,
        "    note    name `{}`: it looks like the name of `{other}`, so the agent plays as `{folder}`",
        agent.name
    )?;
    Ok(AgentSpec { name: folder.to_owned(), ..agent })
}

/// Builds and checks a submission. Returns the agent if it passes.
fn check_submission(folder: &Path, subject: &Subject<'_>, out: &mut dyn Write) -> anyhow::Result<Option<AgentSpec>> {
    let mut written = Ok(());
    let accepted = entry::accept(folder, subject, &mut |check| check::print_result(check, "    ", out, &mut written));
    written?;
    let accepted = accepted?;
    if let Some(agent) = accepted.as_ref().filter(|agent| !agent.writes.is_empty()) {
        writeln!(out, "    writes  {}", agent.writes.join(", "))?;
    }
    writeln!(out, "    {}", if accepted.is_some() { "accepted" } else { "refused" })?;
    Ok(accepted)
}

fn file_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
