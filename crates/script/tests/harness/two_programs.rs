//! Tests of two programs that play each other.

use protocol::cs61b::CourseGame;
use script::ExitKind;

use crate::common::{Case, DUMP};

/// Creates a case in which program 1 opens and wins with its second move. The programs report the end with these
/// results.
pub(crate) fn two(first_result: &str, second_result: &str) -> Case {
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
fn a_move_is_passed_as_it_was_printed() {
    for (printed, win) in [("A1-b1", "Black wins."), ("01 4", "Red wins.")] {
        let mut case = Case::new("player.sh", &format!("say * {printed}.\n#*move\nsay * {win}\n#*win+\n"))
            .with_script("t-2.in", &format!("echoes.sh {win}"), "#*time 60 60\n#*remote move/win+\n")
            .with_file("t-1.std", &format!("* {win}\n"))
            .with_file("t-2.std", &format!("===\n{printed}\n===\n* {win}\n"));
        case.options.game = (win == "Red wins.").then_some(CourseGame::Jump61);
        case.passes();
    }
}

#[test]
fn too_many_messages_unread_by_the_other_script_are_a_failure() {
    let case = Case::new("player.sh", &"say * a1-b1\n#*move\n".repeat(101)).with_script("t-2.in", "hang.sh", "");
    let reason = case.with_script("t-2.in", "player.sh", "#*time 60 60\n#*move\n").reason();
    let expected = "program 1: unresponsive: the other program's script has left more than 100 messages unread";
    assert_eq!(reason, expected);
}

#[test]
fn conflicting_results_are_a_failure() {
    assert_eq!(
        two("Black_wins.", "White_wins.").reason(),
        "program 1: conflicting results: mine is `Black wins.`, the opponent's is `White wins.`"
    );
    // The second program continues to play although the first one has reported the end.
    let case = Case::new("player.sh Tie_game.", "say * a1-b1\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "player.sh",
        "say * h1-g1\nsay * g1-f1\n#*remote move/win\n",
    );
    assert_eq!(case.reason(), "program 1: conflicting results: mine is `Tie game.`, the opponent's is `g1-f1`");
}

#[test]
fn a_result_that_win_reads_is_also_passed() {
    let lines = "say * a1-b1\n#*move\nsay * Black wins.\n#*win+\nquit\n";
    Case::new("player.sh", lines)
        .with_script("t-2.in", "player.sh Black_wins.", "#*time 120 120\n#*remote move/win\nquit\n")
        .with_file("t-1.std", "* Black wins.\n")
        .passes();
}

#[test]
fn the_failing_program_is_named() {
    let case =
        two("Black_wins.", "Black_wins.").with_script("t-2.in", "exit_one.sh", "#*time 1 5\n#*remote move/win\n");
    let reason = case.with_file("t-1.std", "").reason();
    assert!(reason.starts_with("program 2: ") || reason.starts_with("program 1: time limit"), "{reason}");
}

#[test]
fn waiting_for_the_opponent_uses_up_the_game_clock() {
    let case = Case::new("player.sh a1-b1", "#*time 120 3\ngo\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "hang.sh",
        "#*time 120 120\n#*remote move/win\n",
    );
    let reason = case.reason();
    assert!(reason.contains("time limit exceeded waiting for the opponent's move"), "{reason}");
}

#[test]
fn waiting_for_an_opponent_whose_script_has_ended_is_a_failure() {
    let case = Case::new("player.sh", "quit\n").with_script("t-2.in", "player.sh", "#*remote move/win\n");
    assert_eq!(case.reason(), "program 2: waiting for the opponent's move, but its script has ended");
}

#[test]
fn a_program_that_exits_early_leaves_its_opponent_waiting() {
    let case = Case::new("player.sh", "#*remote move/win\n").with_script("t-2.in", "leaves.sh", "go\n#*move\n");
    let (report, kind) = case.run();
    assert_eq!(kind, ExitKind::Failed);
    assert!(
        report.starts_with(
            "t FAILED (program 1: waiting for the opponent's move, but its script has ended)\n\
             remark: program 2: the program exited with code 0 before its next move; the rest of the script was \
             skipped\n"
        ),
        "{report}"
    );
}

#[test]
fn a_move_has_its_limit_while_waiting_for_the_opponent() {
    let start = std::time::Instant::now();
    let case = Case::new("player.sh a1-b1", "#*time 3 600\ngo\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "hang.sh",
        "#*time 600 600\n#*remote move/win\n",
    );
    let reason = case.reason();
    assert!(reason.starts_with("program 1: time limit exceeded waiting for the opponent's move"), "{reason}");
    assert!(start.elapsed().as_secs() < 300, "the harness waited for the other program");
}

#[test]
fn the_program_that_both_programs_wait_for_is_named() {
    let case = Case::new("player.sh a1-b1", "#*time 3 3\ngo\n#*move\n#*remote move/win\n").with_script(
        "t-2.in",
        "hang.sh",
        "#*time 3 3\n#*remote move/win\n",
    );
    let reason = case.reason();
    assert!(reason.starts_with("program 2: time limit exceeded waiting for my move"), "{reason}");
}

#[test]
fn remote_needs_a_second_program() {
    let (report, kind) = Case::new("player.sh", "#*remote move/win\n").run();
    assert_eq!(kind, ExitKind::NotRun);
    assert_eq!(report.lines().next(), Some("t FAILED (line 2: a remote directive needs a second program)"));
}

#[test]
fn a_test_whose_second_program_does_not_start_cannot_be_run() {
    for mock in ["exit_one.sh", "player.sh"] {
        let case = Case::new(mock, "dump\n").with_file("t-2.in", "#* no-such-program-anywhere\n");
        let (report, kind) = case.run();
        assert_eq!(kind, ExitKind::NotRun, "{report}");
        assert!(report.starts_with("t FAILED (program 2: cannot start `no-such-program-anywhere`: "), "{report}");
    }
}
