//! The harness with programs that behave and programs that do not. The programs are small shell scripts in `mocks/`.

use std::fs;
use std::path::Path;

use script::{ExitKind, Options, run_main};
use tempfile::TempDir;

/// A folder with one test in it.
struct Case {
    folder: TempDir,
    options: Options,
}

impl Case {
    /// A script of these lines for a mock.
    fn new(mock: &str, lines: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let options = Options { paths: vec![folder.path().to_owned()], ..Options::default() };
        Self { folder, options }.with_script("t-1.in", mock, lines)
    }

    fn with_script(self, file: &str, mock: &str, lines: &str) -> Self {
        let mocks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks");
        self.with_file(file, &format!("#* sh {}/{mock}\n{lines}", mocks.display()))
    }

    fn with_file(self, file: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(file), text).expect("a file");
        self
    }

    fn run(&self) -> (String, ExitKind) {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let kind = run_main(&self.options, &mut out, &mut err);
        (String::from_utf8_lossy(&out).into_owned() + &String::from_utf8_lossy(&err), kind)
    }

    /// The reason of the failure.
    fn reason(&self) -> String {
        let (report, kind) = self.run();
        assert_eq!(kind, ExitKind::Failed, "{report}");
        let line = report.lines().find(|line| line.starts_with("t FAILED")).unwrap_or_else(|| panic!("{report}"));
        line.trim_start_matches("t FAILED (").trim_end_matches(')').to_owned()
    }

    fn passes(&self) {
        assert_eq!(self.run(), ("t PASSED\nPassed all 1 tests.\n".to_owned(), ExitKind::Passed));
    }
}

const DUMP: &str = "===\n    b - w\n===\n";

#[test]
fn dumps_are_copied_and_compared() {
    Case::new("player.sh", "dump\n# a comment\n\nsay noise\ndump\nquit\n")
        .with_file("t-1.std", &DUMP.repeat(2))
        .passes();
    let (report, kind) = Case::new("player.sh", "dump\nquit\n").with_file("t-1.std", "===\n    b - b\n===\n").run();
    assert_eq!(kind, ExitKind::Failed);
    assert_eq!(
        report,
        "t FAILED (wrong output)\n--- expected\n+++ printed\n@@ -1,3 +1,3 @@\n ===\n-    b - b\n+    b - w\n ===\n\
         Passed 0 out of 1 tests.\n"
    );
}

#[test]
fn a_missing_std_is_empty() {
    Case::new("player.sh", "say hello\nquit\n").passes();
    assert_eq!(Case::new("player.sh", "dump\n").reason(), "wrong output");
}

#[test]
fn moves_wait_in_their_order() {
    let lines = "go\ngo\n#*move\n#*move\nquit\n";
    Case::new("player.sh a1-b1 A2-B2", lines).passes();
}

#[test]
fn move_win_takes_moves_until_the_result_and_may_copy_it() {
    let lines = "say * a1-b1\nsay * a2-b2 captures\nsay * Tie game.\n#*move/win+\nquit\n";
    Case::new("player.sh", lines).with_file("t-1.std", "* Tie game.\n").passes();
    Case::new("player.sh", &lines.replace('+', "")).passes();
}

#[test]
fn win_wants_a_result_and_no_move() {
    Case::new("player.sh", "say * White wins.\n#*win+\n").with_file("t-1.std", "* White wins.").passes();
    assert_eq!(
        Case::new("player.sh", "say * a1-b1\n#*win+\n").reason(),
        "unexpected move: `* a1-b1` where a win line was expected"
    );
    assert!(Case::new("player.sh", "#*win+\n").reason().starts_with("time limit exceeded waiting for a win line"));
}

#[test]
fn a_win_where_a_move_was_expected() {
    assert_eq!(
        Case::new("player.sh", "say * Black wins.\n#*move\n").reason(),
        "unexpected win: `* Black wins.` where a move was expected"
    );
}

#[test]
fn a_malformed_message_is_an_error_only_when_it_is_taken() {
    assert_eq!(Case::new("player.sh", "say * a1b1\n#*move\n").reason(), "malformed message `* a1b1`");
    assert_eq!(Case::new("player.sh", "say * 1 4\n#*move/win\n").reason(), "malformed message `* 1 4`");
    Case::new("player.sh", "say * whatever\nquit\n").passes();
}

#[test]
fn the_game_is_told_from_the_command_or_the_option() {
    let mut case = Case::new("player.sh", "say * 1 4\n#*move\n");
    case.options.game = Some(protocol::cs61b::Dialect::Jump61);
    case.passes();
    Case::new("player.sh jump61", "say * 1 4\n#*move\n").passes();
}

#[test]
fn time_limits_are_kept() {
    let reason = Case::new("hang.sh", "#*time 0.3 5\n#*move\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move, after "), "{reason}");
    let reason = Case::new("hang.sh", "#*time 5 0.3\n#*move/win\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move, after "), "{reason}");
}

#[test]
fn a_program_must_end_with_its_input() {
    assert_eq!(
        Case::new("hang.sh", "dump\n").reason(),
        "the program did not exit within 5.0s after the end of its input"
    );
}

#[test]
fn floods_are_stopped() {
    let reason = Case::new("flood.sh", "#*move\n").reason();
    assert_eq!(reason, "too much output: more than 3000 lines on standard output");
    let reason = Case::new("flood_stderr.sh", "#*move\n").reason();
    assert_eq!(reason, "too much output: more than 3000 lines on standard error");
    let reason = Case::new("flood.sh jump61", "#*move\n").reason();
    assert_eq!(reason, "too much output: more than 1000 lines on standard output");
}

#[test]
fn messages_that_nothing_asks_for_make_a_program_unresponsive() {
    let reason = Case::new("chatter.sh", "").reason();
    assert_eq!(reason, "unresponsive: more than 100 messages that nothing asked for");
}

#[test]
fn an_endless_line_is_no_answer() {
    let reason = Case::new("endless_line.sh", "#*time 0.5 5\n#*move\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move"), "{reason}");
}

#[test]
fn abnormal_ends_are_told_apart() {
    assert_eq!(Case::new("exit_one.sh", "dump\n").reason(), "abnormal exit: exit code 1");
    assert_eq!(Case::new("killed.sh", "dump\n#*move\n").reason(), "abnormal exit: signal 9, SIGKILL");
    assert_eq!(Case::new("leaves.sh", "dump\n#*move\n").reason(), "the program ended before its next move");
}

#[test]
fn a_program_that_never_reads_does_not_block_the_script() {
    let many = "dump dump dump dump dump dump dump dump\n".repeat(5_000);
    let reason = Case::new("never_reads.sh", &format!("{many}#*time 0.3 5\n#*move\n")).reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move"), "{reason}");
}

#[test]
fn a_child_that_is_left_behind_does_not_hold_the_harness() {
    let start = std::time::Instant::now();
    Case::new("leaves_child.sh", "dump\n").passes();
    assert!(start.elapsed().as_secs() < 25, "the pipe was not waited for");
}

#[test]
fn an_exception_is_a_failure() {
    assert_eq!(
        Case::new("exception.sh", "#*move\n").reason(),
        "exception: Exception in thread \"main\" java.lang.NullPointerException"
    );
}

/// Program 1 opens and wins with its second move; the programs say so with these results.
fn two(first_result: &str, second_result: &str) -> Case {
    Case::new("player.sh", "")
        .with_script(
            "t-1.in",
            &format!("player.sh a1-b1 a2-b2 {first_result}"),
            "go\n#*move\n#*remote move/win+\ndump\nquit\n",
        )
        .with_script("t-2.in", &format!("player.sh h1-g1 {second_result}"), "#*remote move/win\nquit\n")
        .with_file("t-1.std", &format!("* {}\n{DUMP}", first_result.replace('_', " ")))
}

#[test]
fn two_programs_play_each_other() {
    two("Black_wins.", "Black_wins.").passes();
    two("Tie_game.", "Tie_game.").passes();
}

#[test]
fn conflicting_results_are_a_failure() {
    assert_eq!(
        two("Black_wins.", "White_wins.").reason(),
        "program 1: conflicting results: mine is `Black wins.`, the opponent's is `White wins.`"
    );
    // The second one plays on although the first one has told it of the end.
    let case = Case::new("player.sh Tie_game.", "say * a1-b1\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "player.sh",
        "say * h1-g1\nsay * g1-f1\n#*remote move/win\n",
    );
    assert_eq!(case.reason(), "program 1: conflicting results: mine is `Tie game.`, the opponent's is `g1-f1`");
}

#[test]
fn an_opponent_that_fails_is_the_one_that_is_named() {
    let case =
        two("Black_wins.", "Black_wins.").with_script("t-2.in", "exit_one.sh", "#*time 1 5\n#*remote move/win\n");
    let reason = case.with_file("t-1.std", "").reason();
    assert!(reason.starts_with("program 2: ") || reason.starts_with("program 1: time limit"), "{reason}");
}

#[test]
fn waiting_for_the_opponent_uses_up_the_game_clock() {
    let case = Case::new("player.sh a1-b1", "#*time 20 0.4\ngo\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "hang.sh",
        "#*time 3 3\n#*remote move/win\n",
    );
    let reason = case.reason();
    assert!(reason.contains("time limit exceeded waiting for the opponent's move"), "{reason}");
}

#[test]
fn remote_needs_a_second_program() {
    let (report, kind) = Case::new("player.sh", "#*remote move/win\n").run();
    assert_eq!(kind, ExitKind::NotRun);
    assert_eq!(report.lines().next(), Some("t FAILED (line 2: a remote directive needs a second program)"));
}

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

#[test]
fn reports_for_machines() {
    let mut case = Case::new("player.sh", "dump\n").with_script("u-1.in", "player.sh", "quit\n");
    let out = tempfile::tempdir().expect("a folder");
    case.options.junit = Some(out.path().join("junit.xml"));
    case.options.gradescope = Some(out.path().join("results.json"));
    case.options.transcripts = Some(out.path().join("transcripts"));
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
fn a_recorded_game_is_a_test_that_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mock = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/player.sh");
    let options = script::RecordOptions {
        name: folder.path().join("game"),
        command: format!("sh {} a1-b1 a2-b2 White_wins.", mock.display()),
        game: None,
        cwd: None,
        force: false,
        interactive: false,
    };
    let record = |input: &str| {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let kind = script::record(&options, &mut input.as_bytes(), &mut out, &mut err);
        (kind, String::from_utf8_lossy(&[out, err].concat()).into_owned())
    };
    // As a log of the game has it, with the program's own move after the command that brought it about.
    let (kind, shown) = record("# a game\nh1-g1\na1-b1\ndump\ng1-f1\nquit\nnever sent\n");
    assert_eq!(kind, ExitKind::Passed, "{shown}");
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).expect("a file");
    let steps = read("game-1.in");
    let (_, steps) = steps.split_once('\n').expect("a command line");
    assert_eq!(steps, "# a game\nh1-g1\n#*move\ndump\ng1-f1\n#*move\n#*win+\ndump\nquit\n");
    assert_eq!(read("game-1.std"), format!("{DUMP}* White wins.\n{DUMP}"));
    let (kind, shown) = record("quit\n");
    assert!(kind == ExitKind::NotRun && shown.contains("exists: expected a new name, or --force"), "{shown}");
}

#[test]
fn text_after_a_move_is_ignored() {
    Case::new("player.sh", "say * A2-c2.\n#*move\nsay * a2-c2, a capture\n#*move\n").passes();
    Case::new("player.sh jump61", "say * 10 10.\n#*move\n").passes();
}

#[test]
fn the_folder_of_a_replacement_does_not_tell_the_game() {
    let mut case = Case::new("player.sh", "").with_file("t-1.in", "#* java -ea loa.Main\nsay * a2-c2\n#*move\n");
    let folder = case.folder.path().join("jump61");
    fs::create_dir(&folder).expect("a folder");
    let mock = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks/player.sh");
    fs::copy(mock, folder.join("mine.sh")).expect("a copy");
    case.options.commands = vec![format!("sh {}/mine.sh", folder.display())];
    case.passes();
}

#[test]
fn a_result_that_is_taken_by_win_is_passed_too() {
    let lines = "say * a1-b1\n#*move\nsay * Black wins.\n#*win+\nquit\n";
    Case::new("player.sh", lines)
        .with_script("t-2.in", "player.sh Black_wins.", "#*time 5 5\n#*remote move/win\nquit\n")
        .with_file("t-1.std", "* Black wins.\n")
        .passes();
}

#[test]
fn an_opponent_whose_script_has_ended_did_not_fail() {
    let case = Case::new("player.sh", "quit\n").with_script("t-2.in", "player.sh", "#*remote move/win\n");
    assert_eq!(case.reason(), "program 2: waiting for the opponent's move, but its script has ended");
}

#[test]
fn a_move_has_its_limit_while_waiting_for_the_opponent() {
    let start = std::time::Instant::now();
    let case = Case::new("player.sh a1-b1", "#*time 0.4 60\ngo\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "hang.sh",
        "#*time 50 50\n#*remote move/win\n",
    );
    let reason = case.reason();
    assert!(reason.starts_with("program 1: time limit exceeded waiting for the opponent's move"), "{reason}");
    assert!(start.elapsed().as_secs() < 40, "the other program is not waited for");
}

#[test]
fn of_two_that_wait_for_one_the_one_is_named() {
    let case = Case::new("player.sh a1-b1", "#*time 1 1\ngo\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "hang.sh",
        "#*time 1 1\n#*remote move/win\n",
    );
    let reason = case.reason();
    assert!(reason.starts_with("program 2: time limit exceeded waiting for my move"), "{reason}");
}

/// Records this input for a mock; what was shown, and the script without its first line.
fn recorded(mock: &str, arguments: &str, interactive: bool, input: &str) -> (ExitKind, String, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mock = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mocks").join(mock);
    let options = script::RecordOptions {
        name: folder.path().join("game"),
        command: format!("sh {} {arguments}", mock.display()),
        game: None,
        cwd: None,
        force: false,
        interactive,
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let kind = script::record(&options, &mut input.as_bytes(), &mut out, &mut err);
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).unwrap_or_default();
    let steps = read("game-1.in").split_once('\n').map(|(_, steps)| steps.to_owned()).unwrap_or_default();
    (kind, String::from_utf8_lossy(&[out, err].concat()).into_owned(), steps, read("game-1.std"))
}

#[test]
fn a_move_that_the_program_made_earlier_may_be_played_again() {
    // Only right after the program's move can the same move be that of a log.
    let (kind, shown, steps, _) = recorded("player.sh", "a1-b1", false, "h1-g1\nmanual white\na1-b1\nquit\n");
    assert_eq!(
        (kind, steps.as_str()),
        (ExitKind::Passed, "h1-g1\n#*move\nmanual white\na1-b1\ndump\nquit\n"),
        "{shown}"
    );
    let (kind, shown, steps, _) = recorded("player.sh", "a1-b1", true, "h1-g1\na1-b1\nquit\n");
    assert_eq!((kind, steps.as_str()), (ExitKind::Passed, "h1-g1\n#*move\na1-b1\ndump\nquit\n"), "{shown}");
}

#[test]
fn a_prompt_may_come_in_pieces() {
    let (kind, shown, steps, standard) = recorded("slow_prompt.sh", "", true, "go\nseed 1\nquit\n");
    assert_eq!((kind, steps.as_str()), (ExitKind::Passed, "go\n#*move\nseed 1\ndump\nquit\n"), "{shown}");
    assert_eq!(standard, DUMP);
    assert!(shown.starts_with("b> * a2-c2\nb> b> ===\n"), "{shown}");
}

#[test]
fn a_program_that_leaves_by_itself_ends_the_recording() {
    let (kind, shown, steps, _) = recorded("leaves.sh", "", true, "qui\nnever sent\n");
    assert_eq!((kind, steps.as_str()), (ExitKind::Passed, "qui\n"), "{shown}");
    let (kind, shown, steps, _) = recorded("killed.sh", "", true, "dump\n");
    assert_eq!((kind, steps.as_str()), (ExitKind::NotRun, ""), "{shown}");
    assert!(shown.contains("the program has ended with signal 9, SIGKILL; nothing was written"), "{shown}");
}

#[test]
fn a_win_line_is_copied_as_it_was_printed() {
    let case = |std: &str| Case::new("player.sh", "say *White  wins.\n#*win+\n").with_file("t-1.std", std);
    case("*White  wins.\n").passes();
    assert_eq!(case("* White wins.\n").reason(), "wrong output");
}

#[test]
fn a_mark_may_be_followed_by_text() {
    let lines = "say === after 3 moves\nsay * a1-b1\nsay ====\nsay nothing\n";
    Case::new("player.sh", lines).with_file("t-1.std", "=== after 3 moves\n* a1-b1\n====\n").passes();
}

#[test]
fn a_second_program_that_does_not_start_is_a_script_that_cannot_be_run() {
    for mock in ["exit_one.sh", "player.sh"] {
        let case = Case::new(mock, "dump\n").with_file("t-2.in", "#* no-such-program-anywhere\n");
        let (report, kind) = case.run();
        assert_eq!(kind, ExitKind::NotRun, "{report}");
        assert!(report.starts_with("t FAILED (program 2: cannot start `no-such-program-anywhere`: "), "{report}");
    }
}

#[test]
fn a_program_that_closes_its_outputs_runs_out_of_time() {
    let reason = Case::new("closes_outputs.sh", "#*time 0.3 5\n#*move\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move"), "{reason}");
}

#[test]
fn a_hundred_unread_messages_are_not_too_many() {
    Case::new("player.sh", &"say * a1-b1\n".repeat(100)).passes();
    let reason = Case::new("player.sh", &"say * a1-b1\n".repeat(101)).reason();
    assert_eq!(reason, "unresponsive: more than 100 messages that nothing asked for");
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

#[test]
fn directives_in_what_is_recorded_are_left_out() {
    // As when the lines come from another script.
    let (kind, shown, steps, _) = recorded("player.sh", "a1-b1", false, "#* java -ea loa.Main\n#*move\ngo\nquit\n");
    assert_eq!((kind, steps.as_str()), (ExitKind::Passed, "go\n#*move\ndump\nquit\n"), "{shown}");
}

#[test]
fn a_late_first_prompt_is_waited_for() {
    let (kind, shown, steps, _) = recorded("late_prompt.sh", "", true, "go\nquit\n");
    assert_eq!((kind, steps.as_str()), (ExitKind::Passed, "go\n#*move\ndump\nquit\n"), "{shown}");
}
