//! Options of a running course that belong to the machine, not to the course file.

use std::path::PathBuf;
use std::sync::Arc;

use engine::Resources;
use process::sandbox::Tier;

/// Options of a running course.
#[derive(Clone)]
pub struct Options {
    /// Sandbox of the programs; the best one that works on this machine if unset.
    pub sandbox: Option<Tier>,
    /// Program that supervises the sandbox: it calls [`process::sandbox::serve_if_asked`] first in `main`. If unset,
    /// programs run as plain child processes without any limit, so submissions must be trusted.
    pub launcher: Option<PathBuf>,
    /// Books and tables of our engines.
    pub resources: Resources,
    /// Number of uploads that are checked at the same time; half of the cores if unset.
    pub checkers: Option<usize>,
    /// Build of this program. Only workers of the same build play.
    pub build: String,
    /// Set if the course runs. Otherwise only its methods can be called: nothing is checked or played, and no sandbox
    /// is needed.
    pub threads: bool,
    /// Receives a line for each problem.
    pub log: Arc<dyn Fn(&str) + Send + Sync>,
}

/// This program supervises the best sandbox, and problems are not logged.
impl Default for Options {
    fn default() -> Self {
        Self {
            sandbox: None,
            launcher: std::env::current_exe().ok(),
            resources: Resources::default(),
            checkers: None,
            build: String::new(),
            threads: true,
            log: Arc::new(|_| ()),
        }
    }
}

/// Returns the number of cores of the machine.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
