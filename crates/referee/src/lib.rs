//! Where players meet: games as text, a referee with clocks, programs that are spoken to in their dialect.
//!
//! * [`Game`]: the face of a [`game::Record`] that knows no game by name.
//! * [`Player`], [`Referee`]: who moves and who judges. What a player does wrong is a [`Fault`], and every kind has its name.
//! * [`Diagram`]: a board as people see it.
//! * [`Agent`], [`Dialect`]: a program as a player.
//! * [`process::Child`]: a program that was started without a shell, with its output delivered line by line and never
//!   waited for without a deadline, and that is ended together with everything it has started.
//!
//! Not here: what is said to a program (crate `protocol`), which games there are (crate `games`), tournaments (crate
//! `arena`).
//!
//! ```
//! use std::time::{Duration, Instant};
//! use referee::process::{Child, Command, Output, Stream};
//!
//! let mut child = Child::start(&Command::new(["cat"]))?;
//! child.send(b"hello".to_vec());
//! let line = loop {
//!     match child.output(Instant::now() + Duration::from_secs(10)) {
//!         Some(Output::Line(Stream::Stdout, line)) => break line,
//!         Some(_) => (),
//!         None => panic!("no answer in ten seconds"),
//!     }
//! };
//! assert_eq!(line, b"hello");
//! # Ok::<(), referee::process::StartError>(())
//! ```

mod agent;
mod clock;
mod diagram;
mod dialect;
mod face;
pub mod interrupt;
mod player;
pub mod process;
mod referee;
mod tree;

pub use agent::Agent;
pub use clock::{Clock, Clocks, TimeControl};
pub use diagram::{Diagram, Mark, Tone};
pub use dialect::{Dialect, Heard, Lifetime, Talk};
pub use face::Game;
pub use player::{Farewell, Fault, FaultKind, Player, Turn, UnknownFault};
pub use referee::{AfterFault, Ending, Offence, Played, Players, Ply, Referee};

/// Processor time of the calling thread, where the system tells.
pub fn cpu_of_this_thread() -> Option<std::time::Duration> {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(std::time::Duration::from)
}
