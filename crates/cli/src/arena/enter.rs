//! `plyhouse arena enter`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::{AgentSpec, Format, Words};
use clap::Args;

use super::{agents, check, confined};

/// Build and check a folder of submissions, one folder each, and write the tournament of those that pass
#[derive(Args)]
pub(super) struct Options {
    /// The folder; each submission's folder has an `agent.toml`, or is described by the options
    directory: PathBuf,
    #[command(flatten)]
    what: check::What,
    /// The dialect of a submission that does not name one
    #[arg(long)]
    dialect: Option<String>,
    /// The command of a submission that does not name one, such as `./agent`. It runs in the submission's folder
    #[arg(long)]
    command: Option<String>,
    /// The build command of a submission that does not name one, such as `make`
    #[arg(long)]
    build: Option<String>,
    /// Time limit for a build, in seconds
    #[arg(long, value_name = "SECONDS")]
    build_time: Option<u32>,
    /// Write the tournament to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let usual = AgentSpec {
        dialect: options.dialect.clone(),
        command: options.command.clone().map(Words::Text),
        build: options.build.clone(),
        build_time: options.build_time,
        ..AgentSpec::default()
    };
    let folders = agents::folders(&options.directory)?;
    ensure!(!folders.is_empty(), "folder {}: no folders of submissions in it", options.directory.display());
    let (mut draft, mut left_out) = (options.what.draft(options.dialect.as_deref()), 0);
    draft.spec.format = Format::RoundRobin;
    draft.spec.sandbox = options.what.sandbox.sandbox;
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        writeln!(out, "{name}")?;
        let mut agent = match agents::in_folder(&folder, &usual) {
            Ok(agent) => agent,
            Err(error) => {
                writeln!(out, "    out     {error:#}")?;
                left_out += 1;
                continue;
            }
        };
        draft.adopt(agent.dialect.as_deref().unwrap_or_default());
        let spec = &mut draft.spec;
        agent.submitted = true;
        let venue = confined::for_one(spec, &agent, options.what.sandbox)?;
        let mut is_in = match spec.new_game(0).and_then(|_| spec.player(&agent, &venue)) {
            Ok(_) => true,
            Err(why) => {
                writeln!(out, "    FAILED  {why}")?;
                false
            }
        };
        if is_in {
            check::all(&check::Subject { spec, agent: &agent, venue: &venue }, &mut |check| {
                is_in &= check.is_good();
                writeln!(out, "    {}", check.to_string().replace('\n', "\n    "))?;
                Ok(out.flush()?)
            })?;
        }
        writeln!(out, "    {}", if is_in { "in" } else { "out" })?;
        if is_in {
            // The build is done.
            agent.build = None;
            if spec.agents.iter().any(|other| other.name == agent.name) {
                agent.name = format!("{} ({name})", agent.name);
            }
            spec.agents.push(agent);
        } else {
            left_out += 1;
        }
    }
    let spec = draft.spec;
    writeln!(out, "{} in, {left_out} out", spec.agents.len())?;
    if let Some(path) = &options.out {
        std::fs::write(path, spec.to_toml()?).with_context(|| format!("file {}", path.display()))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(if left_out == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
