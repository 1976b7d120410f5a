//! The command that builds the programs before the tests.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use process::{Child, Command, Exit};

use crate::excerpt::Excerpt;

/// Maximum duration of a build.
const LIMIT: Duration = Duration::from_mins(10);

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
    let mut receive = |line: &[u8]| output.push(&String::from_utf8_lossy(line));
    let exit = child.read_lines(deadline, &mut receive);
    child.read_rest(&mut receive);
    let reason = match exit {
        Some(Exit::Code(0)) => return Ok(None),
        Some(exit) => format!("the build command `{command}` ended with {exit}"),
        None => format!("the build command `{command}` did not end within {} s", LIMIT.as_secs()),
    };
    Ok(Some(FailedBuild { reason, output: output.text_with("") }))
}
