//! Refusals: errors that a person sees.

use std::path::PathBuf;

use game::{Message, message};
use jiff::Timestamp;
use thiserror::Error;

use crate::roster::RosterError;
use crate::store::error::CourseError;

/// The kind of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The request is malformed.
    Invalid,
    /// The caller does not have the right.
    Forbidden,
    /// The subject does not exist, or the caller must not know whether it exists.
    Unknown,
    /// The action is impossible in the current state.
    Conflict,
    /// The file is too large.
    TooLarge,
    /// A limit is reached for now.
    TooMany,
    /// The server is stopping.
    Unavailable,
    /// The server's disk is full.
    Full,
    /// The server has failed.
    Internal,
}

/// A refusal of an action or a view.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct Refused {
    /// Kind.
    pub kind: RefusalKind,
    /// Message to the person.
    pub message: Message,
    /// Cause for the server's log. It must not be sent to the person.
    pub cause: Option<String>,
}

impl Refused {
    pub(crate) fn new(kind: RefusalKind, message: Message) -> Self {
        Self { kind, message, cause: None }
    }

    /// Returns the status code of HTTP.
    pub const fn status(&self) -> u16 {
        match self.kind {
            RefusalKind::Invalid => 400,
            RefusalKind::Forbidden => 403,
            RefusalKind::Unknown => 404,
            RefusalKind::Conflict => 409,
            RefusalKind::TooLarge => 413,
            RefusalKind::TooMany => 429,
            RefusalKind::Unavailable => 503,
            RefusalKind::Full => 507,
            RefusalKind::Internal => 500,
        }
    }

    pub(crate) fn not_staff() -> Self {
        Self::new(RefusalKind::Forbidden, message!("notStaff", "Only the staff of the course can do that."))
    }

    pub(crate) fn not_team() -> Self {
        let text = message!("notTeam", "Only a team can do that. Open the personal link of your team first.");
        Self::new(RefusalKind::Forbidden, text)
    }

    pub(crate) fn not_public() -> Self {
        Self::new(RefusalKind::Forbidden, message!("notPublic", "These games are not public."))
    }

    pub(crate) fn unknown(kind: &'static str, name: &str) -> Self {
        let name = game::text::excerpt(name);
        let text = message!("unknown", "The course has no {kind} {name}.", kind, name = name.as_str());
        Self::new(RefusalKind::Unknown, text)
    }

    pub(crate) fn invalid(field: &'static str, found: &str, expected: &str) -> Self {
        let found = game::text::excerpt(found);
        let text = message!(
            "invalid",
            "{field}: `{found}` found, expected {expected}.",
            field,
            found = found.as_str(),
            expected
        );
        Self::new(RefusalKind::Invalid, text)
    }

    pub(crate) fn too_large(limit: u64) -> Self {
        let text = message!("tooLarge", "The file is larger than {limit} bytes, the maximum of this course.", limit);
        Self::new(RefusalKind::TooLarge, text)
    }

    pub(crate) fn busy(limit: u32) -> Self {
        let text =
            message!("busy", "{limit} uploads of your team are in progress, the maximum. Wait for one to end.", limit);
        Self::new(RefusalKind::TooMany, text)
    }

    pub(crate) fn late(deadline: &str) -> Self {
        Self::new(RefusalKind::Conflict, message!("late", "The deadline was {deadline}.", deadline))
    }

    pub(crate) fn closed() -> Self {
        Self::new(RefusalKind::Conflict, message!("closed", "The staff has ended the time for uploads."))
    }

    pub(crate) fn stopping() -> Self {
        let text = message!("stopping", "The server is stopping. Try again in a few minutes.");
        Self::new(RefusalKind::Unavailable, text)
    }

    pub(crate) fn full() -> Self {
        let text = message!("full", "The server's disk is full. Nothing was changed. Tell the staff of the course.");
        Self::new(RefusalKind::Full, text)
    }

    #[expect(clippy::needless_pass_by_value, reason = "the argument of `map_err`")]
    pub(crate) fn internal(cause: impl ToString) -> Self {
        let text = message!("internal", "The server has failed. The staff of the course finds the reason in its log.");
        Self { cause: Some(cause.to_string()), ..Self::new(RefusalKind::Internal, text) }
    }

    fn conflict(subject: &str, found: &str, expected: &str) -> Self {
        let text = match (subject, expected) {
            ("phase", "done") => message!("finalNotOver", "The final is not over."),
            ("phase", _) => {
                message!("wrongPhase", "{subject}: {found} found, expected {expected}.", subject, found, expected)
            }
            _ => message!("conflict", "{subject}: {found} found, expected {expected}.", subject, found, expected),
        };
        Self::new(RefusalKind::Conflict, text)
    }

    fn too_many(what: &str, limit: u32, next: Timestamp) -> Self {
        let next = next.to_string();
        let next = next.as_str();
        let text = if what == "uploads" {
            message!(
                "tooManyUploads",
                "{limit} uploads in an hour is the maximum. The next one is possible at {next}.",
                limit,
                next
            )
        } else {
            message!(
                "tooManyGames",
                "{limit} {what} in an hour is the maximum. The next one is possible at {next}.",
                limit,
                what,
                next
            )
        };
        Self::new(RefusalKind::TooMany, text)
    }
}

impl From<CourseError> for Refused {
    fn from(error: CourseError) -> Self {
        match error {
            CourseError::Unknown { kind, name } => Self::unknown(kind, &name),
            CourseError::Conflict { subject, found, expected } => Self::conflict(&subject, &found, &expected),
            CourseError::TooMany { what, limit, next } => Self::too_many(what, limit, next),
            CourseError::Full => Self::full(),
            other => Self::internal(other),
        }
    }
}

impl From<std::io::Error> for Refused {
    fn from(error: std::io::Error) -> Self {
        CourseError::from(error).into()
    }
}

/// Errors of starting a course.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The roster cannot be read.
    #[error("roster {}: {error}", path.display())]
    Roster {
        /// File.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
    /// The roster is invalid.
    #[error(transparent)]
    Teams(#[from] RosterError),
    /// The course's file cannot be used.
    #[error(transparent)]
    Store(#[from] CourseError),
    /// Another process runs the course, or the lock of its file cannot be taken.
    #[error("{}", of_hold(.0))]
    Hold(arena::StoreError),
    /// The rules of the course do not work on this machine.
    #[error("{0}")]
    Setting(String),
    /// The sandbox does not work on this machine.
    #[error(transparent)]
    Sandbox(#[from] arena::entry::EntryError),
    /// The folder of temporary files cannot be prepared.
    #[error("folder {}: {error}", path.display())]
    Work {
        /// Folder.
        path: PathBuf,
        /// Error of the system.
        error: std::io::Error,
    },
}

impl From<arena::StoreError> for OpenError {
    fn from(error: arena::StoreError) -> Self {
        Self::Hold(error)
    }
}

/// Returns the message of a course that cannot be reserved.
fn of_hold(error: &arena::StoreError) -> String {
    match error {
        arena::StoreError::Busy(location) => format!("course {location}: another server or command is using it"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_server_is_refused_in_words_of_courses() {
        let busy = arena::StoreError::Busy(PathBuf::from("x.sqlite").into());
        assert_eq!(OpenError::from(busy).to_string(), "course x.sqlite: another server or command is using it");
    }

    #[test]
    fn causes_of_failures_are_not_part_of_the_message() {
        let error = CourseError::from(std::io::Error::other("/srv/secret/course.sqlite: broken"));
        let refused = Refused::from(error);
        assert_eq!((refused.status(), refused.message.code), (500, "internal"));
        let sent = serde_json::to_string(&refused.message).expect("JSON");
        assert!(!sent.contains("secret") && refused.cause.is_some_and(|cause| cause.contains("secret")));
        let full = Refused::from(std::io::Error::from(std::io::ErrorKind::StorageFull));
        assert_eq!((full.status(), full.message.code), (507, "full"));
    }
}
