//! The text interfaces of the four course programs. Each processes lines or bytes of input and produces the text to
//! print.
//!
//! * [`loa`] and [`jump61`]: CS61B. A [`Session`] processes one line at a time and writes to a [`Sink`].
//! * [`checkers`]: COMP10002, from input bytes to output.
//! * [`loa6`]: one request of the CS3243 competition.
//! * [`ugi`]: the engines of Plyhouse as engines of the Universal Game Interface.
//!
//! The programs connect these interfaces to files, terminals, processes and clocks. The protocols of third-party
//! programs are in the crate `protocol`.
//!
//! ```
//! use console::{Flow, Session, Transcript, loa::Console};
//!
//! let mut console = Console::new(&engine::PlayerOptions::default())?;
//! let mut seen = Transcript::default();
//! for line in ["manual white", "b1-d3", "a3-d3"] {
//!     assert_eq!(console.line(line.as_bytes(), &mut seen), Ok(Flow::Continue));
//! }
//! assert_eq!(console.prompt(), "b> ");
//! let error = console.line(b"d1-d4", &mut seen).unwrap_err();
//! assert_eq!(error.to_string(), "illegal move d1-d4: the enemy piece on d3 stands in between");
//! # Ok::<(), engine::NoBuild>(())
//! ```

pub mod checkers;
pub mod jump61;
pub mod loa;
pub mod loa6;
mod seats;
mod session;
pub mod ugi;
mod words;

pub use session::{CommandError, Flow, Session, Shown, Sink, Transcript};
