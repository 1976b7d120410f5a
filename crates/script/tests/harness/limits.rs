//! Tests of the limits on time and output.

use crate::common::Case;

#[test]
fn time_limits_are_enforced() {
    let reason = Case::new("hang.sh", "#*time 0.3 5\n#*move\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move, after "), "{reason}");
    let reason = Case::new("hang.sh", "#*time 5 0.3\n#*move/win\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move, after "), "{reason}");
    assert!(reason.ends_with(", because the limit of 300.0ms for the game is used up"), "{reason}");
}

#[test]
fn a_win_line_has_the_limit_of_a_move_if_it_is_shorter() {
    let reason = Case::new("late_win.sh", "#*time 0.3 9\ngo\n#*win+\nquit\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for a win line, after "), "{reason}");
    assert!(!reason.contains("for the game"), "{reason}");
}

#[test]
fn a_program_must_exit_when_its_input_ends() {
    assert_eq!(
        Case::new("hang.sh", "dump\n").reason(),
        "the program did not exit within 5.0s after the end of its input"
    );
}

#[test]
fn too_much_output_is_a_failure() {
    let reason = Case::new("flood.sh", "#*move\n").reason();
    assert_eq!(reason, "too much output: more than 3000 lines on standard output");
    let reason = Case::new("flood_stderr.sh", "#*move\n").reason();
    assert_eq!(reason, "too much output: more than 3000 lines on standard error");
    let reason = Case::new("flood.sh jump61", "#*move\n").reason();
    assert_eq!(reason, "too much output: more than 1000 lines on standard output");
}

#[test]
fn too_many_unread_messages_make_a_program_unresponsive() {
    let hanging = |case: Case| case.with_script("t-2.in", "hang.sh", "#*time 60 60\n#*remote move/win\n");
    let case = hanging(Case::new("chatter.sh", "#*time 60 60\n#*remote move/win\n"));
    assert_eq!(case.reason(), "program 1: unresponsive: more than 100 unread messages");
}

#[test]
fn some_messages_may_be_unread_at_the_end() {
    Case::new("player.sh", &"say * a1-b1\n".repeat(98)).passes();
    let reason = Case::new("player.sh", &"say * a1-b1\n".repeat(99)).reason();
    assert_eq!(reason, "unresponsive: more than 98 unread messages at the end of the script");
    assert_eq!(Case::new("chatter.sh", "").reason(), reason);
}

#[test]
fn an_endless_line_is_not_an_answer() {
    let reason = Case::new("endless_line.sh", "#*time 0.5 5\n#*move\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move"), "{reason}");
}

#[test]
fn a_program_that_never_reads_does_not_block_the_script() {
    let many = "dump dump dump dump dump dump dump dump\n".repeat(5_000);
    let reason = Case::new("never_reads.sh", &format!("{many}#*time 0.3 5\n#*move\n")).reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move"), "{reason}");
}

#[test]
fn a_program_that_closes_its_outputs_runs_out_of_time() {
    let reason = Case::new("closes_outputs.sh", "#*time 0.3 5\n#*move\n").reason();
    assert!(reason.starts_with("time limit exceeded waiting for my move"), "{reason}");
}
