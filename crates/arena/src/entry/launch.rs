//! Starts processes of an agent outside of games.

use process::sandbox::{Access, Limits};
use process::{Child, Command, Host};

use crate::agent_spec::AgentSpec;
use crate::players::Venue;

/// Starts a process of an agent. Its limits are `limits` if given, and those of the venue otherwise. The caller must
/// keep the returned host for as long as the process should live.
pub(crate) fn start(
    agent: &AgentSpec,
    venue: &Venue,
    access: Access,
    limits: Option<Limits>,
    words: Vec<String>,
) -> Result<(Box<dyn Host>, Child), String> {
    let mut venue = venue.clone();
    if let (Some(limits), Some(confinement)) = (limits, &mut venue.confinement) {
        confinement.limits = limits;
    }
    let mut host = venue.host(agent, access)?;
    let command = Command { words, directory: agent.directory.clone() };
    let child = host.start(&command).map_err(|error| error.to_string())?;
    Ok((host, child))
}
