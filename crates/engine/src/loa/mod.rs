//! The player of Lines of Action.

mod first;

use loa::Position;
use search::{AlphaBeta, Settings};

pub use first::LoaPolicy;

/// The default player: its budget lets it play a whole game against itself well inside the course's time.
pub fn settings() -> Settings {
    Settings { default_nodes: 400_000, win_horizon: 5, loss_horizon: 4, ..Settings::default() }
}

/// An engine for Lines of Action of any size.
pub fn player(settings: Settings) -> AlphaBeta<Position, LoaPolicy> {
    AlphaBeta::new(LoaPolicy, settings)
}
