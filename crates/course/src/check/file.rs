//! Checks a file outside a course.

use std::ops::ControlFlow;
use std::path::Path;

use arena::{AgentSpec, Spec, Venue};

use crate::check::{CheckError, Job, ShowStep, Verdict, check};
use crate::store::uploads::Step;

/// Name of an agent that sets none.
const NAME: &str = "submission";

/// A file that is checked as a course checks uploads, on the author's own machine.
#[derive(Clone, Copy, Debug)]
pub struct FileCheck<'a> {
    /// File: a zip archive, or a source file that the command or the build names.
    pub file: &'a Path,
    /// Maximum size of the file, in bytes.
    pub size: u64,
    /// Fields of submissions that have none of their own.
    pub defaults: &'a AgentSpec,
    /// Rules of the games.
    pub spec: &'a Spec,
    /// Sandbox.
    pub venue: &'a Venue,
    /// Folder for this check alone.
    pub folder: &'a Path,
}

impl FileCheck<'_> {
    /// Unpacks, corrects, builds and checks the file. `show` receives each step when it begins and when it ends, and
    /// decides whether the check continues. Returns `true` if a course with these rules would accept the file.
    ///
    /// # Errors
    /// If the machine fails.
    pub fn run(&self, show: &mut dyn FnMut(&Step) -> ControlFlow<()>) -> Result<bool, CheckError> {
        let job = Job {
            defaults: self.defaults,
            size: self.size,
            spec: self.spec,
            venue: self.venue,
            folder: self.folder,
            file: self.file,
            file_name: &self.file.file_name().unwrap_or_default().to_string_lossy(),
            team: NAME,
        };
        let show: ShowStep<'_> = show;
        Ok(matches!(check(&job, show)?, Verdict::Accepted(_)))
    }
}
