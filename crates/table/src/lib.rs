//! Where programs meet to play: so far child processes with deadlines.
//!
//! A [`process::Child`] is a program that was started without a shell, with its output delivered line by line and never
//! waited for without a deadline, and that is ended together with everything it has started.
//!
//! Not here: what is said to a program (crate `protocol`), and what a game is.
//!
//! ```
//! use std::time::{Duration, Instant};
//! use table::process::{Child, Command, Output, Stream};
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
//! # Ok::<(), table::process::StartError>(())
//! ```

pub mod interrupt;
pub mod process;
mod tree;
