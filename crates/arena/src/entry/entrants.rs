//! Prepares the agents of a tournament.

use crate::agent_spec::AgentSpec;
use crate::entry::build::build;
use crate::entry::error::{EntryError, at};
use crate::entry::identify::identify;
use crate::machine::{Manifest, agent_hash, manifest};
use crate::players::Venue;
use crate::spec::Spec;
use crate::store::Entrant;

/// Returns the files of an agent with their hashes: all files in its folder if it has an `agent.toml`, otherwise those
/// that its command names.
///
/// # Errors
/// If a file cannot be read.
pub fn files(agent: &AgentSpec) -> Result<Manifest, EntryError> {
    let owns_folder = agent.directory.as_ref().is_some_and(|folder| folder.join("agent.toml").exists());
    manifest(agent, owns_folder).map_err(at(format!("files of agent `{}`", agent.name)))
}

/// Builds every agent of a tournament.
///
/// # Errors
/// If an agent cannot be built, or its files have changed since its submission was accepted.
pub fn prepare(spec: &Spec, venue: &Venue) -> Result<Vec<Entrant>, EntryError> {
    let mut entrants = Vec::new();
    for agent in &spec.agents {
        if let Some(accepted) = &agent.sha256
            && agent_hash(agent, &files(agent)?) != *accepted
        {
            return Err(EntryError::Changed(agent.name.clone()));
        }
        let built = build(agent, venue);
        if let Some(failure) = built.failure {
            return Err(EntryError::Unbuilt { agent: agent.name.clone(), failure, output: built.output });
        }
        // A missing name is not an error.
        let has_title = agent.dialect.as_deref() == Some("nus");
        let title = if has_title { identify(agent, spec, venue).unwrap_or_default() } else { String::new() };
        let files = files(agent)?;
        entrants.push(Entrant { hash: agent_hash(agent, &files), files, build_output: built.output, title });
    }
    Ok(entrants)
}
