//! The audit log, and announcements.

use std::fmt;

use jiff::Timestamp;
use rusqlite::params;
use serde::Serialize;

use crate::store::database::{Change, CourseStore, time};
use crate::store::error::CourseError;
use crate::tokens::Role;

/// The originator of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The program itself, such as at the deadline.
    Course,
    /// The holder of a link.
    Of(Role),
}

impl Actor {
    /// The staff.
    pub const STAFF: Self = Self::Of(Role::Staff);

    /// Returns the team with this id.
    pub fn team(id: &str) -> Self {
        Self::Of(Role::Team(id.to_owned()))
    }
}

/// Writes `course`, `staff` or `team A01`.
impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Course => f.write_str("course"),
            Self::Of(Role::Staff) => f.write_str("staff"),
            Self::Of(Role::Team(id)) => write!(f, "team {id}"),
        }
    }
}

/// An entry of the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AuditEntry {
    /// Number, from 1.
    pub id: i64,
    /// Time.
    pub at: String,
    /// Originator.
    pub actor: String,
    /// Action.
    pub action: String,
    /// Subject of the action, such as a team.
    pub subject: String,
    /// Details in words.
    pub detail: String,
}

/// An announcement of the staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Announcement {
    /// Number, from 1.
    pub id: i64,
    /// Time.
    pub at: Timestamp,
    /// Text.
    pub text: String,
}

impl Change<'_> {
    /// Adds an entry to the audit log.
    pub(super) fn audit(&self, actor: &Actor, action: &str, subject: &str, detail: &str) -> Result<(), CourseError> {
        let mut insert = self
            .db
            .prepare_cached("INSERT INTO course_audit (at, actor, action, subject, detail) VALUES (?, ?, ?, ?, ?)")?;
        insert.execute(params![self.at.as_microsecond(), actor.to_string(), action, subject, detail])?;
        Ok(())
    }
}

impl CourseStore {
    /// Returns at most `limit` entries of the audit log, the latest first; with `before`, only entries with smaller
    /// numbers.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn audit_log(&self, before: Option<i64>, limit: u32) -> Result<Vec<AuditEntry>, CourseError> {
        let mut query = self.connection.prepare_cached(
            "SELECT id, at, actor, action, subject, detail FROM course_audit WHERE id < ? ORDER BY id DESC LIMIT ?",
        )?;
        let entries = query.query_map(params![before.unwrap_or(i64::MAX), limit], |row| {
            Ok(AuditEntry {
                id: row.get(0)?,
                at: time(row, 1)?.to_string(),
                actor: row.get(2)?,
                action: row.get(3)?,
                subject: row.get(4)?,
                detail: row.get(5)?,
            })
        })?;
        Ok(entries.collect::<Result<_, _>>()?)
    }

    /// Publishes an announcement, and returns its number.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn announce(&mut self, text: &str, actor: &Actor) -> Result<i64, CourseError> {
        let change = self.change()?;
        let at = change.at.as_microsecond();
        change.db.execute("INSERT INTO course_announcement (at, text) VALUES (?, ?)", params![at, text])?;
        let id = change.db.last_insert_rowid();
        change.audit(actor, "announce", &id.to_string(), text)?;
        change.commit()?;
        Ok(id)
    }

    /// Removes an announcement.
    ///
    /// # Errors
    /// If there is no such announcement, or the store cannot be written.
    pub fn remove_announcement(&mut self, id: i64, actor: &Actor) -> Result<(), CourseError> {
        let change = self.change()?;
        let remove = "UPDATE course_announcement SET removed = ? WHERE id = ? AND removed IS NULL";
        if change.db.execute(remove, params![change.at.as_microsecond(), id])? == 0 {
            return Err(CourseError::unknown("announcement", id));
        }
        change.audit(actor, "remove announcement", &id.to_string(), "")?;
        change.commit()
    }

    /// Returns the announcements, the latest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn announcements(&self) -> Result<Vec<Announcement>, CourseError> {
        let all = "SELECT id, at, text FROM course_announcement WHERE removed IS NULL ORDER BY id DESC";
        let mut query = self.connection.prepare_cached(all)?;
        let all =
            query.query_map([], |row| Ok(Announcement { id: row.get(0)?, at: time(row, 1)?, text: row.get(2)? }))?;
        Ok(all.collect::<Result<_, _>>()?)
    }
}
