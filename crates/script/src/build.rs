//! The command that builds the programs before the tests.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use process::{Child, Command, Exit, Output};

use crate::excerpt::Excerpt;

/// Maximum duration of a build.
const LIMIT: Duration = Duration::from_mins(10);
/// Maximum time to read the output that is left when the build has ended.
const LAST_OUTPUT: Duration = Duration::from_secs(10);
/// Interval at which the end of the build is checked.
const PAUSE: Duration = Duration::from_millis(20);

/// A failed build.
pub(crate) struct FailedBuild {
    pub(crate) reason: String,
    /// Beginning and end of both outputs.
    pub(crate) output: String,
}

/// Runs a command in a shell, in this folder. Returns `None` if it succeeds.
///
/// # Errors
/// Returns an error if the shell cannot be started.
pub(crate) fn build(command: &str, folder: Option<&Path>) -> io::Result<Option<FailedBuild>> {
    let deadline = Instant::now() + LIMIT;
    let words = ["sh", "-c", command].map(str::to_owned).to_vec();
    let shell = Command { words, directory: folder.map(Path::to_owned) };
    let mut child = Child::start(&shell).map_err(io::Error::other)?;
    child.close_input();
    let mut output = Excerpt::new();
    let mut read_until = |child: &mut Child, end| {
        while let Some(piece) = child.output(end) {
            if let Output::Line(_, line) = piece {
                output.push(&String::from_utf8_lossy(&line));
            }
        }
    };
    // A process that the build leaves behind, such as a build server, may keep the output open. `exit` ends it.
    while child.exit().is_none() && Instant::now() < deadline {
        let pause = deadline.min(Instant::now() + PAUSE);
        read_until(&mut child, pause);
        child.wait(pause);
    }
    let exit = child.exit();
    child.kill();
    read_until(&mut child, Instant::now() + LAST_OUTPUT);
    let reason = match exit {
        Some(Exit::Code(0)) => return Ok(None),
        Some(exit) => format!("the build command `{command}` ended with {exit}"),
        None => format!("the build command `{command}` did not end within {} s", LIMIT.as_secs()),
    };
    Ok(Some(FailedBuild { reason, output: output.text_with("") }))
}
