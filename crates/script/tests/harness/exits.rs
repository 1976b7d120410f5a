//! Tests of the ways in which a program can end.

use std::fs;

use script::ExitKind;

use crate::common::{Case, DUMP};

#[test]
fn abnormal_exits_are_distinguished() {
    assert_eq!(Case::new("exit_one.sh", "dump\n").reason(), "abnormal exit: exit code 1");
    assert_eq!(Case::new("killed.sh", "dump\n#*move\n").reason(), "abnormal exit: signal 9, SIGKILL");
    assert_eq!(Case::new("exit_two.sh", "dump\n#*move\n").reason(), "abnormal exit: exit code 2");
}

#[test]
fn the_standard_error_of_a_failed_program_is_in_every_report() {
    let shown = "standard error:\nTraceback (most recent call last):\nNameError: name 'x' is not defined\u{1b}[0m\n";
    let escaped = shown.replace('\u{1b}', "\\u001b");
    let mut case = Case::new("traceback.sh", "dump\n");
    let out = tempfile::tempdir().expect("a folder");
    case.options.junit = Some(out.path().join("junit.xml"));
    case.options.gradescope = Some(out.path().join("results.json"));
    let (report, _) = case.run();
    assert_eq!(report, format!("t FAILED (abnormal exit: exit code 1)\n{escaped}Passed 0 out of 1 tests.\n"));
    let read = |file: &str| fs::read_to_string(out.path().join(file)).expect("a report");
    assert!(read("junit.xml").contains("NameError: name &apos;x&apos; is not defined"), "{}", read("junit.xml"));
    let results: serde_json::Value = serde_json::from_str(&read("results.json")).expect("JSON");
    assert_eq!(results["tests"][0]["output"], format!("abnormal exit: exit code 1\n{escaped}"));
    // The standard error of a program that passes is not reported.
    let report = Case::new("player.sh", "warn careful\nquit\n").run().0;
    assert_eq!(report, "t PASSED\nPassed all 1 tests.\n");
    // If there are two programs, the report says which one it is about.
    let case = Case::new("player.sh", "quit\n").with_script("t-2.in", "traceback.sh", "dump\n");
    let report = case.run().0;
    assert!(report.contains("\nprogram 2: standard error:\nTraceback"), "{report}");
}

#[test]
fn the_whole_stack_trace_of_an_exception_is_shown() {
    let report = Case::new("exception.sh", "#*move\n").run().0;
    assert!(
        report.contains("\tat loa.Main.main(Main.java:10)\nCaused by: java.lang.Error\n\t... 1 more\n"),
        "{report}"
    );
}

#[test]
fn a_program_that_exits_with_code_0_is_judged_by_its_output() {
    let early =
        |what: &str| format!("the program exited with code 0 before {what}; the rest of the script was skipped");
    Case::new("leaves.sh", "dump\n#*move\nquit\n").passes_with(&early("its next move"));
    Case::new("leaves.sh", "dump\n#*move/win+\n").passes_with(&early("its next move"));
    Case::new("leaves.sh", "dump\n#*win+\n").passes_with(&early("a win line"));
    let case = Case::new("wins_and_leaves.sh", "go\n#*move\n#*win+\n#*move\n");
    case.with_file("t-1.std", "* Black wins.\n").passes_with(&early("its next move"));

    let case = Case::new("leaves.sh", "dump\n#*win+\n").with_file("t-1.std", "* White wins.\n");
    let (report, kind) = case.run();
    assert_eq!(kind, ExitKind::Failed);
    let start = format!("t FAILED (wrong output)\nremark: {}\n--- expected\n", early("a win line"));
    assert!(report.starts_with(&start), "{report}");
}

#[test]
fn an_early_exit_is_in_every_report() {
    let mut case = Case::new("leaves.sh", "dump\n#*move\n").with_script("u-1.in", "leaves.sh", "dump\n#*win+\n");
    case = case.with_file("u-1.std", DUMP);
    let out = tempfile::tempdir().expect("a folder");
    case.options.junit = Some(out.path().join("junit.xml"));
    case.options.gradescope = Some(out.path().join("results.json"));
    case.options.transcripts = Some(out.path().to_owned());
    assert_eq!(case.run().1, ExitKind::Failed);
    let read = |file: &str| fs::read_to_string(out.path().join(file)).expect("a report");
    let (passed, failed) =
        ("the program exited with code 0 before its next move", "the program exited with code 0 before a win line");
    assert!(read("t.transcript").contains(passed));
    let junit = read("junit.xml");
    assert!(junit.contains(&format!("<property name=\"remark\" value=\"{passed}")), "{junit}");
    assert!(junit.contains(&format!("<property name=\"remark\" value=\"{failed}")), "{junit}");
    let results: serde_json::Value = serde_json::from_str(&read("results.json")).expect("JSON");
    let output = |test: usize| results["tests"][test]["output"].as_str().expect("a text").to_owned();
    assert!(output(0).starts_with(&format!("remark: {passed}")), "{results}");
    assert!(output(1).starts_with(&format!("wrong output\nremark: {failed}")), "{results}");
}

#[test]
fn a_child_that_is_left_behind_does_not_block_the_harness() {
    let start = std::time::Instant::now();
    Case::new("leaves_child.sh", "dump\n").passes();
    assert!(start.elapsed().as_secs() < 100, "the harness waited for the pipe");
}

#[test]
fn an_exception_is_a_failure() {
    assert_eq!(
        Case::new("exception.sh", "#*move\n").reason(),
        "exception: Exception in thread \"main\" java.lang.NullPointerException"
    );
}
