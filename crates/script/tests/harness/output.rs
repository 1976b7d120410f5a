//! Tests of the copied output and its comparison with the `.std` file.

use script::ExitKind;

use crate::common::{Case, DUMP};

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
    let (report, kind) = Case::new("player.sh", "dump\n").run();
    assert_eq!(kind, ExitKind::Failed);
    assert_eq!(
        report,
        "t FAILED (wrong output: t-1.std is missing, so no output was expected)\n\
         remark: `plyhouse script --record NAME --command CMD < t-1.in` writes a test with the output of CMD\n\
         Passed 0 out of 1 tests.\n"
    );
    // An empty file does not count as missing.
    assert_eq!(Case::new("player.sh", "dump\n").with_file("t-1.std", "").reason(), "wrong output");
}

#[test]
fn text_may_follow_the_mark_of_a_dump() {
    let lines = "say === after 3 moves\nsay * a1-b1\nsay ====\nsay nothing\n";
    Case::new("player.sh", lines).with_file("t-1.std", "=== after 3 moves\n* a1-b1\n====\n").passes();
}

#[test]
fn runs_of_spaces_in_a_win_line_are_collapsed() {
    let case =
        |line: &str, std: &str| Case::new("player.sh", &format!("say {line}\n#*win+\n")).with_file("t-1.std", std);
    case("*   White   wins.  ", "* White wins.\n").passes();
    // Nothing else is changed: a missing space stays missing, and only spaces are collapsed, not tabs.
    case("*White  wins.", "*White wins.\n").passes();
    assert_eq!(case("*White wins.", "* White wins.\n").reason(), "wrong output");
    case("* White\t wins.", "* White\t wins.\n").passes();
    // The `.std` file must contain the collapsed line.
    assert_eq!(case("*  White wins.", "*  White wins.\n").reason(), "wrong output");
}

#[test]
fn bytes_outside_ascii_are_dropped_from_the_output() {
    let case = |std: &str| Case::new("player.sh", "say ===\nsay xé y\nsay ===é\n").with_file("t-1.std", std);
    case("===\nx y\n===\n").passes();
    let (report, kind) = case("===\nxé y\n===\n").run();
    assert_eq!(kind, ExitKind::Failed);
    let remark = "t FAILED (wrong output)\nremark: bytes outside ASCII that the program printed were dropped, ";
    assert!(report.starts_with(remark), "{report}");
    Case::new("player.sh", "say é* a1-b1\n#*move\n").passes();
}

#[test]
fn blanks_before_a_comment_count() {
    let std = DUMP.replace("w\n", "w # a comment\n");
    let case = Case::new("player.sh", "dump\n").with_file("t-1.std", &std);
    assert_eq!(case.reason(), "wrong output: the blanks before a `#` comment count; remove them in t-1.std");
    case.with_file("t-1.std", &std.replace(" #", "#")).passes();
}

#[test]
fn a_missing_newline_at_the_end_of_the_std_file_is_a_failure() {
    let mut case = Case::new("player.sh", "dump\n").with_file("t-1.std", DUMP.trim_end());
    assert_eq!(
        case.run(),
        ("t FAILED (no newline at the end of t-1.std)\nPassed 0 out of 1 tests.\n".to_owned(), ExitKind::Failed)
    );
    case.options.lenient = true;
    case.passes();
    // A comment or blank line after the last newline needs no newline of its own.
    for end in ["# the end", "  ", "\n# the end"] {
        Case::new("player.sh", "dump\n").with_file("t-1.std", &format!("{DUMP}{end}")).passes();
    }
    let case = Case::new("player.sh", "dump\n").with_file("t-1.std", &format!("{}# the end", DUMP.trim_end()));
    assert_eq!(case.reason(), "no newline at the end of t-1.std");
}

#[test]
fn a_missing_newline_at_the_end_of_the_output_is_a_failure() {
    let mut case = Case::new("no_newline.sh", "dump\n").with_file("t-1.std", DUMP);
    assert_eq!(case.reason(), "no newline at the end of the program's output");
    case.options.lenient = true;
    case.passes();
    // The expected and the printed output both lack a newline.
    Case::new("no_newline.sh", "dump\n").with_file("t-1.std", DUMP.trim_end()).passes();
    Case::new("late_newline.sh", "dump\n").with_file("t-1.std", DUMP).passes();
    // The newline may be missing from a line that is not copied, such as a prompt.
    Case::new("player.sh", "dump\n").with_file("t-1.std", DUMP).passes();
}

#[test]
fn other_differences_come_before_a_missing_newline() {
    let mut case = Case::new("player.sh", "dump\n").with_file("t-1.std", "===\n    b - b\n===");
    for lenient in [false, true] {
        case.options.lenient = lenient;
        assert_eq!(case.reason(), "wrong output");
    }
}

#[test]
fn the_program_without_a_newline_is_named() {
    let case = Case::new("player.sh", "dump\n").with_file("t-1.std", DUMP).with_script("t-2.in", "player.sh", "dump\n");
    let case = case.with_file("t-2.std", DUMP.trim_end());
    assert_eq!(case.reason(), "program 2: no newline at the end of t-2.std");
}

#[test]
fn a_dump_between_the_winning_move_and_win_may_come_first_or_last() {
    let win = "* White wins.\n";
    let case = |lines: &str, std: &str| {
        Case::new("player.sh a1-b1 White_wins. a2-b2 White_wins.", lines).with_file("t-1.std", std)
    };
    let lines = "go\n#*move\ndump\n#*win+\nquit\n";
    // The script's order is accepted, and the order of a program that prints its win line with the move.
    case(lines, &format!("{DUMP}{win}")).passes();
    case(lines, &format!("{win}{DUMP}")).passes();
    assert_eq!(case(lines, win).reason(), "wrong output");
    assert_eq!(case(lines, &format!("{win}{DUMP}{DUMP}")).reason(), "wrong output");
    // Only the dumps requested between the winning move and the win line may come after the win line.
    let lines = "dump\ngo\n#*move\ndump\n#*win+\ndump\nquit\n";
    case(lines, &format!("{DUMP}{DUMP}{win}{DUMP}")).passes();
    case(lines, &format!("{DUMP}{win}{DUMP}{DUMP}")).passes();
    assert_eq!(case(lines, &format!("{DUMP}{DUMP}{DUMP}{win}")).reason(), "wrong output");
    assert_eq!(case(lines, &format!("{win}{DUMP}{DUMP}{DUMP}")).reason(), "wrong output");
    let lines = "go\n#*move\n#*win+\ndump\nquit\n";
    assert_eq!(case(lines, &format!("{DUMP}{win}")).reason(), "wrong output");
    // The rule applies to each of two games.
    let lines = "go\n#*move\ndump\n#*win+\ngo\n#*move\ndump\n#*win+\n";
    case(lines, &format!("{DUMP}{win}{DUMP}{win}")).passes();
    case(lines, &format!("{win}{DUMP}{win}{DUMP}")).passes();
}
