//! Entry of agents into a tournament: reads, builds and checks submissions, which come from untrusted people.
//!
//! * [`read_submission`]: reads a submission's agent from its folder, with defaults. [`look_alikes`]: finds submissions
//!   whose names could be confused.
//! * [`venue`], [`venue_of`]: the sandbox, with warnings.
//! * [`checks`]: builds and checks an agent step by step. Each [`Check`] has a name, a state, details and a remedy.
//! * [`accept`]: does the same with a submission, and returns the agent for the tournament.
//! * [`prepare`]: builds the agents of a tournament before it begins.
//!
//! Nothing is printed: warnings are returned, and checks are reported to a function.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! use arena::entry::{self, State, Subject};
//! use arena::{AgentSpec, Draft, Venue};
//!
//! let spec = Draft::new("jump61").spec;
//! let agent = AgentSpec { builtin: Some("level=1".to_owned()), ..AgentSpec::default() };
//! let mut passed = Vec::new();
//! let subject = Subject { spec: &spec, agent: &agent, venue: &Venue::default() };
//! let is_good = entry::checks(&subject, &mut |check| {
//!     passed.extend((check.state == State::Passed).then_some(check.name));
//!     ControlFlow::Continue(())
//! });
//! assert!(is_good);
//! assert_eq!(passed, ["starts", "moves first", "moves second", "plays a game against itself"]);
//! ```

mod accept;
mod advice;
mod archives;
mod build;
mod check;
mod checks;
mod entrants;
mod error;
mod faults;
mod folder;
mod identify;
mod launch;
mod moves;
mod names;
mod network;
mod paths;
mod privileges;
mod program;
mod recording;
mod spelling;
mod subject;
mod submission;
mod suggestion;
mod unflushed;
mod venue;
mod view;
mod warm_up;

pub use accept::accept;
pub use advice::advice;
pub use archives::{Archive, ArchiveKind, archives, is_archive_name};
pub use build::{Built, build};
pub use check::{Check, Show, State};
pub use checks::checks;
pub use entrants::{files, prepare};
pub use error::EntryError;
pub use folder::{folders, read_folder};
pub use names::{check_folder_name, look_alikes};
pub use paths::{has_extension, quoted_path};
pub use subject::Subject;
pub use submission::read_submission;
pub use suggestion::{is_makefile, is_source, suggestion};
pub use venue::{Warning, venue, venue_of};
