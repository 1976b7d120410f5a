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
    /// Whether the script could be run.
    pub(crate) was_run: bool,
    pub(crate) time: Duration,
    pub(crate) transcript: String,
}

impl TestResult {
    /// What follows the first line of a report: the remarks, one a line, and the diff.
    pub(crate) fn details(&self) -> String {
        let remarks = self.remarks.iter().map(|remark| format!("remark: {remark}\n"));
        remarks.chain([self.diff.clone()]).collect()
    }
}
