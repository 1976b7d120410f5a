//! Games on another machine: what it must know and have, and how it plays one.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use process::interrupt;
use referee::FaultKind;
use serde::{Deserialize, Serialize};

use crate::machine::{describe, hash_of, named, system};
use crate::play::{Cores, Hall};
use crate::{AgentSpec, Bundle, BundleCache, GameLog, Planned, Showcase, Spec, Tournament, Venue, Words};

/// Gets the bytes of a bundle; `None` if there is no such bundle.
pub type Fetch<'a> = &'a dyn Fn(&str) -> Result<Option<Vec<u8>>, String>;

/// What workers on other machines must know of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Terms {
    /// Its number in the store.
    pub tournament: i64,
    /// Its specification. The folders of agents are those of the machine that hands out.
    pub spec: Spec,
    /// What each agent needs, in the order of the specification.
    pub luggage: Vec<Luggage>,
    /// The kind of system that its programs run on, such as `linux x86_64`.
    pub system: String,
    /// Whether our engines have endgame tables.
    pub endgames: bool,
}

/// What an agent needs on another machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Luggage {
    /// The bundle with its files; `None` if it has none, as one of our engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bundle: Option<String>,
    /// Words of its command that name files outside of its folder, each with the file's SHA-256. A file of the system
    /// has none: it must be there, but other machines may have another version.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub outside: BTreeMap<String, Option<String>>,
}

impl Terms {
    /// The terms of a tournament. `send` gets each bundle once, one at a time.
    ///
    /// # Errors
    /// If a tournament needs what workers cannot have; the text says what.
    pub fn new(
        tournament: &Tournament,
        venue: &Venue,
        mut send: impl FnMut(&Bundle) -> Result<(), String>,
    ) -> Result<Self, String> {
        let spec = tournament.spec.clone();
        if let Some(folder) = &spec.log {
            return Err(format!(
                "log: {} found, expected none: workers write down what is said on their own machines only",
                folder.display()
            ));
        }
        let mut known: BTreeMap<PathBuf, String> = BTreeMap::new();
        let mut luggage = Vec::new();
        for agent in &spec.agents {
            let packed = packed(agent, &mut known, &mut send);
            luggage.push(packed.map_err(|why| format!("agent `{}`: {why}", agent.name))?);
        }
        let endgames = venue.resources.has_endgames();
        Ok(Self { tournament: tournament.id, spec, luggage, system: system(), endgames })
    }

    /// Whether this machine can run the tournament's programs.
    ///
    /// # Errors
    /// If not; the text says why.
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

    /// The specification with these agents' files on this machine. `fetch` gets a bundle that is not in the cache.
    ///
    /// # Errors
    /// If something that an agent needs is not here; the text says what.
    fn at_home(&self, agents: [usize; 2], cache: &BundleCache, fetch: Fetch<'_>) -> Result<Spec, String> {
        let mut spec = self.spec.clone();
        for number in agents {
            let (Some(agent), Some(luggage)) = (spec.agents.get_mut(number), self.luggage.get(number)) else {
                return Err(format!("agent {number}: there is none in the tournament"));
            };
            let arrived = unpacked(agent, luggage, cache, fetch);
            arrived.map_err(|why| format!("agent `{}`: {why}", agent.name))?;
        }
        Ok(spec)
    }
}

/// Packs the files of an agent.
fn packed(
    agent: &AgentSpec,
    known: &mut BTreeMap<PathBuf, String>,
    send: &mut dyn FnMut(&Bundle) -> Result<(), String>,
) -> Result<Luggage, String> {
    let Some(command) = &agent.command else { return Ok(Luggage::default()) };
    let folder = agent.directory.clone().unwrap_or_else(|| ".".into());
    let mut needs_folder = folder.join("agent.toml").exists();
    let mut outside = BTreeMap::new();
    for word in command.words() {
        let Some(file) = named(&folder, &word) else { continue };
        if within(&file, &folder) {
            needs_folder = true;
        } else {
            let hash = if sandbox::is_of_system(&file) {
                None
            } else {
                Some(hash_of(&file).map_err(|error| format!("{}: {error}", file.display()))?)
            };
            outside.insert(word, hash);
        }
    }
    // Agents may share a folder.
    if let Some(bundle) = known.get(&folder).filter(|_| needs_folder && agent.writes.is_empty()) {
        return Ok(Luggage { bundle: Some(bundle.clone()), outside });
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
    Ok(Luggage { bundle: Some(bundle.hash), outside })
}

/// Whether a file lies in a folder, whatever the ways to it are.
fn within(file: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    file.starts_with(folder) || real(file).starts_with(real(folder))
}

/// Puts the files of an agent where it finds them.
fn unpacked(agent: &mut AgentSpec, luggage: &Luggage, cache: &BundleCache, fetch: Fetch<'_>) -> Result<(), String> {
    let (Some(command), Some(bundle)) = (&agent.command, &luggage.bundle) else { return Ok(()) };
    let folder = cache.get(bundle, || fetch(bundle)).map_err(|error| error.to_string())?;
    for (word, hash) in &luggage.outside {
        let file = named(&folder, word).ok_or_else(|| format!("`{word}`: this machine has no such file"))?;
        if let Some(hash) = hash
            && cache.hash_of(&file).map_err(|error| error.to_string())? != *hash
        {
            return Err(format!("`{word}`: the file {} is another one than where it was packed", file.display()));
        }
    }
    if let Some(old) = &agent.directory {
        let moved = |word: String| match Path::new(&word).strip_prefix(old) {
            Ok(rest) if !luggage.outside.contains_key(&word) => folder.join(rest).to_string_lossy().into_owned(),
            _ => word,
        };
        agent.command = Some(Words::List(command.words().into_iter().map(moved).collect()));
    }
    agent.directory = Some(folder);
    Ok(())
}

/// A game that another machine plays.
pub struct Away<'a> {
    /// The tournament.
    pub terms: &'a Terms,
    /// How agents are confined here.
    pub venue: &'a Venue,
    /// Their files.
    pub cache: &'a BundleCache,
    /// The processor cores of both sides, if the tournament has such.
    pub cores: Option<&'a Cores>,
    /// When the game begins, in UTC by the server's clock.
    pub at: String,
    /// Whether a program that cannot be started is at fault itself, because it could not be started elsewhere either.
    pub blames_start: bool,
    /// Where it is shown while it is played.
    pub showcase: &'a Showcase,
}

/// Plays a game.
///
/// # Errors
/// If this machine cannot play it; the text says why. That is no fault of an agent.
pub fn play_away(away: Away<'_>, planned: Planned, fetch: Fetch<'_>) -> Result<GameLog, String> {
    let Away { terms, venue, cache, cores, at, blames_start, showcase } = away;
    terms.check_system()?;
    let spec = terms.at_home(planned.agents, cache, fetch)?.scaled(venue.speed);
    let stop = AtomicBool::new(false);
    let hall = Hall { spec: &spec, venue, tournament: terms.tournament, stop: &stop, showcase };
    let names = planned.agents.map(|agent| spec.agents[agent].name.clone());
    let finished = hall.play(planned, cores)?.ok_or("the game was stopped")?;
    // An interrupt kills agents in the middle of their games. They lose nothing by that.
    interrupt::wait_if_ending();
    let failed = finished.played.offences.iter().find(|offence| offence.fault.kind == FaultKind::NoStart);
    if let Some(offence) = failed.filter(|_| !blames_start) {
        return Err(format!("agent `{}`: {}", names[offence.side.index()], offence.fault));
    }
    Ok(finished.log(at, &describe(spec.pace(venue.speed))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_files_travel_and_its_command_follows_them() {
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
        let luggage = packed(&agent, &mut known, &mut send).expect("packed");
        assert_eq!(packed(&agent, &mut known, &mut send).expect("packed"), luggage);
        let [bundle] = sent.as_slice() else { panic!("it is sent once: {sent:?}") };
        assert_eq!(luggage.outside.keys().collect::<Vec<_>>(), [&words[3], "sh"]);
        assert_eq!((luggage.outside["sh"].as_ref(), luggage.outside[&words[3]].is_some()), (None, true));

        let cache = BundleCache::new(home.path().join("cache"));
        let fetch = |_: &str| Ok(Some(bundle.bytes.clone()));
        let before = agent.clone();
        unpacked(&mut agent, &luggage, &cache, &fetch).expect("unpacked");
        let there = agent.directory.clone().expect("a folder");
        let moved = there.join("play.py").to_string_lossy().into_owned();
        let expected = vec!["sh".to_owned(), "play.py".to_owned(), moved, words[3].clone()];
        assert_eq!(agent.command, Some(Words::List(expected)));
        assert!(there.join("play.py").is_file());

        std::fs::write(&elsewhere, "other weights").expect("a file");
        let cache = BundleCache::new(home.path().join("cache"));
        let error = unpacked(&mut before.clone(), &luggage, &cache, &fetch).expect_err("changed");
        assert!(error.contains("is another one than where it was packed"), "{error}");
        std::fs::remove_file(&elsewhere).expect("removed");
        let error = unpacked(&mut before.clone(), &luggage, &cache, &fetch).expect_err("gone");
        assert!(error.contains("this machine has no such file"), "{error}");
    }
}
