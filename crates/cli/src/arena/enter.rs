//! `plyhouse arena enter`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::{AgentSpec, Changes, Format, Spec, Venue, Words};
use clap::Args;

use super::subject::Subject;
use super::{agents, archives, check, confined, submission};

/// Build and check submissions, one folder each, and write a tournament file with those that pass
#[derive(Args)]
pub(super) struct Options {
    /// Folder of the submissions' folders, which have an `agent.toml` unless the options describe them
    directory: PathBuf,
    #[command(flatten)]
    game: check::GameOptions,
    /// Dialect of submissions that do not set one
    #[arg(long)]
    dialect: Option<String>,
    /// Command of submissions that do not set one, such as `./agent`; it runs in the submission's folder
    #[arg(long)]
    command: Option<String>,
    /// Build command of submissions that do not set one, such as `make`
    #[arg(long)]
    build: Option<String>,
    /// Maximum duration of a build, in seconds; defaults to 120. A submission may set less
    #[arg(long, value_name = "SECONDS")]
    build_time: Option<u32>,
    /// Tournament file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let defaults = AgentSpec {
        dialect: options.dialect.clone(),
        command: options.command.clone().map(Words::Text),
        build: options.build.clone(),
        build_time: options.build_time,
        ..AgentSpec::default()
    };
    let folders = agents::folders(&options.directory)?;
    let archives = archives::in_folder(&options.directory);
    let any = !folders.is_empty() || !archives.is_empty();
    ensure!(any, "folder {}: no folders found, expected one for each submission", options.directory.display());
    for archives::Archive { name, what, remedy } in &archives {
        writeln!(out, "{name}\n    refused {what}\n            {remedy}")?;
    }
    let (mut draft, mut refused) = (options.game.draft(options.dialect.as_deref()), archives.len());
    draft.spec.format = Format::RoundRobin;
    draft.spec.sandbox = options.game.sandbox.sandbox;
    let submissions: Vec<_> = folders.iter().map(|folder| submission::read(folder, &defaults)).collect();
    let names: Vec<String> = folders.iter().map(|folder| file_name(folder)).collect();
    let chosen = submissions.iter().map(|agent| agent.as_ref().ok().map(|agent| agent.name.as_str()));
    let look_alikes = submission::look_alikes(&names.iter().map(String::as_str).zip(chosen).collect::<Vec<_>>());
    for (((folder, name), agent), look_alike) in folders.iter().zip(&names).zip(submissions).zip(look_alikes) {
        writeln!(out, "{name}")?;
        let agent = agent.and_then(|agent| match look_alike {
            Some(other) => submission::under_folders_name(agent, name, &other, out),
            None => Ok(agent),
        });
        let checked = match agent {
            Ok(mut agent) => {
                agent.submitted = true;
                draft.adopt(agent.dialect.as_deref().unwrap_or_default());
                let venue = confined::for_one(&draft.spec, &agent, options.game.sandbox)?;
                check_submission(folder, agent, &draft.spec, &venue, out)
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

/// Builds and checks a submission. Returns the agent if it passes.
fn check_submission(
    folder: &Path,
    mut agent: AgentSpec,
    spec: &Spec,
    venue: &Venue,
    out: &mut dyn Write,
) -> anyhow::Result<Option<AgentSpec>> {
    spec.new_game(0).and_then(|_| spec.player(&agent, venue)).map_err(anyhow::Error::msg)?;
    let mut is_accepted = true;
    let mut built = if agent.build.is_none() { Some(agents::files(&agent)?) } else { None };
    check::all(&Subject { spec, agent: &agent, venue }, &mut |check| {
        // The build is the first check, so any file that appears afterwards was written by the agent itself.
        if check.is_good() && built.is_none() {
            built = Some(agents::files(&agent)?);
        }
        is_accepted &= check.is_good();
        writeln!(out, "    {}", check.to_string().replace('\n', "\n    "))?;
        Ok(out.flush()?)
    })?;
    if is_accepted {
        // The build and the games may have created files.
        submission::check_files(folder)?;
        let Changes { changed, missing, new } = Changes::between(&built.unwrap_or_default(), &agents::files(&agent)?);
        let lost = [changed, missing].concat();
        ensure!(lost.is_empty(), "it changed its own files during the checks: {}", lost.join(", "));
        agent.writes = new;
        if !agent.writes.is_empty() {
            writeln!(out, "    writes  {}", agent.writes.join(", "))?;
        }
        // The tournament must not build the agent again.
        agent.build = None;
        agent.sha256 = Some(arena::agent_hash(&agent, &agents::files(&agent)?));
    }
    writeln!(out, "    {}", if is_accepted { "accepted" } else { "refused" })?;
    Ok(is_accepted.then_some(agent))
}

fn file_name(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
