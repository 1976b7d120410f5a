//! Time limits of a tournament.

use serde::{Deserialize, Serialize};

/// Maximum time limit, in seconds: a day.
pub(crate) const MAX_SECONDS: f64 = 86_400.0;

/// Time limits in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Times {
    /// Time for each move.
    #[serde(rename = "move", default)]
    pub per_move: Option<f64>,
    /// Time for all moves of a game.
    #[serde(rename = "game", default)]
    pub per_game: Option<f64>,
    /// Time that each move adds to the time of the game.
    #[serde(default)]
    pub increment: f64,
    /// Maximum time to start before a game. It does not count on the clock.
    #[serde(default = "ten")]
    pub start: f64,
    /// Tolerated delay of an answer after its time limit.
    #[serde(default)]
    pub margin: f64,
}

impl Default for Times {
    fn default() -> Self {
        Self { per_move: Some(5.0), per_game: None, increment: 0.0, start: ten(), margin: 0.0 }
    }
}

const fn ten() -> f64 {
    10.0
}
