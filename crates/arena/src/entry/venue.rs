//! Sandboxes of agents.

use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

use engine::Resources;
use process::Command;
use process::sandbox::{self, Access, Confinement, Finding, Tier};

use crate::agent_spec::{AgentSpec, Words};
use crate::entry::error::EntryError;
use crate::players::Venue;
use crate::spec::Spec;

/// A warning about a venue, for the organiser of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Description of what was found, as a clause.
    pub what: String,
    /// Clause with a remedy for organisers who have a tournament file; may be empty.
    pub remedy: &'static str,
}

impl From<String> for Warning {
    fn from(what: String) -> Self {
        Self { what, remedy: "" }
    }
}

/// Writes the remedy, too.
impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if self.remedy.is_empty() { Ok(()) } else { write!(f, "; {}", self.remedy) }
    }
}

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
) -> Result<(Venue, Vec<Warning>), EntryError> {
    let mut warnings = Vec::<Warning>::new();
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
        }.map(|what| Warning::from(what.to_owned())));
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
pub fn venue_of(spec: &Spec, agent: &AgentSpec, launcher: &Path) -> Result<(Venue, Vec<Warning>), EntryError> {
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

/// Returns a warning if an agent can read the files of another one. Submissions with the same folder have the same
/// files, so they learn nothing from each other.
fn shared_folder(agents: &[AgentSpec]) -> Option<Warning> {
    let folder = |agent: &AgentSpec| agent.directory.as_deref().unwrap_or(Path::new(".")).canonicalize().ok();
    let programs: Vec<(&AgentSpec, PathBuf)> = agents
        .iter()
        .filter(|agent| agent.command.is_some())
        .filter_map(|agent| Some((agent, folder(agent)?)))
        .collect();
    let pairs = programs.iter().enumerate().flat_map(|(at, reader)| {
        let others = programs.iter().enumerate().filter(move |(other, _)| *other != at);
        others.map(move |(_, other)| (reader, other))
    });
    let (agent, other, folder) = pairs.into_iter().find_map(|((agent, folder), (other, within))| {
        let is_same = within == folder && agent.submitted && other.submitted;
        (within.starts_with(folder) && !is_same).then_some((&agent.name, &other.name, folder))
    })?;
    let folder = folder.display();
    Some(format!("`{agent}` can read the files of `{other}`, because its folder {folder} holds them").into())
}

/// Returns a warning if a sandbox hides the program that an agent's command would start without the sandbox.
fn substitute(agent: &AgentSpec, confinement: &Confinement) -> Option<Warning> {
    let words = agent.command.as_ref().map(Words::words)?;
    let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
    // An invalid folder is reported when the agent starts.
    let sandbox = confinement.sandbox(folder, Access::Read).ok()?;
    let word = words.first().cloned().unwrap_or_default();
    let [taken, usual] = sandbox.substitute(&Command { words, directory: agent.directory.clone() })?;
    let (name, taken, usual) = (&agent.name, taken.display(), usual.display());
    Some(Warning {
        what: format!("agent `{name}`: `{word}` starts {taken}, because the sandbox hides {usual}"),
        remedy: "to use the hidden program, name its folder in `readable`, or play with `--sandbox none`",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_folder_is_reported_unless_it_holds_one_submission() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("a folder");
        let warned = |folders: [&Path; 2], submitted| {
            let agent = |name: &str, folder: &Path| AgentSpec {
                name: name.to_owned(),
                command: Some(Words::Text("./agent".to_owned())),
                directory: Some(folder.to_owned()),
                submitted,
                ..AgentSpec::default()
            };
            let agents = [agent("Ann", folders[0]), agent("Bob", folders[1])];
            shared_folder(&agents).map(|warning| warning.to_string())
        };
        let same = [folder.path(); 2];
        assert!(warned(same, false).is_some_and(|text| text.starts_with("`Ann` can read the files of `Bob`")));
        assert_eq!(warned(same, true), None, "identical submissions have the same folder");
        let nested = [&*inner, folder.path()];
        assert!(warned(nested, true).is_some_and(|text| text.starts_with("`Bob` can read the files of `Ann`")));
        let usr = Path::new("/usr");
        assert_eq!(warned([&inner, usr], false), None);
    }

    #[test]
    fn only_a_tournament_has_the_remedies_of_its_file() {
        let warning = Warning { what: "found".to_owned(), remedy: "name its folder in `readable`" };
        assert_eq!(warning.to_string(), "found; name its folder in `readable`");
        assert_eq!(Warning::from("found".to_owned()).to_string(), "found");
    }
}
