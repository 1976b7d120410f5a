use core::num::NonZeroUsize;
use core::time::Duration;

use search::{Limits, Settings};

use crate::{Level, Profile};

/// How strong an automated player is asked to be: what the programs' options `--level`, `--movetime` and `--threads` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strength {
    /// The level; full strength unless said otherwise.
    pub level: Level,
    /// Wall-clock time for a move instead of the default budget. Gives up reproducibility.
    pub movetime: Option<Duration>,
    /// Nodes for a move instead of the default budget.
    pub nodes: Option<u64>,
    /// Threads. More than one gives up reproducibility.
    pub threads: NonZeroUsize,
}

impl Default for Strength {
    fn default() -> Self {
        Self { level: Level::FULL, movetime: None, nodes: None, threads: NonZeroUsize::MIN }
    }
}

impl Strength {
    /// The settings of a full-strength player, changed as asked.
    #[must_use]
    pub fn apply(&self, profile: &Profile) -> Settings {
        Settings { threads: self.threads, ..self.level.weaken(profile) }
    }

    /// The limits for each move; a lower level keeps its node budget under a time limit.
    pub fn limits(&self, profile: &Profile) -> Limits {
        let level_nodes = (self.level < Level::FULL).then(|| self.level.weaken(profile).default_nodes);
        Limits { depth: None, nodes: self.nodes.or(level_nodes), movetime: self.movetime }
    }
}
