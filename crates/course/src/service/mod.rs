//! A running course.
//!
//! [`Service::open`] starts threads that check uploads, play the ladder and practice games, and watch the deadline. All
//! actions and views of visitors, teams and staff are methods, which check the caller's rights themselves. Methods may
//! be called from many threads. They block while they read and write the course's file.
//!
//! When a method returns, its effect is in the file. A crash at any moment loses at most games in play and checks in
//! progress, which begin again at the next start.

mod advice;
mod checker;
mod copies;
pub(crate) mod copy_views;
pub(crate) mod course;
mod field;
mod final_games;
mod finals;
pub(crate) mod games;
mod history;
mod live;
mod open;
pub(crate) mod options;
pub(crate) mod pulse;
pub(crate) mod refusal;
pub(crate) mod shown;
mod slots;
pub(crate) mod staff;
pub(crate) mod staff_views;
mod standings;
mod teams;
#[cfg(test)]
mod tests;
mod timekeeper;
pub(crate) mod uploads;
pub(crate) mod workers;

pub use copy_views::{CopiesView, CopyFile, CopyMatch, CopyPair, CopySide, CopyView};
pub use course::{Service, Who};
pub use games::GamesQuery;
pub use options::Options;
pub use pulse::Topic;
pub use refusal::{OpenError, RefusalKind, Refused};
pub use shown::Problem;
pub use staff::{RerunTeams, StaffAction, StaffAnswer, TeamLink};
pub use staff_views::{StaffTeam, StaffTeams};
pub use uploads::UploadWriter;
pub use workers::WorkersView;
