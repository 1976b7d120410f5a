//! Builds agents.

use std::path::Path;
use std::time::{Duration, Instant};

use process::Exit;
use process::sandbox::{Access, Bytes, Limits};

use crate::agent_spec::AgentSpec;
use crate::entry::launch::start;
use crate::entry::privileges::check_privileges;
use crate::entry::recording::Recording;
use crate::players::Venue;

/// Default time limit of a build, in seconds.
pub(crate) const DEFAULT_BUILD_TIME: u32 = 120;

/// Limits of a build, higher than a player's because compilers need more. `scratch` also limits the bytes that a build
/// adds to its own folder.
pub(crate) const BUILD_LIMITS: Limits = Limits {
    memory: Bytes(4 << 30),
    processes: 1024,
    files: 1024,
    scratch: Bytes(1 << 30),
    output: Bytes(1 << 30),
    cpu: 3600,
};

/// The result of a build.
pub struct Built {
    /// Reason why the build failed; `None` if it succeeded.
    pub failure: Option<String>,
    /// Standard output and standard error. Of a long output, only the beginning and the end are kept.
    pub output: String,
    /// Set if it was ended at its time limit.
    pub is_late: bool,
}

/// Runs the build command of an agent, if it has one.
pub fn build(agent: &AgentSpec, venue: &Venue) -> Built {
    let Some(line) = &agent.build else {
        return Built { failure: None, output: String::new(), is_late: false };
    };
    let limit = agent.build_time.unwrap_or(DEFAULT_BUILD_TIME);
    let deadline = Instant::now() + Duration::from_secs(limit.into());
    let words = ["sh", "-c", line].map(str::to_owned).to_vec();
    let (mut host, mut child) = match start(agent, venue, Access::Write, Some(BUILD_LIMITS), words) {
        Ok(started) => started,
        Err(error) => return Built { failure: Some(error), output: String::new(), is_late: false },
    };
    child.close_input();
    let mut output = Recording::default();
    let exit = child.read_lines(deadline, &mut |line| output.add(line));
    // Processes that the build has left behind would keep its output open.
    host.clear();
    child.read_rest(&mut |line| output.add(line));
    let failure = match exit {
        Some(Exit::Code(0)) => {
            let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
            check_privileges(folder).err().map(|error| error.to_string())
        }
        Some(exit) => Some(build_failure(line, exit)),
        None => Some(format!("`{line}` did not end within {limit} s")),
    };
    Built { failure, output: output.text(), is_late: exit.is_none() }
}

/// Describes how a failed build command ended.
fn build_failure(line: &str, exit: Exit) -> String {
    match exit {
        Exit::Limit(limit) => format!("`{line}` was ended at its limit of {limit}"),
        Exit::Code(_) | Exit::Signal(_) => format!("`{line}` ended with {exit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_build_reports_how_it_ended() {
        let text = |exit| build_failure("make", exit);
        assert_eq!(text(Exit::Limit(process::Limit::Memory)), "`make` was ended at its limit of memory");
        assert_eq!(text(Exit::Code(2)), "`make` ended with exit code 2");
    }

    #[test]
    fn a_build_has_a_time_limit_and_its_output_is_recorded() {
        let agent =
            |build: &str| AgentSpec { build: Some(build.to_owned()), build_time: Some(1), ..AgentSpec::default() };
        let venue = Venue::default();
        let three = AgentSpec { build_time: None, ..agent("echo one; echo two >&2; exit 3") };
        let built = build(&three, &venue);
        assert_eq!(built.failure.as_deref(), Some("`echo one; echo two >&2; exit 3` ended with exit code 3"));
        assert!(built.output.contains("one\n") && built.output.contains("two\n"));
        let late = build(&agent("sleep 600"), &venue);
        assert!(late.failure.is_some_and(|why| why.contains("within 1 s")));
        let long = AgentSpec { build_time: None, ..agent("seq 100000; echo linking") };
        let built = build(&long, &venue);
        assert!(built.failure.is_none());
        assert!(built.output.starts_with("1\n") && built.output.contains("linking\n"), "the end of a long output");
        assert!(build(&AgentSpec::default(), &venue).failure.is_none());
    }
}
