//! `plyhouse arena enter`.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};
use arena::{AgentSpec, Format, OnFault, Words};
use clap::Args;

use super::{agents, check};

/// Take a folder of submissions, one folder each; build and check each, say who is in, and write the tournament
#[derive(Args)]
pub(super) struct Options {
    /// The folder; a submission's folder has an `agent.toml`, or is as the options say
    directory: PathBuf,
    #[command(flatten)]
    what: check::What,
    /// The dialect of a submission that does not name one
    #[arg(long)]
    dialect: Option<String>,
    /// The command of a submission that does not name one, such as `./agent`; it runs in the submission's folder
    #[arg(long)]
    command: Option<String>,
    /// What builds a submission that does not say it, such as `make`
    #[arg(long)]
    build: Option<String>,
    /// How long a build may take, in seconds
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
    let (mut spec, mut left_out) = (options.what.spec(options.dialect.as_deref()), 0);
    spec.format = Format::RoundRobin;
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
        if agent.dialect.as_deref() == Some("nus") && spec.size.is_none() {
            spec.size = Some(6);
            spec.after_fault = OnFault::Random;
        }
        let mut is_in = match spec.new_game(0).and_then(|_| spec.player(&agent)) {
            Ok(_) => true,
            Err(why) => {
                writeln!(out, "    FAILED  {why}")?;
                false
            }
        };
        if is_in {
            check::steps(&spec, &agent, &mut |step| {
                is_in &= step.is_good();
                writeln!(out, "    {}", step.to_string().replace('\n', "\n    "))?;
                Ok(out.flush()?)
            })?;
        }
        writeln!(out, "    {}", if is_in { "in" } else { "out" })?;
        if is_in {
            // It has been built.
            agent.build = None;
            if spec.agents.iter().any(|other| other.name == agent.name) {
                agent.name = format!("{} ({name})", agent.name);
            }
            spec.agents.push(agent);
        } else {
            left_out += 1;
        }
    }
    writeln!(out, "{} in, {left_out} out", spec.agents.len())?;
    if let Some(path) = &options.out {
        std::fs::write(path, spec.to_toml()?).with_context(|| format!("file {}", path.display()))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(if left_out == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
