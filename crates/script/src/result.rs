//! The result of a test.

use std::time::Duration;

/// A finished test.
pub(crate) struct TestResult {
    pub(crate) name: String,
    /// Reason of the failure, if the test failed.
    pub(crate) failure: Option<String>,
    /// Notable events that are not failures.
    pub(crate) remarks: Vec<String>,
    /// Diff from the expected output to the printed one; empty if they match.
    pub(crate) diff: String,
    /// Standard error of the programs of a failed test, with a heading for each.
    pub(crate) errors: String,
    /// `true` if the script could be run.
    pub(crate) was_run: bool,
    pub(crate) time: Duration,
    pub(crate) transcript: String,
}

impl TestResult {
    /// Creates the result of a test that passed without remarks.
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            failure: None,
            remarks: Vec::new(),
            diff: String::new(),
            errors: String::new(),
            was_run: true,
            time: Duration::ZERO,
            transcript: String::new(),
        }
    }

    /// Returns the text that follows the first line of a report: the remarks, one per line, the diff, and the programs'
    /// errors.
    pub(crate) fn details(&self) -> String {
        let remarks = self.remarks.iter().map(|remark| format!("remark: {remark}\n"));
        remarks.chain([self.diff.clone(), self.errors.clone()]).collect()
    }
}
