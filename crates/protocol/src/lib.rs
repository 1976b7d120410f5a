//! The languages of game programs.
//!
//! * [`cs61b`]: the messages of CS61B's text programs.
//! * [`dialects`]: the ways to ask programs for moves: CS61B, NUS, COMP10002 and the Universal Game Interface. Each is
//!   a [`Dialect`]: lines in, lines out.
//! * [`sgf`]: games of Lines of Action as files.
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
