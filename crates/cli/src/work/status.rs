//! Lines about workers on standard error.

use std::io::{IsTerminal, Write, stderr};

use ledger::Address;
use measure::jobs::no_worker;

/// Prints a line on standard error. If it is `live`, the next line replaces it.
pub(super) fn print_status(line: &str, live: bool) {
    let end = if live { "" } else { "\n" };
    let begin = if stderr().is_terminal() { "\r\x1b[K" } else { "" };
    let _ = write!(stderr(), "{begin}{line}{end}");
}

/// Reports that no worker is connected.
pub(crate) fn note_alone(address: &Address) {
    print_status(&no_worker(address), false);
}
