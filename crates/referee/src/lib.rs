//! A referee for games between two players.
//!
//! * [`Player`]: an engine or an external program. A player's mistake is a [`Fault`] of a named kind.
//! * [`Referee`]: requests moves under [`Clocks`], checks every answer against the rules, and determines the
//!   [`Ending`].
//! * [`Transcript`]: the communication of a game, as a text file.
//! * [`Agent`]: a child process as a player, which communicates in a [`Dialect`](protocol::Dialect).
//!
//! Not here: the protocols of programs (crate `protocol`), the list of games (crate `games`), tournaments (crate
//! `arena`).
//!
//! ```
//! use protocol::dialects::{Speaks, Variant};
//! use referee::Agent;
//!
//! let command = process::Command::new(["python3", "agent.py"]);
//! let variant = Variant {
//!     game: "loa".into(),
//!     title: "Lines of Action".into(),
//!     size: 6,
//!     usual_start: loa::Position::start(6).expect("a size").to_string(),
//!     rules: None,
//! };
//! let dialect = Speaks::Nus.dialect(&variant)?;
//! let agent = Agent::new(command, dialect); // started when its game begins
//! # Ok::<(), protocol::dialects::WrongGame>(())
//! ```

mod agent;
mod capped;
mod clock;
mod player;
mod referee;
mod transcript;

pub use agent::Agent;
pub use capped::error_line;
pub use clock::{Clocks, TimeControl};
pub use player::{Farewell, Fault, FaultKind, Player, Turn, UnknownFault};
pub use referee::{AfterFault, Ending, GoesOn, Offence, Played, Players, Ply, Referee, Ruling};
pub use transcript::{Speaker, Transcript};
