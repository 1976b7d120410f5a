//! Rehearsals of a course.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::Timestamp;

use crate::clock::FastClock;
use crate::config::Course;
use crate::store::database::CourseStore;
use crate::store::error::CourseError;

/// A rehearsal: a course with the same course file, a database of its own and a fast clock.
#[derive(Clone, Debug)]
pub struct Rehearsal {
    store: PathBuf,
}

impl Rehearsal {
    /// Returns the rehearsal of a course: its database is `NAME.rehearsal.sqlite` for the course file `NAME.toml`.
    pub fn of(course_file: &Path) -> Self {
        Self { store: Course::store_path(course_file).with_extension("rehearsal.sqlite") }
    }

    /// Returns the path of the database.
    pub fn store(&self) -> &Path {
        &self.store
    }

    /// Returns a clock that advances `speed` seconds a second. It starts at the latest stored time, or at the current
    /// time if the database does not exist.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn clock(&self, speed: f64) -> Result<FastClock, CourseError> {
        // The time of a store is at least the latest stored time.
        let earliest = Arc::new(FastClock::new(Timestamp::MIN, 0.0));
        let start = match CourseStore::open(&self.store, earliest) {
            Err(CourseError::Missing(_)) => Timestamp::now(),
            opened => opened?.now(),
        };
        Ok(FastClock::new(start, speed))
    }
}
