//! Children in job objects of their own.

use std::io;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::ExitStatus;
use std::time::Duration;

use win32job::{ExtendedLimitInfo, Job};

use crate::child::{Body, Child, Command, Exit, Pipes, StartError};

/// Flag with which a child does not receive the terminal's Ctrl-C: `CREATE_NEW_PROCESS_GROUP`.
const OWN_GROUP: u32 = 0x200;

impl Child {
    /// Starts a program in its own job object, so that the system ends its descendants with it, also when this program
    /// ends.
    ///
    /// # Errors
    /// Returns an error if the program does not start.
    pub fn start(command: &Command) -> Result<Self, StartError> {
        let refused = |error| command.refused(error);
        let mut builder = command.piped()?;
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other).map_err(refused)?;
        let mut process = builder.creation_flags(OWN_GROUP).spawn().map_err(refused)?;
        if let Err(error) = job.assign_process(process.as_raw_handle() as isize) {
            // A program that has already ended cannot be assigned.
            if process.try_wait().map_err(refused)?.is_none() {
                let _ = process.kill();
                return Err(refused(io::Error::other(error)));
            }
        }
        let pipes = Pipes::of(&mut process);
        Ok(Self::over(Box::new(Direct { process, job: Some(job) }), pipes))
    }
}

/// A child of this process.
struct Direct {
    process: std::process::Child,
    /// Job object of the child and its descendants, which end when it is closed; `None` once it is closed.
    job: Option<Job>,
}

impl Body for Direct {
    fn exit(&mut self) -> Option<Exit> {
        let exit = self.process.try_wait().ok().flatten().map(exit)?;
        self.job = None;
        Some(exit)
    }

    fn cpu(&mut self) -> Option<Duration> {
        None
    }

    fn kill(&mut self) {
        self.job = None;
    }
}

fn exit(status: ExitStatus) -> Exit {
    Exit::Code(status.code().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;
    use crate::child::{Output, Stream};

    fn start(script: &str) -> Child {
        Child::start(&Command::new(["cmd", "/c", script])).expect("cmd starts")
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_mins(2)
    }

    fn next_line(child: &mut Child) -> String {
        loop {
            if let Output::Line(Stream::Stdout, line) = child.output(soon()).expect("a line") {
                return String::from_utf8_lossy(&line).trim().to_owned();
            }
        }
    }

    #[test]
    fn lines_and_the_exit_code() {
        let mut child = start("set /p x= & call echo got %x% & exit 3");
        child.send(b"one".to_vec());
        assert!(next_line(&mut child).contains("got"));
        assert_eq!(child.wait(soon()), Some(Exit::Code(3)));
    }

    /// Checks it by the end of the output, which the descendant keeps open.
    #[test]
    fn descendants_end_with_a_child() {
        let mut child = start("start /b ping -n 600 127.0.0.1 & echo started & ping -n 600 127.0.0.1");
        next_line(&mut child);
        child.kill();
        assert!(child.exit().is_some());
        let end = soon();
        while child.output(end).is_some() {}
        assert!(Instant::now() < end, "a descendant is still running");
    }

    #[test]
    fn a_program_that_is_not_there() {
        assert!(Child::start(&Command::new(["no-such-program-anywhere"])).is_err());
    }
}
