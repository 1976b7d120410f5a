//! The names that most programs need: `use plyhouse::prelude::*;`.
//!
//! The games are modules here, so that their positions, moves and squares have distinct names: `loa::Position`,
//! `jump61::Position`.

// Rules.
pub use game::{IllegalMove, MoveError, Outcome, Position, PositionError, Side, perft};
// Records.
pub use game::{Finish, PlayError, Reason, Record};
// Engines.
pub use search::{AlphaBeta, Choice, Control, Engine, Host, Limits, Policy, Settings};
// Analysis.
pub use search::{Progress, Score, Stop, Variation};

#[cfg(feature = "breakthrough")]
pub use crate::breakthrough;
#[cfg(feature = "checkers")]
pub use crate::checkers;
#[cfg(feature = "engine")]
pub use crate::engine::{self, PlayerOptions, Resources};
#[cfg(feature = "jump61")]
pub use crate::jump61;
#[cfg(feature = "loa")]
pub use crate::loa;
