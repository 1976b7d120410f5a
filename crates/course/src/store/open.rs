//! Creates, opens and repairs the store of a course.

use std::path::Path;
use std::sync::Arc;

use crate::clock::Clock;
use crate::store::audit::Actor;
use crate::store::database::{CourseStore, latest, set_meta};
use crate::store::error::CourseError;
use crate::store::{games, schema};

impl CourseStore {
    /// Creates the tables of a course. The file may already have tournaments.
    ///
    /// # Errors
    /// If the file has a course already, or cannot be written.
    pub fn create(path: &Path, name: &str, clock: Arc<dyn Clock>) -> Result<Self, CourseError> {
        // Creates the tables of tournaments, which must come first.
        drop(arena::Store::open(&path.to_owned().into())?);
        let mut store = Self::connect(path, clock)?;
        let change = store.change()?;
        if schema::exists(&change.db, path)? {
            return Err(CourseError::Exists(path.to_owned()));
        }
        schema::create(&change.db)?;
        let course = serde_json::json!({ "course": name, "began": change.at.to_string() }).to_string();
        set_meta(&change.db, "course", &course)?;
        set_meta(&change.db, games::HEAD, &arena::sha256([course.as_bytes()]))?;
        change.audit(&Actor::Course, "create", name, "")?;
        change.commit()?;
        Ok(store)
    }

    /// Opens the store of a course.
    ///
    /// # Errors
    /// If the file does not exist, has no course, or cannot be used.
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Self, CourseError> {
        if !path.exists() {
            return Err(CourseError::Missing(path.to_owned()));
        }
        // Checks the layout of the tables of tournaments, and converts earlier ones.
        drop(arena::Store::existing(&path.to_owned().into())?);
        let store = Self::connect(path, clock)?;
        if !schema::exists(&store.connection, path)? {
            return Err(CourseError::NoCourse(path.to_owned()));
        }
        store.clock.advance(latest(&store.connection)?);
        Ok(store)
    }

    /// Sets the course's clock to the time of the system's clock, even backwards. This repairs the course's clock after
    /// the system's clock was wrong. Times that were recorded meanwhile are kept. Other connections to the file must be
    /// closed.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn reset_clock(&mut self, actor: &Actor) -> Result<(), CourseError> {
        let right = self.clock.below();
        let mut change = self.change()?;
        change.audit(actor, "reset the clock", "", &format!("from {} to {right}", change.at))?;
        change.at = right;
        change.commit()?;
        self.clock.set(right);
        Ok(())
    }

    /// Puts checks and practice games that a crash interrupted back into their queues. Only the process that has
    /// reserved the store may call this, before it begins any check or game.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn requeue_interrupted(&mut self) -> Result<(), CourseError> {
        let change = self.change()?;
        change.db.execute_batch(
            "DELETE FROM course_step WHERE upload IN (SELECT id FROM course_upload WHERE state = 'checking'); \
             UPDATE course_upload SET state = 'waiting' WHERE state = 'checking'; \
             UPDATE course_practice SET state = 'waiting' WHERE state = 'playing';",
        )?;
        change.commit()
    }
}
