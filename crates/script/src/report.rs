//! Reports for users and for other programs.

use std::io::{self, Write};

use game::text::printable;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use crate::result::TestResult;

/// Prints `X PASSED` or `X FAILED (reason)`, then the remarks, the diff and the errors.
pub(crate) fn test(result: &TestResult, out: &mut dyn Write) -> io::Result<()> {
    match &result.failure {
        None => writeln!(out, "{} PASSED", result.name)?,
        Some(reason) => writeln!(out, "{} FAILED ({})", result.name, printable(reason))?,
    }
    out.write_all(result.details().as_bytes())
}

/// Prints the last line: the number of tests that passed.
pub(crate) fn summary(results: &[TestResult], out: &mut dyn Write) -> io::Result<()> {
    let passed = results.iter().filter(|result| result.failure.is_none()).count();
    if passed == results.len() {
        writeln!(out, "Passed all {passed} tests.")
    } else {
        writeln!(out, "Passed {passed} out of {} tests.", results.len())
    }
}

/// Returns a report in the format of `JUnit`, for continuous integration. A remark is a property of its test.
pub(crate) fn junit(results: &[TestResult]) -> io::Result<String> {
    let mut suite = TestSuite::new("plyhouse script");
    for result in results {
        let status = match &result.failure {
            None => TestCaseStatus::success(),
            Some(reason) => {
                let kind = if result.was_run { NonSuccessKind::Failure } else { NonSuccessKind::Error };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(reason.as_str()).set_description(result.diff.clone() + &result.errors);
                status
            }
        };
        let mut case = TestCase::new(result.name.as_str(), status);
        case.set_time(result.time).set_system_out(result.transcript.as_str());
        for remark in &result.remarks {
            case.add_property(("remark", remark.as_str()));
        }
        suite.add_test_case(case);
    }
    let mut report = Report::new("plyhouse script");
    report.add_test_suite(suite);
    report.to_string().map_err(io::Error::other)
}

/// The results file of Gradescope, `results.json`: <https://gradescope-autograders.readthedocs.io/en/latest/specs/>.
#[derive(Serialize)]
struct Gradescope<'a> {
    tests: Vec<GradescopeTest<'a>>,
}

#[derive(Serialize)]
struct GradescopeTest<'a> {
    name: &'a str,
    score: f64,
    max_score: f64,
    status: &'static str,
    output: String,
}

/// Returns a results file for Gradescope, with one point per test.
pub(crate) fn gradescope(results: &[TestResult]) -> io::Result<String> {
    let tests = results.iter().map(|result| GradescopeTest {
        name: &result.name,
        score: if result.failure.is_none() { 1.0 } else { 0.0 },
        max_score: 1.0,
        status: if result.failure.is_none() { "passed" } else { "failed" },
        output: result.failure.iter().map(|reason| format!("{reason}\n")).chain([result.details()]).collect(),
    });
    serde_json::to_string_pretty(&Gradescope { tests: tests.collect() }).map_err(io::Error::other)
}
