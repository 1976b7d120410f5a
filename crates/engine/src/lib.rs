//! Players of games: levels, opening books, learned and weighted evaluations, and the construction of players.
//!
//! [`PlayerOptions`] describe a player. They are parsed from words or set field by field. [`PlayerOptions::make`] turns
//! them into an engine with limits for each move. Every program that accepts a description of a player uses this
//! function.
//!
//! A game implements [`Playable`]: a [`Policy`](search::Policy) (move ordering, and an evaluation by weighted terms or
//! a learned one) and a ladder of levels. Our games do so in their own crates, in the module `player`.
//!
//! Not here: any game, the search (crate `search`), the protocols between programs and players (crates `console` and
//! `protocol`), and file access: a caller loads the data that a player needs and passes it as [`Resources`].
//!
//! ```
//! use engine::{PlayerOptions, Resources};
//! use game::Record;
//! use search::Control;
//!
//! let game = Record::new("------/--b---/--b---/-b-ww-/-----w/w-b--- b".parse::<loa::Position>()?);
//! let options: PlayerOptions = "nodes=20000".parse()?;
//! let mut player = options.make(game.position(), &Resources::default())?;
//! let choice = player.engine.choose(&game, &player.limits, &mut Control::unattended()).expect("a move");
//! assert_eq!(choice.score.to_string(), "win in 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod learned;

mod attention;
mod book;
mod booked;
mod build;
mod clock;
mod construction;
mod evaluation;
mod gentle;
mod level;
mod opening;
mod option_text;
mod options;
mod playable;
mod player;
mod resources;

pub use attention::Attention;
pub use book::{Book, BookError, BookLine, LazyBook};
pub use build::{Build, UnknownBuild};
pub use clock::{limits_on_clock, time_for_move};
pub use evaluation::{BEGINNING, Breakdown, TermValue, Weights};
pub use level::{Level, LevelError, Profile, Rung};
pub use opening::opening;
pub use option_text::{OptionText, PlayerOptionsError};
pub use options::PlayerOptions;
pub use playable::{BasicPolicy, Playable};
pub use player::{Built, NoBuild};
pub use resources::Resources;
