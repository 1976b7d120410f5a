//! Reports for users and for other programs.

use std::io::{self, Write};

use game::text::printable;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use serde::Serialize;

use crate::build::FailedBuild;
use crate::grading::{Grading, Visibility};
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
    execution_time: f64,
    /// Always `hidden`: the standard output of the test run includes the hidden tests.
    stdout_visibility: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    tests: Vec<GradescopeTest<'a>>,
}

#[derive(Serialize)]
struct GradescopeTest<'a> {
    name: &'a str,
    score: f64,
    max_score: f64,
    status: &'static str,
    visibility: &'static str,
    output: String,
}

/// Returns a results file for Gradescope. If the build failed, its output is at the top of the file.
pub(crate) fn gradescope(
    results: &[TestResult],
    grading: &Grading,
    failed_build: Option<&FailedBuild>,
) -> io::Result<String> {
    let tests = results.iter().map(|result| {
        let reason = result.failure.iter().map(|reason| format!("{reason}\n"));
        let max_score = grading.points(&result.name);
        GradescopeTest {
            name: &result.name,
            score: if result.failure.is_none() { max_score } else { 0.0 },
            max_score,
            status: if result.failure.is_none() { "passed" } else { "failed" },
            visibility: grading.visibility(&result.name).name(),
            output: grading.cut(reason.chain([result.details()]).collect()),
        }
    });
    let file = Gradescope {
        execution_time: results.iter().map(|result| result.time.as_secs_f64()).sum(),
        stdout_visibility: Visibility::Hidden.name(),
        output: failed_build.map(|failed| grading.cut(format!("{}\n{}", failed.reason, failed.output))),
        tests: tests.collect(),
    };
    serde_json::to_string_pretty(&file).map_err(io::Error::other)
}
