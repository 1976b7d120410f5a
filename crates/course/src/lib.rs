//! A course's competition: students submit programs, which are checked and play a ladder and a final.
//!
//! * [`Course`], [`read_roster`]: the file of settings and the roster.
//! * [`CourseStore`]: the course's database. [`intake`] unpacks uploads, and [`similar`] finds copies.
//! * [`Ladder`]: pairings and ratings of the teams' versions.
//! * [`Service`]: the running course, with every view and action and their rights. [`http`] serves it.
//! * [`grades()`]: grades by the rules of the course's file.
//!
//! Not here: tournaments, sandboxes and the checks of programs, which are in the crate `arena`; the commands, which are
//! in `cli`; the page, which is in `web`.
//!
//! ```
//! let course = course::Course::read(course::template(), std::path::Path::new("."))?;
//! assert_eq!(course.about.name, "My course");
//! let teams = course::read_roster(b"id,name,mail\nU1,Ann,ann@example.org\n")?;
//! assert_eq!(teams[0].name, "Ann");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod clock;
mod config;
mod grades;
pub mod http;
pub mod intake;
mod introduction;
mod ladder;
mod play;
mod rehearsal;
mod roster;
mod service;
pub mod similar;
mod store;
mod tokens;
pub mod views;

pub use check::{CheckError, FileCheck};
pub use clock::{Clock, FastClock, SystemClock};
pub use config::{
    About, Beats, ConfigError, Course, EloSteps, Game, Grading, Late, LevelName, Publish, RankStep, local_time,
    new_file, template,
};
pub use grades::{Grade, Mark, Place, grades, grades_csv, grades_json, harmless};
pub use introduction::Introduction;
pub use ladder::{BeginError, Counts, Ladder, LadderRow, PLACEMENT, PlayerId};
pub use play::{LADDER, PRACTICE, Program, Stage, counts};
pub use rehearsal::Rehearsal;
pub use roster::{MAX_TEAMS, RosterError, Team, read_roster};
pub use service::{
    CopiesView, CopyFile, CopyMatch, CopyPair, CopySide, CopyView, GamesQuery, OpenError, Options, Problem,
    RefusalKind, Refused, RerunTeams, Service, StaffAction, StaffAnswer, StaffTeam, StaffTeams, TeamLink, Topic,
    UploadWriter, Who, WorkersView,
};
pub use store::{
    Actor, Announcement, AuditEntry, Claim, CourseError, CourseStore, GameRow, Kind, Lateness, NewUpload, Outcome,
    Phase, PlayerKey, PracticeRequest, RosterChange, Standing, Step, StepState, TeamRow, UploadRow, UploadState,
};
pub use tokens::{Role, Token};
