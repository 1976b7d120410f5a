//! Protocols of game programs.
//!
//! * [`cs61b`]: the messages of CS61B's text programs.
//! * [`dialects`]: protocols that request moves from programs: CS61B, NUS, COMP10002, the Universal Game Interface and
//!   the Universal Chess Interface. Each is a [`Dialect`], which reads and writes lines.
//! * [`sgf`]: SGF files of Lines of Action.
//!
//! Not here: engines, the text interfaces of our own programs (crate `console`), processes, clocks.
//!
//! ```
//! use protocol::cs61b::{CourseGame, Message, parse_message};
//!
//! assert_eq!(parse_message(CourseGame::Loa, " a1-b2"), Some(Message::Move("a1-b2".to_owned())));
//! ```

pub mod cs61b;
mod dialect;
pub mod dialects;
pub mod sgf;

pub use dialect::{Dialect, Heard, Info, Lifetime, Score, Talk, TimeLeft, reason};
