//! What a player knows of each game beyond its rules: evaluation, move ordering and how the default player is set.
//!
//! Each game has a module with a [`Policy`](search::Policy) and a `player` function that makes its engine; [`Level`] weakens one.
//!
//! Not here: how a search works (crate `search`), and how a player is spoken to (crate `protocol`).
//!
//! ```
//! use game::Record;
//! use search::{Control, Engine, Limits};
//!
//! let game = Record::new("------/--b---/--b---/-b-ww-/-----w/w-b--- b".parse::<loa::Position>()?);
//! let mut player = engine::loa::player(engine::loa::settings());
//! let choice = player.choose(&game, &Limits::default(), &mut Control::unattended()).expect("a move");
//! assert_eq!(choice.score.to_string(), "win in 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blind;
mod build;
pub mod checkers;
pub mod jump61;
mod level;
pub mod loa;
mod opening;
mod options;
mod strength;
mod tunable;
mod weights;

pub use blind::Blind;
pub use build::Build;
pub use level::{Level, LevelError, Profile, Step};
pub use opening::opening;
pub use options::{PlayerOptions, PlayerOptionsError};
pub use strength::Strength;
pub use tunable::Tunable;
