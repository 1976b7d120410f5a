//! Systems other than Linux, which have no sandboxes.

use std::io;
use std::path::{Path, PathBuf};

use super::plan::Plan;
use crate::host::{Bare, Host};
use crate::sandbox::tier::Tier;
use crate::{Child, Command, StartError};

/// Returns no files: without a sandbox, no submissions are built.
///
/// # Errors
/// Never returns an error on this system.
pub fn remove_privileges(_: &Path) -> io::Result<Vec<PathBuf>> {
    Ok(Vec::new())
}

/// A host for the processes of one program. On this system it has no isolation.
pub struct Sandbox {
    tier: Tier,
}

impl Sandbox {
    pub(crate) fn new(plan: Plan, _: PathBuf) -> Self {
        Self { tier: plan.tier }
    }

    /// Returns the host itself: without a sandbox, programs are not separated.
    #[must_use]
    pub fn own_programs_only(self) -> Self {
        self
    }

    /// Returns `None`, because there is no sandbox.
    pub fn substitute(&self, _: &Command) -> Option<[PathBuf; 2]> {
        None
    }
}

impl Host for Sandbox {
    fn open(&mut self) -> Result<(), StartError> {
        match self.tier {
            Tier::None => Ok(()),
            tier => Err(StartError::Refused {
                command: "the sandbox".to_owned(),
                source: io::Error::other(format!("{tier} exists on Linux only")),
            }),
        }
    }

    fn check(&mut self, command: &Command) -> Result<(), StartError> {
        Bare.check(command)
    }

    fn start(&mut self, command: &Command) -> Result<Child, StartError> {
        self.open()?;
        Bare.start(command)
    }

    fn clear(&mut self) {}

    fn close(&mut self) {}
}
