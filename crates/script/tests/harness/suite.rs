//! Tests of suites, replaced commands, exit codes and reports.

use std::fs;

use script::{ExitKind, Options};

use crate::common::{Case, DUMP, mocks};
use crate::two_programs::two;

#[test]
fn tests_that_cannot_be_run_have_their_own_exit_code() {
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
fn commands_are_replaced_in_order_and_a_single_one_replaces_all() {
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
fn machine_readable_reports_are_written() {
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
    let (report, kind) = older("start\n%time 5\nquit\n", "").run();
    assert_eq!(kind, ExitKind::NotRun);
    assert!(report.contains("t.in: line 6: `%time 5` found, expected a directive of CS61B's scripts from"), "{report}");
    // One file has the scripts of two programs, and the `.out` file has a part for each.
    let text = format!("{command}\n{command}\n===#1===\ndump\n===#2===\ndump\ndump\n");
    let case = older("", &format!("Program #1:\n{DUMP}Program #2:\n{DUMP}")).with_file("t.in", &text);
    assert_eq!(case.reason(), "program 2: wrong output");
    case.with_file("t.out", &format!("Program #1:\n{DUMP}Program #2:\n{DUMP}{DUMP}")).passes();
}

/// Creates a test of one or two Jump61 programs. Each entry of `programs` has the arguments of `older.sh`, or is the
/// text `None` for a missing program. `blocks` has the lines for the two programs, and `out` is the expected output.
fn percent(programs: [&str; 2], blocks: [&str; 2], out: &str) -> Case {
    let command = |arguments: &str| match arguments {
        "None" => "None".to_owned(),
        arguments => format!("sh {}/older.sh {arguments}", mocks().display()),
    };
    let [first, second] = programs.map(command);
    let text = format!("# jump61\n{first}\n{second}\n===#1===\n{}===#2===\n{}", blocks[0], blocks[1]);
    let mut case = Case::new("player.sh", "").with_file("t.in", &text).with_file("t.out", out);
    case.options.game = Some(protocol::cs61b::CourseGame::Jump61);
    fs::remove_file(case.folder.path().join("t-1.in")).expect("removed");
    case
}

#[test]
fn percent_directives_take_moves_and_results_of_one_program() {
    let game = "Red_moves_1_1.+Blue_moves_2_2.+Blue_wins.";
    let one = |lines: &str, out: &str| percent([game, "None"], [lines, ""], out);
    one("start\n# Blue wins.\n%rb\n%eb\ndump\nquit\n", &format!("Program #1:\n{DUMP}")).passes();
    one("start\n%rb\n%e\n", "").passes();
    one("start\n%mr\n%mb\n%ae\nquit\n", "Program #1:\nBlue wins.\n").passes();
    for (lines, reason) in [
        ("start\n%rb\n%er\n", "unexpected message `Blue wins.` at `%er`"),
        ("start\n%br\n", "unexpected message `Red moves 1 1.` at `%br`"),
        ("quit\n%eb\n", "the program exited with code 0 before `%eb`"),
        ("start\n%mb\n", "unexpected message `Red moves 1 1.` at `%mb`"),
        ("start\n%e\n", "unexpected message `Red moves 1 1.` at `%e`"),
    ] {
        assert_eq!(one(lines, "").reason(), reason);
    }
    let (report, kind) = one("start\n%ib\n", "").run();
    assert_eq!(kind, ExitKind::NotRun, "{report}");
}

#[test]
fn percent_directives_let_two_programs_play() {
    let first = "Red_moves_1_1. Red_moves_1_2.+Red_wins.";
    let blocks = ["start\n%mr\n%ib...\n%e\ndump\nquit\n", "%ir...\n%er\nquit\n"];
    percent([first, "Blue_moves_2_2. Red_wins."], blocks, DUMP).passes();
    // The second program wins.
    let second = "Blue_moves_2_2.+Blue_wins.";
    percent(["Red_moves_1_1. Blue_wins.", second], [blocks[0], "%ir.\n%eb\n"], DUMP).passes();
    // Single moves.
    let single = ["start\n%mr\n%ib\n%mr\n%er\n", "%ir\n%mb\n%ir\n%ae\n"];
    percent([first, "Blue_moves_2_2. Red_wins."], single, "Program #2:\nRed wins.\n").passes();
    let conflict = percent([first, "Blue_moves_2_2. Blue_wins."], blocks, DUMP).reason();
    assert_eq!(conflict, "program 2: unexpected message `Blue wins.` at `%er`");
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
fn tests_with_the_same_name_have_separate_transcripts() {
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
