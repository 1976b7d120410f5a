//! The file of a course, and the connection to the course.

use std::path::PathBuf;

use clap::Args;
use course::Course;
use course::http::Console;
use serde_json::Value;

/// The file of a course.
#[derive(Args)]
pub(super) struct CourseFile {
    /// File of the course's settings, such as `cs3243.toml`
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,
}

impl CourseFile {
    /// Returns the path of the database.
    pub(super) fn store(&self) -> PathBuf {
        Course::store_path(&self.file)
    }

    /// Connects to the running server of the course, or opens the database.
    pub(super) fn open(&self) -> anyhow::Result<Console> {
        Ok(Console::open(Course::load(&self.file)?, &self.store())?)
    }

    /// Performs an action of the staff, and returns its result.
    pub(super) fn act(&self, action: &str, values: &Value) -> anyhow::Result<Value> {
        Ok(self.open()?.act(action, values)?)
    }
}
