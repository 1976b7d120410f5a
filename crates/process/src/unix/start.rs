//! Children in process groups of their own.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::ExitStatus;
use std::time::Duration;

use super::{interrupt, tree};
use crate::child::{Body, Child, Command, Exit, Pipes, StartError};
use crate::pressure::ThreadTimes;

impl Child {
    /// Starts a program in its own process group.
    ///
    /// # Errors
    /// Returns an error if the program does not start.
    pub fn start(command: &Command) -> Result<Self, StartError> {
        let (body, pipes) = Direct::start(command)?;
        Ok(Self::over(Box::new(body), pipes))
    }
}

/// A child of this process.
struct Direct {
    process: std::process::Child,
    mark: tree::Mark,
    meter: tree::Meter,
}

impl Direct {
    fn start(command: &Command) -> Result<(Self, Pipes), StartError> {
        let mut mark = tree::Mark::new();
        let mut builder = command.piped()?;
        builder.env(tree::VARIABLE, mark.value()).process_group(0);
        let mut live = interrupt::children();
        let spawned = interrupt::with_interrupts(|| builder.spawn());
        let mut process = spawned.map_err(|error| command.refused(error))?;
        let meter = tree::Meter::new(process.id());
        mark.born(process.id());
        live.insert(process.id(), mark.clone());
        drop(live);
        let pipes = Pipes::of(&mut process);
        Ok((Self { process, mark, meter }, pipes))
    }
}

impl Body for Direct {
    fn exit(&mut self) -> Option<Exit> {
        let exit = self.process.try_wait().ok().flatten().map(exit)?;
        // This must come first: after the wait, the system may reuse the child's process number.
        tree::kill(self.process.id(), &self.mark, false);
        interrupt::children().remove(&self.process.id());
        Some(exit)
    }

    fn cpu(&mut self) -> Option<Duration> {
        self.meter.cpu()
    }

    fn threads(&mut self) -> ThreadTimes {
        self.meter.threads()
    }

    fn kill(&mut self) {
        tree::kill(self.process.id(), &self.mark, true);
    }
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, signal) => Exit::Signal(signal.unwrap_or(0)),
    }
}
