use core::time::Duration;

use game::Position;
use search::{Engine, Limits};
use thiserror::Error;

use crate::Build;

/// A player that is ready to play. [`PlayerOptions::make`](crate::PlayerOptions::make) makes it.
pub struct Built<P: Position> {
    /// Chooses the moves.
    pub engine: Box<dyn Engine<P>>,
    /// The limits for each move.
    pub limits: Limits,
    /// Nodes for a move if the limits set none.
    pub default_nodes: u64,
}

impl<P: Position> Built<P> {
    /// A player with an engine of the caller's own. `default_nodes` is the budget of a move if the limits set none.
    pub fn new(engine: Box<dyn Engine<P>>, limits: Limits, default_nodes: u64) -> Self {
        Self { engine, limits, default_nodes }
    }

    /// The limits for a move that must not take longer than this. The node budget stays, so that a player with time to
    /// spare plays as it does without a clock.
    pub fn limits_within(&self, time: Duration) -> Limits {
        let own = self.limits;
        let nodes = own.nodes.or((own.depth.is_none() && own.movetime.is_none()).then_some(self.default_nodes));
        Limits { nodes, movetime: Some(own.movetime.map_or(time, |own| own.min(time))), ..own }
    }
}

/// The game has no player of this build.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the game has no player `build={build}`: expected {}", .there_are.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
pub struct NoBuild {
    /// The build that was asked for.
    pub build: Build,
    /// The builds that the game has.
    pub there_are: Vec<Build>,
}
