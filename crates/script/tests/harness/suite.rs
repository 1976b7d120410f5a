//! Tests of suites, replaced commands, exit codes and reports.

use std::fs;

use script::{ExitKind, Options};

use crate::common::{Case, DUMP, mocks};
use crate::two_programs::two;

#[test]
fn what_cannot_be_run_has_an_exit_code_of_its_own() {
    let (report, kind) = Case::new("player.sh", "").with_file("t-1.in", "#* no-such-program-anywhere\n").run();
    assert_eq!(kind, ExitKind::NotRun);
    assert!(report.starts_with("t FAILED (cannot start `no-such-program-anywhere`: "), "{report}");
    let (report, kind) = Case::new("player.sh", "").with_file("t-1.in", "#* cat\n#*wait\n").run();
    assert_eq!(kind, ExitKind::NotRun);
    assert!(report.contains("t-1.in: line 2: unknown directive `wait`"), "{report}");
    let (_, kind) = Case { options: Options::default(), ..Case::new("player.sh", "") }.run();
    assert_eq!(kind, ExitKind::NotRun);
}

#[test]
fn commands_are_replaced_in_order_and_one_serves_all() {
    let mut case = two("Black_wins.", "Black_wins.");
    for file in ["t-1.in", "t-2.in"] {
        let path = case.folder.path().join(file);
        let text = fs::read_to_string(&path).expect("a script");
        let (command, rest) = text.split_once('\n').expect("a command line");
        case.options.commands.push(command.trim_start_matches("#* ").to_owned());
        fs::write(&path, format!("#* java -ea loa.Main\n{rest}")).expect("a script");
    }
    case.options.commands.push("surplus".to_owned());
    case.passes();
    let mut case = Case::new("player.sh", "").with_file("t-1.in", "#* java -ea loa.Main\nhello\n");
    case.options.commands = vec!["cat".to_owned()];
    case.passes();
}

/// Requests every kind of report in a new folder.
fn with_reports(case: &mut Case) -> tempfile::TempDir {
    let out = tempfile::tempdir().expect("a folder");
    case.options.junit = Some(out.path().join("junit.xml"));
    case.options.gradescope = Some(out.path().join("results.json"));
    case.options.transcripts = Some(out.path().join("transcripts"));
    out
}

#[test]
fn reports_for_machines() {
    let mut case = Case::new("player.sh", "dump\n").with_script("u-1.in", "player.sh", "quit\n");
    let out = with_reports(&mut case);
    let (report, kind) = case.run();
    assert_eq!(kind, ExitKind::Failed);
    assert!(report.ends_with("u PASSED\nPassed 1 out of 2 tests.\n"), "{report}");
    let junit = fs::read_to_string(out.path().join("junit.xml")).expect("a report");
    assert!(junit.contains("tests=\"2\"") && junit.contains("failures=\"1\""), "{junit}");
    assert!(junit.contains("wrong output"), "{junit}");
    let results = fs::read_to_string(out.path().join("results.json")).expect("a report");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["tests"][0]["status"], "failed");
    assert_eq!(results["tests"][1]["score"], 1.0);
    let transcript = fs::read_to_string(out.path().join("transcripts/t.transcript")).expect("a transcript");
    assert!(transcript.contains("1 <- dump") && transcript.contains("1 -> b> ==="), "{transcript}");
}

#[test]
fn scripts_of_2010_to_2016_send_lines_and_compare_dumps() {
    let command = format!("sh {}/player.sh", mocks().display());
    let older = |lines: &str, out: &str| {
        let text = format!("# A comment\njava -ea loa.Main\nNone\n===#1===\n{lines}===#2===\n");
        let mut case = Case::new("player.sh", "").with_file("t.in", &text).with_file("t.out", out);
        fs::remove_file(case.folder.path().join("t-1.in")).expect("removed");
        case.options.commands = vec![command.clone()];
        case
    };
    older("dump\nquit\n", &format!("Program #1:\n{}", DUMP.trim_end())).passes();
    assert_eq!(older("dump\nquit\n", "Program #1:\n===\n===\n").reason(), "wrong output");
    let (report, kind) = older("start\n%eb\nquit\n", "").run();
    assert_eq!(kind, ExitKind::NotRun);
    assert!(report.contains("t.in: line 6: `%eb` found, but of CS61B's scripts from 2010 to 2016"), "{report}");
    // Two programs in one file, each with its part of the output.
    let text = format!("{command}\n{command}\n===#1===\ndump\n===#2===\ndump\ndump\n");
    let case = older("", &format!("Program #1:\n{DUMP}Program #2:\n{DUMP}")).with_file("t.in", &text);
    assert_eq!(case.reason(), "program 2: wrong output");
    case.with_file("t.out", &format!("Program #1:\n{DUMP}Program #2:\n{DUMP}{DUMP}")).passes();
}

#[test]
fn a_flood_of_output_is_shortened_in_reports_but_not_in_transcripts() {
    let mut case = Case::new("long_dump.sh", "dump\n").with_file("t-1.std", "===\n===\n");
    let out = with_reports(&mut case);
    let (report, kind) = case.run();
    assert_eq!(kind, ExitKind::Failed);
    assert!(report.contains(" lines left out; `--transcripts DIR` keeps them)\n"), "{report}");
    let read = |file: &str| fs::read_to_string(out.path().join(file)).expect("a report");
    for (file, text) in [("report", report), ("JUnit", read("junit.xml")), ("Gradescope", read("results.json"))] {
        assert!(text.len() < 40_000, "{file}: {} bytes", text.len());
    }
    let transcript = read("transcripts/t.transcript");
    let whole = "x".repeat(3_000);
    assert_eq!(transcript.lines().filter(|line| line.ends_with(&whole)).count(), 1_000);
}

#[test]
fn tests_of_one_name_have_a_transcript_each() {
    let mut case = Case::new("player.sh", "say from the first\n");
    let other = Case::new("player.sh", "say from the second\n");
    case.options.paths.push(other.folder.path().to_owned());
    let out = tempfile::tempdir().expect("a folder");
    case.options.transcripts = Some(out.path().to_owned());
    assert_eq!(case.run().1, ExitKind::Passed);
    let read = |file: &str| fs::read_to_string(out.path().join(file)).expect("a transcript");
    assert!(read("t.transcript").contains("from the first"));
    assert!(read("t.2.transcript").contains("from the second"));
}
