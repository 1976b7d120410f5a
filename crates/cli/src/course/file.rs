//! The file of a course, and the connection to the course.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use course::http::Console;
use course::{Clock, Course, Rehearsal, SystemClock};
use serde_json::Value;

/// The file of a course.
#[derive(Args)]
pub(super) struct CourseFile {
    /// File of the course's settings, such as `cs3243.toml`
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
    /// Use the rehearsal of the course, which `serve --rehearse SPEED` runs
    #[arg(long)]
    pub(super) rehearse: bool,
}

impl CourseFile {
    /// Returns the path of the database.
    pub(super) fn store(&self) -> PathBuf {
        if self.rehearse { Rehearsal::of(&self.file).store().to_owned() } else { Course::store_path(&self.file) }
    }

    /// Returns the clock of the course. The clock of a rehearsal advances `speed` seconds a second.
    pub(super) fn clock(&self, speed: u32) -> anyhow::Result<Arc<dyn Clock>> {
        if !self.rehearse {
            return Ok(Arc::new(SystemClock));
        }
        Ok(Arc::new(Rehearsal::of(&self.file).clock(speed.into())?))
    }

    /// Connects to the running server of the course, or opens the database.
    pub(super) fn open(&self) -> anyhow::Result<Console> {
        Ok(Console::open(Course::load(&self.file)?, &self.store(), self.clock(1)?)?)
    }

    /// Performs an action of the staff, and returns its result.
    pub(super) fn act(&self, action: &str, values: &Value) -> anyhow::Result<Value> {
        Ok(self.open()?.act(action, values)?)
    }
}
