//! Sandboxes of agents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use engine::Resources;
use process::Command;
use process::sandbox::{self, Access, Confinement, Finding, Tier};

use crate::agent_spec::{AgentSpec, Words};
use crate::entry::error::EntryError;
use crate::players::Venue;
use crate::spec::Spec;

/// Returns the venue of a tournament and warnings for its organiser, and sets the tournament's sandbox to the one in
/// use: the best one that works on this machine, unless the tournament names one. `hidden` lists files that agents
/// cannot see. `launcher` is a program that calls [`process::sandbox::serve_if_asked`] first in `main`, usually this
/// one.
///
/// # Errors
/// If the chosen sandbox is not available, or if there are submissions, no sandbox is available, and the tournament
/// does not name `none`.
pub fn venue(
    spec: &mut Spec,
    resources: Resources,
    hidden: Vec<PathBuf>,
    launcher: &Path,
) -> Result<(Venue, Vec<String>), EntryError> {
    let mut warnings = Vec::new();
    let mut programs = spec.agents.iter().filter(|agent| agent.command.is_some()).peekable();
    if programs.peek().is_none() {
        return Ok((Venue { resources, ..Venue::default() }, warnings));
    }
    let tier = match spec.sandbox {
        Some(tier) => {
            let Finding { result, .. } = sandbox::try_tier(tier, launcher);
            result.map_err(|why| EntryError::Sandbox { tier, why })?;
            tier
        }
        None => sandbox::best(launcher),
    };
    if tier == Tier::None {
        let submission = programs.find(|agent| agent.submitted);
        warnings.extend(match (spec.sandbox, submission) {
            (None, Some(agent)) => return Err(EntryError::Unconfined(agent.name.clone())),
            (None, None) => Some(
                "agents run with your permissions, because this machine has no sandbox: see `plyhouse arena doctor`",
            ),
            (Some(_), Some(_)) => {
                Some("submissions play without a sandbox and with your permissions, because `none` was chosen")
            }
            (Some(_), None) => None,
        }.map(str::to_owned));
    }
    spec.sandbox = Some(tier);
    if tier != Tier::None {
        warnings.extend(shared_folder(&spec.agents));
    }
    let (limits, readable) = (spec.limits, spec.readable.clone());
    let hidden = hidden.into_iter().chain(spec.log.clone()).collect();
    let concealed = own_programs(launcher);
    let confinement = Confinement { tier, limits, readable, hidden, concealed, launcher: launcher.to_owned() };
    warnings.extend(spec.agents.iter().filter_map(|agent| substitute(agent, &confinement)));
    let confinement = Some(confinement);
    Ok((Venue { resources, confinement, speed: None }, warnings))
}

/// Like [`venue`], but for a single agent outside a tournament, to build it, check it or let it practise.
///
/// # Errors
/// See [`venue`].
pub fn venue_of(spec: &Spec, agent: &AgentSpec, launcher: &Path) -> Result<(Venue, Vec<String>), EntryError> {
    let mut spec = Spec { agents: vec![agent.clone()], ..spec.clone() };
    venue(&mut spec, Resources::default(), Vec::new(), launcher)
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

/// Returns a warning if an agent can read the files of another one.
fn shared_folder(agents: &[AgentSpec]) -> Option<String> {
    let folder = |agent: &AgentSpec| agent.directory.as_deref().unwrap_or(Path::new(".")).canonicalize().ok();
    let programs: Vec<(&str, PathBuf)> = agents
        .iter()
        .filter(|agent| agent.command.is_some())
        .filter_map(|agent| Some((agent.name.as_str(), folder(agent)?)))
        .collect();
    let (name, other, folder) = programs.iter().enumerate().find_map(|(at, (name, folder))| {
        let other = programs.iter().enumerate().find(|(other, (_, within))| *other != at && within.starts_with(folder));
        other.map(|(_, (other, _))| (name, other, folder))
    })?;
    Some(format!("`{name}` can read the files of `{other}`, because its folder {} holds them", folder.display()))
}

/// Returns a warning if a sandbox hides the program that an agent's command would start without the sandbox.
fn substitute(agent: &AgentSpec, confinement: &Confinement) -> Option<String> {
    let words = agent.command.as_ref().map(Words::words)?;
    let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
    // An invalid folder is reported when the agent starts.
    let sandbox = confinement.sandbox(folder, Access::Read).ok()?;
    let word = words.first().cloned().unwrap_or_default();
    let [taken, usual] = sandbox.substitute(&Command { words, directory: agent.directory.clone() })?;
    Some(format!(
        "agent `{}`: `{word}` starts {}, because the sandbox hides {}; to use the hidden program, name its folder in \
         `readable`, or play with `--sandbox none`",
        agent.name,
        taken.display(),
        usual.display()
    ))
}
