//! How `plyhouse prove` ends without a proof: its exit codes, and the report of an interrupted search.

use std::io::{IsTerminal, Write, stderr};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use process::interrupt;

use crate::streams::fail;

/// Exit code if the win is not proven.
pub(super) const NOT_PROVEN: u8 = 1;
/// Exit code for wrong usage.
const USAGE: u8 = 2;

/// Prints an error and returns the exit code for wrong usage.
pub(super) fn usage_error(error: &anyhow::Error) -> ExitCode {
    let _ = fail(error);
    ExitCode::from(USAGE)
}

/// Prints the number of visited positions and the result when the program is interrupted.
pub(super) fn report_on_interrupt(
    visited: &Arc<AtomicU64>,
    began: Instant,
    result: impl FnOnce() -> String + Send + 'static,
) -> anyhow::Result<()> {
    let visited = Arc::clone(visited);
    interrupt::before_end(move || {
        let (nodes, seconds) = (visited.load(Ordering::Relaxed) as f64 / 1e6, began.elapsed().as_secs_f64());
        let line = if stderr().is_terminal() { "\r\x1b[K" } else { "" };
        let _ = writeln!(stderr(), "{line}interrupted after {seconds:.0} s and {nodes:.1} M positions: {}", result());
    });
    interrupt::end_children_on_interrupt()?;
    Ok(())
}
