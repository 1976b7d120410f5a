//! Child processes with deadlines.
//!
//! * [`Child`]: a program that was started without a shell. Its output arrives line by line, and no call waits for it
//!   without a deadline. It is ended together with everything that it has started.
//! * [`Host`]: a place where a program's processes run: this machine as it is, or a sandbox.
//! * [`interrupt`]: ends all children when this program is interrupted.
//! * [`affinity`]: the processor cores of a thread and of what it starts.
//! * [`Pressure`]: how long other programs kept a child from computing.
//! * [`cpu_of_this_thread`]: processor time, where the system reports it.
//!
//! Not here: the languages of programs (crate `protocol`), and games.
//!
//! ```
//! use process::{Child, Command, Output, Stream};
//! use std::time::{Duration, Instant};
//!
//! let mut child = Child::start(&Command::new(["cat"]))?;
//! child.send(b"hello".to_vec());
//! let line = loop {
//!     match child.output(Instant::now() + Duration::from_secs(10)) {
//!         Some(Output::Line(Stream::Stdout, line)) => break line,
//!         Some(_) => (),
//!         None => panic!("no answer within ten seconds"),
//!     }
//! };
//! assert_eq!(line, b"hello");
//! # Ok::<(), process::StartError>(())
//! ```

pub mod affinity;
mod child;
mod host;
pub mod interrupt;
mod pressure;
mod tree;

pub use child::*;
pub use host::{Bare, Host, find};
pub use pressure::{Pressure, ThreadTime, ThreadTimes};
pub use tree::Meter;

/// Processor time of the calling thread, where the system tells.
pub fn cpu_of_this_thread() -> Option<std::time::Duration> {
    nix::time::clock_gettime(nix::time::ClockId::CLOCK_THREAD_CPUTIME_ID).ok().map(std::time::Duration::from)
}
