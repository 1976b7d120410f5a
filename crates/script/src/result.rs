//! The result of a test.

use std::time::Duration;

/// A finished test.
pub(crate) struct TestResult {
    pub(crate) name: String,
    /// Why it failed.
    pub(crate) failure: Option<String>,
    /// What is worth knowing although it is no failure.
    pub(crate) remarks: Vec<String>,
    /// From the expected output to the printed one; empty if they agree.
    pub(crate) diff: String,
    /// Standard error of the programs of a failed test, with a heading for each.
    pub(crate) errors: String,
    /// Whether the script could be run.
    pub(crate) was_run: bool,
    pub(crate) time: Duration,
    pub(crate) transcript: String,
}

impl TestResult {
    /// Returns what follows the first line of a report: the remarks, one a line, the diff, and the programs' errors.
    pub(crate) fn details(&self) -> String {
        let remarks = self.remarks.iter().map(|remark| format!("remark: {remark}\n"));
        remarks.chain([self.diff.clone(), self.errors.clone()]).collect()
    }
}
