//! The store of a course: one SQLite file with the tournaments' tables and the course's own.
//!
//! Every method that changes something is one transaction. When it returns, the change survives a crash and a power
//! cut. Log entries of an action are written in the same transaction.

pub(crate) mod audit;
mod backup;
pub(crate) mod database;
pub(crate) mod error;
pub(crate) mod games;
mod open;
mod pairs;
pub(crate) mod phase;
pub(crate) mod players;
pub(crate) mod practice;
mod schema;
mod stored;
pub(crate) mod teams;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod uploads;
mod void;

pub use audit::{Actor, Announcement, AuditEntry};
pub use database::CourseStore;
pub use error::CourseError;
pub use games::GameRow;
pub use phase::Phase;
pub use players::{Kind, PlayerKey};
pub use practice::PracticeRequest;
pub use teams::{RosterChange, Standing, TeamRow};
pub use uploads::{Claim, Lateness, NewUpload, Outcome, Step, StepState, UploadRow, UploadState};
