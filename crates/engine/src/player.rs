use core::time::Duration;

use game::Position;
use search::{Engine, Limits};
use thiserror::Error;

use crate::build::Build;

/// A player that is ready to play, built by [`PlayerOptions::make`](crate::options::PlayerOptions::make).
pub struct Built<P: Position> {
    /// Engine that chooses the moves.
    pub engine: Box<dyn Engine<P>>,
    /// Limits for each move.
    pub limits: Limits,
    /// Node budget of a move if the limits set none.
    pub default_nodes: u64,
}

impl<P: Position> Built<P> {
    /// Creates a player with the caller's own engine. `default_nodes` is the node budget of a move if the limits set
    /// none.
    pub fn new(engine: Box<dyn Engine<P>>, limits: Limits, default_nodes: u64) -> Self {
        Self { engine, limits, default_nodes }
    }

    /// Returns the limits for a move that must take at most `time`. The node budget still applies, so that a player
    /// with enough time plays the same moves as without a clock.
    pub fn limits_within(&self, time: Duration) -> Limits {
        let own = self.limits;
        let nodes = own.nodes.or((own.depth.is_none() && own.movetime.is_none()).then_some(self.default_nodes));
        Limits { nodes, movetime: Some(own.movetime.map_or(time, |own| own.min(time))), ..own }
    }
}

/// The error for a build that the game does not have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the game has no player `build={build}`: expected {}", .there_are.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
pub struct NoBuild {
    /// Requested build.
    pub build: Build,
    /// Builds that the game has.
    pub there_are: Vec<Build>,
}
