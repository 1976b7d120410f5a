//! The languages that game programs speak.
//!
//! * [`cs61b`]: the messages of CS61B's text programs.
//! * [`dialects`]: how a program of each kind is asked for moves: CS61B, NUS, COMP10002 and the Universal Game Interface. Each
//!   is a [`Dialect`]: lines in, lines out.
//! * [`sgf`]: games of Lines of Action as files.
//!
//! Not here: engines, the text interfaces of our own programs (crate `console`), processes, clocks.
//!
//! ```
//! use protocol::cs61b::{Dialect, Message, parse_message};
//!
//! assert!(matches!(parse_message("* a1-b2", Dialect::Loa), Ok(Some(Message::Move(_)))));
//! ```

pub mod cs61b;
mod dialect;
pub mod dialects;
pub mod sgf;

pub use dialect::{Dialect, Heard, Lifetime, Talk, TimeLeft};
