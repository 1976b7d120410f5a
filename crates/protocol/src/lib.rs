//! The courses' text programs as line machines without input or output, and the dialect in which such programs are driven.
//!
//! * [`loa`] and [`jump61`]: the CS61B text interfaces. A [`Session`] is given one line at a time and answers through a
//!   [`Sink`].
//! * [`checkers`]: the COMP10002 program, from bytes to its output.
//! * [`loa6`]: one request of the CS3243 competition.
//! * [`cs61b`]: what such programs print, as the script harness reads it.
//! * [`sgf`]: games of Lines of Action as files.
//! * [`ugi`]: the engines' side of the Universal Game Interface.
//! * [`dialects`]: how other people's programs are spoken to when they play.
//!
//! Not here: files, terminals, processes, clocks. The programs connect these machines to them.
//!
//! ```
//! use protocol::{Flow, Session, Transcript, loa::Console};
//!
//! let mut console = Console::new(engine::Strength::default());
//! let mut seen = Transcript::default();
//! for line in ["manual white", "b1-d3", "a3-d3"] {
//!     assert_eq!(console.line(line.as_bytes(), &mut seen), Ok(Flow::Continue));
//! }
//! assert_eq!(console.prompt(), "b> ");
//! let error = console.line(b"d1-d4", &mut seen).unwrap_err();
//! assert_eq!(error.to_string(), "illegal move d1-d4: the enemy piece on d3 stands in between");
//! ```

pub mod checkers;
pub mod cs61b;
pub mod dialects;
pub mod jump61;
pub mod loa;
pub mod loa6;
mod seats;
mod session;
pub mod sgf;
pub mod ugi;
mod words;

pub use session::{CommandError, Flow, Session, Shown, Sink, Transcript};
