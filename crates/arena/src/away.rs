//! Plays games on worker machines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use process::interrupt;
use process::sandbox::is_of_system;
use referee::FaultKind;
use serde::{Deserialize, Serialize};

use crate::agent_spec::{AgentSpec, Words};
use crate::bundle::{Bundle, BundleCache};
use crate::live::Showcase;
use crate::log::GameLog;
use crate::machine::{describe, hash_of, named, system};
use crate::planned::Planned;
use crate::play::{Cores, GameRunner};
use crate::players::Venue;
use crate::spec::Spec;
use crate::store::Tournament;

/// Fetches the bytes of a bundle by its hash; `None` if it does not exist.
pub type Fetch<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, String>;

/// The description of a tournament for workers on other machines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// Number of the tournament in the store, or a negative number that identifies a course.
    pub tournament: i64,
    /// Specification. Agents' folders are paths of the machine that hands out the games.
    pub spec: Spec,
    /// Files of each agent, in the order of the specification.
    #[serde(rename = "luggage")]
    pub files: Vec<AgentFiles>,
    /// Kind of system that the agents' programs need, such as `linux x86_64`.
    pub system: String,
    /// Set if our engines use endgame tables.
    pub endgames: bool,
}

/// The files that an agent needs on another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFiles {
    /// Hash of the bundle with the agent's files; `None` for our engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// Words of the command that name files outside the agent's folder, each with the file's SHA-256. A system file has
    /// no hash: it must exist, but its version may differ between machines.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outside: BTreeMap<String, Option<String>>,
}

impl Terms {
    /// Creates the terms of a tournament, and passes each bundle to `send` once.
    ///
    /// # Errors
    /// If the tournament needs something that workers do not support; the text names it.
    pub fn new(
        tournament: &Tournament,
        venue: &Venue,
        mut send: impl FnMut(&Bundle) -> Result<(), String>,
    ) -> Result<Self, String> {
        let spec = tournament.spec.clone();
        if let Some(folder) = &spec.log {
            return Err(format!(
                "log: {} found, expected none: transcripts would stay on the workers' machines",
                folder.display()
            ));
        }
        let mut known: BTreeMap<PathBuf, String> = BTreeMap::new();
        let mut files = Vec::new();
        for agent in &spec.agents {
            let packed = pack(agent, &mut known, &mut send);
            files.push(packed.map_err(|why| format!("agent `{}`: {why}", agent.name))?);
        }
        let endgames = venue.resources.has_endgames();
        Ok(Self { tournament: tournament.id, spec, files, system: system(), endgames })
    }

    /// Creates the terms of games for this kind of system. The agents' bundles must already be in the caller's store.
    /// `files` has an item for each agent of the specification. `number` identifies the games in a [`Showcase`].
    pub fn of_bundles(number: i64, spec: Spec, files: Vec<AgentFiles>, endgames: bool) -> Self {
        Self { tournament: number, spec, files, system: system(), endgames }
    }

    /// Checks that this machine can run the agents' programs.
    ///
    /// # Errors
    /// If it is another kind of system.
    pub fn check_system(&self) -> Result<(), String> {
        let has_programs = self.spec.agents.iter().any(|agent| agent.command.is_some());
        if has_programs && self.system != system() {
            return Err(format!(
                "this machine is {}, expected {}, for which the agents were built",
                system(),
                self.system
            ));
        }
        Ok(())
    }

    /// Unpacks the files of these agents, and returns the specification with the paths of this machine. `fetch` gets a
    /// bundle that is not in the cache.
    ///
    /// # Errors
    /// If this machine lacks something that an agent needs; the text names it.
    fn localised(&self, agents: [usize; 2], cache: &BundleCache, fetch: Fetch<'_>) -> Result<Spec, String> {
        let mut spec = self.spec.clone();
        for number in agents {
            let (Some(agent), Some(files)) = (spec.agents.get_mut(number), self.files.get(number)) else {
                return Err(format!("agent {number}: the tournament has no such agent"));
            };
            let unpacked = unpack(agent, files, cache, fetch);
            unpacked.map_err(|why| format!("agent `{}`: {why}", agent.name))?;
        }
        Ok(spec)
    }
}

/// Packs the files of an agent, and passes the bundle to `send` unless its folder is already in `known`.
fn pack(
    agent: &AgentSpec,
    known: &mut BTreeMap<PathBuf, String>,
    send: &mut dyn FnMut(&Bundle) -> Result<(), String>,
) -> Result<AgentFiles, String> {
    let Some(command) = &agent.command else { return Ok(AgentFiles::default()) };
    let folder = agent.directory.clone().unwrap_or_else(|| ".".into());
    let mut needs_folder = folder.join("agent.toml").exists();
    let mut outside = BTreeMap::new();
    for word in command.words() {
        let Some(file) = named(&folder, &word) else { continue };
        if is_inside(&file, &folder) {
            needs_folder = true;
        } else {
            let hash = if is_of_system(&file) {
                None
            } else {
                Some(hash_of(&file).map_err(|error| format!("{}: {error}", file.display()))?)
            };
            outside.insert(word, hash);
        }
    }
    // Agents may share a folder.
    if let Some(bundle) = known.get(&folder).filter(|_| needs_folder && agent.writes.is_empty()) {
        return Ok(AgentFiles { bundle: Some(bundle.clone()), outside });
    }
    let bundle = if needs_folder {
        Bundle::pack(&folder, &agent.writes).map_err(|error| error.to_string())?
    } else {
        Bundle::empty()
    };
    send(&bundle)?;
    if needs_folder {
        known.insert(folder, bundle.hash.clone());
    }
    Ok(AgentFiles { bundle: Some(bundle.hash), outside })
}

/// Returns `true` if a file is inside a folder, by its literal path or after links are resolved.
fn is_inside(file: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    file.starts_with(folder) || real(file).starts_with(real(folder))
}

/// Unpacks the files of an agent, and changes its folder and its command to the paths of this machine.
fn unpack(agent: &mut AgentSpec, files: &AgentFiles, cache: &BundleCache, fetch: Fetch<'_>) -> Result<(), String> {
    let (Some(command), Some(bundle)) = (&agent.command, &files.bundle) else { return Ok(()) };
    let folder = cache.get(bundle, || fetch(bundle)).map_err(|error| error.to_string())?;
    for (word, hash) in &files.outside {
        let file = named(&folder, word).ok_or_else(|| format!("`{word}`: this machine has no such file"))?;
        if let Some(hash) = hash
            && cache.hash_of(&file).map_err(|error| error.to_string())? != *hash
        {
            return Err(format!(
                "`{word}`: the file {} differs from the one on the machine that hands out the games",
                file.display()
            ));
        }
    }
    if let Some(old) = &agent.directory {
        let moved = |word: String| match Path::new(&word).strip_prefix(old) {
            Ok(rest) if !files.outside.contains_key(&word) => folder.join(rest).to_string_lossy().into_owned(),
            _ => word,
        };
        agent.command = Some(Words::List(command.words().into_iter().map(moved).collect()));
    }
    agent.directory = Some(folder);
    Ok(())
}

/// The environment of a game that a worker plays.
pub struct Away<'a> {
    /// Tournament.
    pub terms: &'a Terms,
    /// Data for our engines, and the sandbox of agents, on this machine.
    pub venue: &'a Venue,
    /// Cache of the agents' files.
    pub cache: &'a BundleCache,
    /// Processor cores of both sides, if the tournament sets an affinity.
    pub cores: Option<&'a Cores>,
    /// Start time of the game, in UTC by the server's clock.
    pub at: String,
    /// Set if a failed start counts as the agent's fault, because the agent did not start on other machines either.
    pub blames_start: bool,
    /// Live view of the games in play.
    pub showcase: &'a Showcase,
}

/// Plays a game that another program handed out.
///
/// # Errors
/// If this machine cannot play the game; the text gives the reason. This is not a fault of an agent.
pub fn play_away(away: Away<'_>, planned: Planned, fetch: Fetch<'_>) -> Result<GameLog, String> {
    play_until(away, planned, fetch, &AtomicBool::new(false))?.ok_or_else(|| "the game was stopped".to_owned())
}

/// Plays a game like [`play_away`], but can be cancelled: once `stop` is set, the game ends after its next move, and
/// the result is `None`.
///
/// # Errors
/// If this machine cannot play the game; the text gives the reason. This is not a fault of an agent.
pub fn play_until(
    away: Away<'_>,
    planned: Planned,
    fetch: Fetch<'_>,
    stop: &AtomicBool,
) -> Result<Option<GameLog>, String> {
    let Away { terms, venue, cache, cores, at, blames_start, showcase } = away;
    terms.check_system()?;
    let spec = terms.localised(planned.agents, cache, fetch)?.scaled(venue.speed);
    let is_stopped = &|| stop.load(Ordering::Relaxed);
    let runner = GameRunner { spec: &spec, venue, tournament: terms.tournament, is_stopped, showcase };
    let names = planned.agents.map(|agent| spec.agents[agent].name.clone());
    let Some(finished) = runner.play(planned, cores)? else { return Ok(None) };
    // An interrupt kills agents during their games. These games are discarded, so no agent is charged with a loss.
    interrupt::wait_if_ending();
    let failed = finished.played.offences.iter().find(|offence| offence.fault.kind == FaultKind::NoStart);
    if let Some(offence) = failed.filter(|_| !blames_start) {
        return Err(format!("agent `{}`: {}", names[offence.side.index()], offence.fault));
    }
    Ok(Some(finished.log(at, &describe(spec.pace(venue.speed)))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_unpacked_and_its_command_names_the_new_paths() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("agent");
        std::fs::create_dir(&folder).expect("a folder");
        std::fs::write(folder.join("play.py"), "print()").expect("a file");
        let elsewhere = home.path().join("data");
        std::fs::write(&elsewhere, "weights").expect("a file");
        let absolute = folder.join("play.py").to_string_lossy().into_owned();
        let words = vec!["sh".to_owned(), "play.py".to_owned(), absolute, elsewhere.to_string_lossy().into_owned()];
        let command = Some(Words::List(words.clone()));
        let mut agent = AgentSpec { command, directory: Some(folder.clone()), ..AgentSpec::default() };
        let mut sent = Vec::new();
        let mut send = |bundle: &Bundle| {
            sent.push(bundle.clone());
            Ok(())
        };
        let mut known = BTreeMap::new();
        let files = pack(&agent, &mut known, &mut send).expect("packed");
        assert_eq!(pack(&agent, &mut known, &mut send).expect("packed"), files);
        let [bundle] = sent.as_slice() else { panic!("expected one bundle: {sent:?}") };
        assert_eq!(files.outside.keys().collect::<Vec<_>>(), [&words[3], "sh"]);
        assert_eq!((files.outside["sh"].as_ref(), files.outside[&words[3]].is_some()), (None, true));

        let cache = BundleCache::new(home.path().join("cache"));
        let fetch = |_: &str| Ok(Some(bundle.bytes.clone()));
        let before = agent.clone();
        unpack(&mut agent, &files, &cache, &fetch).expect("unpacked");
        let there = agent.directory.clone().expect("a folder");
        let moved = there.join("play.py").to_string_lossy().into_owned();
        let expected = vec!["sh".to_owned(), "play.py".to_owned(), moved, words[3].clone()];
        assert_eq!(agent.command, Some(Words::List(expected)));
        assert!(there.join("play.py").is_file());

        std::fs::write(&elsewhere, "other weights").expect("a file");
        let cache = BundleCache::new(home.path().join("cache"));
        let error = unpack(&mut before.clone(), &files, &cache, &fetch).expect_err("changed");
        assert!(error.contains("differs from the one on the machine"), "{error}");
        std::fs::remove_file(&elsewhere).expect("removed");
        let error = unpack(&mut before.clone(), &files, &cache, &fetch).expect_err("gone");
        assert!(error.contains("this machine has no such file"), "{error}");
    }
}
