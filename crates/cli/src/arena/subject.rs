//! The subject of `plyhouse arena check`.

use arena::{AgentSpec, Spec, Venue};

/// The program to check, with the tournament and the sandbox that it plays in.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) spec: &'a Spec,
    pub(super) agent: &'a AgentSpec,
    pub(super) venue: &'a Venue,
}
