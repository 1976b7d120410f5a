//! The subject of checks.

use crate::agent_spec::AgentSpec;
use crate::players::Venue;
use crate::spec::Spec;

/// An agent to check, with the tournament and the sandbox that it plays in.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Game and limits.
    pub spec: &'a Spec,
    /// Agent.
    pub agent: &'a AgentSpec,
    /// Sandbox of the agent.
    pub venue: &'a Venue,
}
