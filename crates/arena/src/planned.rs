//! The entry of a game in the plan of a tournament.

use serde::{Deserialize, Serialize};

/// A planned game. It follows from the specification, and in a Swiss or a knockout also from the results of earlier
/// games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Planned {
    /// Number of the game, from 0. A knockout skips the numbers of additional games that are not needed.
    pub number: u32,
    /// Agent indices, in the order [first side, second side].
    pub agents: [usize; 2],
    /// In a Swiss or a knockout, the number of the round, from 0. In other formats, the number of the opening, from 0:
    /// all pairs of agents get the same openings.
    pub round: u32,
    /// Seed of the opening's random moves, or the index of the opening in the tournament's list.
    pub opening_seed: u64,
    /// Seed of the players, and of random moves after faults.
    pub seed: u64,
}
