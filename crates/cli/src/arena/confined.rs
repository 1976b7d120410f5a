//! Sandboxes of agents: `--sandbox`, and `plyhouse arena doctor`.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use arena::{AgentSpec, Spec, Venue, Words};
use clap::Args;
use engine::Resources;
use process::Command;
use process::sandbox::{self, Access, Confinement, Finding, Tier};

/// The choice of a sandbox.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct SandboxOption {
    /// Sandbox of agents that are programs: bwrap, landlock or none; defaults to the best that this machine supports
    #[arg(long, value_name = "KIND")]
    pub(super) sandbox: Option<Tier>,
}

/// Returns the venue of a tournament, and sets the tournament's sandbox to the one in use. Agents cannot see the files
/// `hidden`.
///
/// # Errors
/// Returns an error if the chosen sandbox is not available, or if there are submissions, no sandbox is available, and
/// `none` was not chosen.
pub(super) fn venue(spec: &mut Spec, resources: Resources, hidden: Vec<PathBuf>) -> anyhow::Result<Venue> {
    let mut programs = spec.agents.iter().filter(|agent| agent.command.is_some()).peekable();
    if programs.peek().is_none() {
        return Ok(Venue { resources, ..Venue::default() });
    }
    let launcher = launcher()?;
    let tier = match spec.sandbox {
        Some(tier) => {
            let Finding { result, .. } = sandbox::try_tier(tier, &launcher);
            result.map_err(|why| anyhow::anyhow!("sandbox {tier}: {why}"))?;
            tier
        }
        None => sandbox::best(&launcher),
    };
    if tier == Tier::None && spec.sandbox.is_none() {
        if let Some(agent) = programs.find(|agent| agent.submitted) {
            bail!(
                "agent `{}` is a submission, and this machine has no sandbox: see `plyhouse arena doctor`, or use \
                 `--sandbox none` to run it with your permissions",
                agent.name
            );
        }
        warn("agents run with your permissions, because this machine has no sandbox: see `plyhouse arena doctor`");
    }
    if tier == Tier::None && spec.sandbox.is_some() && programs.any(|agent| agent.submitted) {
        warn("submissions play without a sandbox and with your permissions, because `none` was chosen");
    }
    spec.sandbox = Some(tier);
    if tier != Tier::None {
        warn_about_shared_folders(&spec.agents);
    }
    let (limits, readable) = (spec.limits, spec.readable.clone());
    let hidden = hidden.into_iter().chain(spec.log.clone()).collect();
    let concealed = own_programs(&launcher);
    let confinement = Confinement { tier, limits, readable, hidden, concealed, launcher };
    warn_about_substitutes(&spec.agents, &confinement);
    let confinement = Some(confinement);
    Ok(Venue { resources, confinement, speed: None })
}

/// Returns the venue in which a single agent is built, checked or practises.
///
/// # Errors
/// See [`venue`].
pub(super) fn for_one(spec: &Spec, agent: &AgentSpec, option: SandboxOption) -> anyhow::Result<Venue> {
    let mut spec = Spec { agents: vec![agent.clone()], ..spec.clone() };
    spec.sandbox = option.sandbox.or(spec.sandbox);
    venue(&mut spec, Resources::default(), Vec::new())
}

/// Returns the path of this program, which also supervises sandboxes.
fn launcher() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("the path of this program, which sandboxes need")
}

/// Names of the programs of Plyhouse.
const PROGRAMS: [&str; 5] = ["plyhouse", "loa", "loa6", "checkers", "jump61"];

/// Finds the programs of Plyhouse, which submissions must not use as their engine: this one, those beside it, those in
/// the folders of `PATH`, and those in the usual installation folders.
fn own_programs(launcher: &Path) -> Vec<PathBuf> {
    let search = std::env::var_os("PATH").unwrap_or_default();
    let usual = ["/usr/bin", "/usr/local/bin", "/usr/games", "/usr/local/games", "/opt/bin", "/opt/plyhouse/bin"];
    let folders = std::env::split_paths(&search).chain(usual.map(PathBuf::from));
    let folders = folders.chain(launcher.parent().map(Path::to_owned));
    let found = folders.flat_map(|folder| PROGRAMS.map(|name| folder.join(name))).chain([launcher.to_owned()]);
    let found = found.filter_map(|path| path.canonicalize().ok()).filter(|path| path.is_file());
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Warns if an agent can read the files of another one.
fn warn_about_shared_folders(agents: &[AgentSpec]) {
    let folder = |agent: &AgentSpec| agent.directory.as_deref().unwrap_or(Path::new(".")).canonicalize().ok();
    let programs: Vec<(&str, PathBuf)> = agents
        .iter()
        .filter(|agent| agent.command.is_some())
        .filter_map(|agent| Some((agent.name.as_str(), folder(agent)?)))
        .collect();
    let readers = programs.iter().enumerate().find_map(|(at, (name, folder))| {
        let other = programs.iter().enumerate().find(|(other, (_, within))| *other != at && within.starts_with(folder));
        other.map(|(_, (other, _))| (*name, *other, folder))
    });
    if let Some((name, other, folder)) = readers {
        let folder = folder.display();
        warn(&format!("`{name}` can read the files of `{other}`, because its folder {folder} holds them"));
    }
}

/// Warns if a sandbox hides the program that an agent's command would start without the sandbox.
fn warn_about_substitutes(agents: &[AgentSpec], confinement: &Confinement) {
    for agent in agents {
        let Some(words) = agent.command.as_ref().map(Words::words) else { continue };
        let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
        // An invalid folder is reported when the agent starts.
        let Ok(sandbox) = confinement.sandbox(folder, Access::Read) else { continue };
        let word = words.first().cloned().unwrap_or_default();
        if let Some([taken, usual]) = sandbox.substitute(&Command { words, directory: agent.directory.clone() }) {
            warn(&format!(
                "agent `{}`: `{word}` starts {}, because the sandbox hides {}; to use the hidden program, name its \
                 folder in `readable`, or play with `--sandbox none`",
                agent.name,
                taken.display(),
                usual.display()
            ));
        }
    }
}

/// Prints a warning on standard error.
pub(super) fn warn(text: &str) {
    // A closed standard error is not an error of the command.
    let _ = writeln!(std::io::stderr(), "plyhouse: warning: {}", game::text::printable(text));
}

/// Show which sandboxes this machine supports, what each prevents, and what to install
#[derive(Args)]
pub(super) struct DoctorOptions {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn doctor(options: &DoctorOptions, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let launcher = launcher()?;
    let findings = Tier::ALL.map(|tier| sandbox::try_tier(tier, &launcher));
    let best = findings.iter().find(|finding| finding.result.is_ok()).map(|finding| finding.tier);
    if options.json {
        let tiers: Vec<_> = findings
            .iter()
            .map(|Finding { tier, result }| {
                serde_json::json!({
                    "sandbox": tier.name(),
                    "works": result.is_ok(),
                    "seconds": result.as_ref().ok().map(std::time::Duration::as_secs_f64),
                    "why_not": result.as_ref().err(),
                    "keeps_out": tier.promise(),
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::json!({ "best": best.map(Tier::name), "sandboxes": tiers }))?;
    } else {
        for Finding { tier, result } in &findings {
            match result {
                Ok(time) => {
                    writeln!(out, "{tier:<9} works: {:.0} ms to start and end a program", time.as_secs_f64() * 1e3)?;
                }
                Err(why) => writeln!(out, "{tier:<9} not available: {why}")?,
            }
            writeln!(out, "{:9} {}", "", tier.promise())?;
        }
        let bounds = sandbox::exact_bounds();
        let bounds = if bounds.is_empty() {
            "none; limits are checked twenty times a second".to_owned()
        } else {
            bounds.join(", ")
        };
        writeln!(out, "\nLimits enforced by the kernel (control groups): {bounds}")?;
        match best {
            Some(Tier::None) | None => writeln!(out, "Agents would run with your permissions.")?,
            Some(tier) => writeln!(out, "Agents play in `{tier}` unless a tournament names another.")?,
        }
    }
    ensure!(best.is_some(), "cannot start any program on this machine");
    Ok(if best == Some(Tier::None) { ExitCode::from(1) } else { ExitCode::SUCCESS })
}
