//! Child processes with deadlines, and sandboxes for untrusted programs.
//!
//! * [`Child`]: a program that was started without a shell. Its output arrives line by line, and every wait has a
//!   deadline. It is ended together with all its descendants.
//! * [`Host`]: a place where a program's processes run: this machine itself ([`Bare`]), or a sandbox.
//! * [`sandbox`]: hosts that isolate untrusted programs.
//! * [`interrupt`]: ends all children when this program is interrupted.
//! * [`affinity`]: the processor cores of a thread and of the threads and processes that it starts.
//! * [`Pressure`]: measures how long a child waited for a processor while other programs used it.
//! * [`system`]: file permissions, processor time and handles, for which every system has its own calls.
//!
//! The folder `unix` has the parts for Linux and macOS, and `windows` has those for Windows.
//!
//! The protocols of programs are in the crate `protocol`.
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
mod lines;
mod pressure;
pub mod sandbox;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

pub use child::*;
pub use host::{Bare, Host, find};
pub use pressure::{Pressure, ThreadTime, ThreadTimes};
#[cfg(unix)]
pub use unix::system;
#[cfg(windows)]
pub use windows::system;
