//! Tests of the directives.

use std::fs;

use crate::common::{Case, mocks};

#[test]
fn moves_are_queued_in_order() {
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
fn win_expects_a_result() {
    Case::new("player.sh", "say * White wins.\n#*win+\n").with_file("t-1.std", "* White wins.\n").passes();
    assert_eq!(
        Case::new("player.sh", "say * a1-b1\n#*win+\n").reason(),
        "unexpected move: `* a1-b1` where a win line was expected"
    );
    assert!(Case::new("player.sh", "#*win+\n").reason().starts_with("time limit exceeded waiting for a win line"));
}

#[test]
fn a_result_where_a_move_was_expected_is_a_failure() {
    assert_eq!(
        Case::new("player.sh", "say * Black wins.\n#*move\n").reason(),
        "unexpected win: `* Black wins.` where a move was expected"
    );
}

#[test]
fn a_malformed_message_is_an_error_only_when_it_is_read() {
    assert_eq!(Case::new("player.sh", "say * a1b1\n#*move\n").reason(), "malformed message `* a1b1`");
    assert_eq!(Case::new("player.sh", "say * 1 4\n#*move/win\n").reason(), "malformed message `* 1 4`");
    // The message is quoted as printed. Control characters are escaped, and a long message is shortened.
    assert_eq!(Case::new("player.sh", "say ** a2-c2\n#*move\n").reason(), "malformed message `** a2-c2`");
    assert_eq!(Case::new("player.sh", "say  *a\x1b[2J\n#*move\n").reason(), "malformed message `*a\\u001b[2J`");
    let long = Case::new("player.sh", &format!("say * {}\n#*move\n", "x".repeat(60_000))).reason();
    assert_eq!(long, format!("malformed message `* {}…`", "x".repeat(38)));
    Case::new("player.sh", "say * whatever\nquit\n").passes();
}

#[test]
fn any_line_end_is_sent_as_a_newline() {
    // A lone carriage return ends a line, and a last line without a newline is sent without one.
    let case = Case::new("bytes.sh", "foo\rbar\r\nend");
    case.with_file("t-1.std", "===\nfoo\\nbar\\nend\n===\n").passes();
}

#[test]
fn the_command_or_the_option_determines_the_game() {
    let mut case = Case::new("player.sh", "say * 1 4\n#*move\n");
    case.options.game = Some(protocol::cs61b::CourseGame::Jump61);
    case.passes();
    Case::new("player.sh jump61", "say * 1 4\n#*move\n").passes();
}

#[test]
fn text_after_a_move_is_ignored() {
    Case::new("player.sh", "say * A2-c2.\n#*move\nsay * a2-c2, a capture\n#*move\n").passes();
    Case::new("player.sh jump61", "say * 10 10.\n#*move\n").passes();
}

#[test]
fn the_folder_of_a_replacement_does_not_determine_the_game() {
    let mut case = Case::new("player.sh", "").with_file("t-1.in", "#* java -ea loa.Main\nsay * a2-c2\n#*move\n");
    let folder = case.folder.path().join("jump61");
    fs::create_dir(&folder).expect("a folder");
    let mock = mocks().join("player.sh");
    fs::copy(mock, folder.join("mine.sh")).expect("a copy");
    case.options.commands = vec![format!("sh {}/mine.sh", folder.display())];
    case.passes();
}
