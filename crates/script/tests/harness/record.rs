//! Tests of recording a game as a test.

use std::fs;

use script::ExitKind;

use crate::common::{DUMP, mocks};

#[test]
fn a_recorded_game_is_a_test_that_passes() {
    let folder = tempfile::tempdir().expect("a folder");
    let mock = mocks().join("player.sh");
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
    // The input is a log of the game, with the program's own move after the command that caused it.
    let (kind, shown) = record("# a game\nh1-g1\na1-b1\ndump\ng1-f1\nquit\nnever sent\n");
    assert_eq!(kind, ExitKind::Passed, "{shown}");
    let read = |file: &str| fs::read_to_string(folder.path().join(file)).expect("a file");
    let lines = read("game-1.in");
    let (_, lines) = lines.split_once('\n').expect("a command line");
    assert_eq!(lines, "# a game\nh1-g1\n#*move\ndump\ng1-f1\n#*move\n#*win+\ndump\nquit\n");
    assert_eq!(read("game-1.std"), format!("{DUMP}* White wins.\n{DUMP}"));
    let (kind, shown) = record("quit\n");
    assert!(kind == ExitKind::NotRun && shown.contains("exists: expected a new name, or --force"), "{shown}");
}

/// Records this input for a mock. Returns the exit kind, the shown text, the script without its first line, and the
/// `.std` file.
fn recorded(mock: &str, arguments: &str, interactive: bool, input: &str) -> (ExitKind, String, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let mock = mocks().join(mock);
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
    let lines = read("game-1.in").split_once('\n').map(|(_, lines)| lines.to_owned()).unwrap_or_default();
    (kind, String::from_utf8_lossy(&[out, err].concat()).into_owned(), lines, read("game-1.std"))
}

#[test]
fn a_move_that_the_program_made_earlier_may_be_played_again() {
    // In a log, the same move is the program's own only if it directly follows the command that caused it.
    let (kind, shown, lines, _) = recorded("player.sh", "a1-b1", false, "h1-g1\nmanual white\na1-b1\nquit\n");
    assert_eq!(
        (kind, lines.as_str()),
        (ExitKind::Passed, "h1-g1\n#*move\nmanual white\na1-b1\ndump\nquit\n"),
        "{shown}"
    );
    let (kind, shown, lines, _) = recorded("player.sh", "a1-b1", true, "h1-g1\na1-b1\nquit\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::Passed, "h1-g1\n#*move\na1-b1\ndump\nquit\n"), "{shown}");
}

#[test]
fn a_prompt_may_come_in_pieces() {
    let (kind, shown, lines, standard) = recorded("slow_prompt.sh", "", true, "go\nseed 1\nquit\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::Passed, "go\n#*move\nseed 1\ndump\nquit\n"), "{shown}");
    assert_eq!(standard, DUMP);
    assert!(shown.starts_with("b> * a2-c2\nb> b> ===\n"), "{shown}");
}

#[test]
fn a_program_that_exits_by_itself_ends_the_recording() {
    let (kind, shown, lines, _) = recorded("leaves.sh", "", true, "qui\nnever sent\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::Passed, "qui\n"), "{shown}");
    let (kind, shown, lines, _) = recorded("killed.sh", "", true, "dump\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::NotRun, ""), "{shown}");
    assert!(shown.contains("the program has ended with signal 9, SIGKILL; nothing was written"), "{shown}");
}

#[test]
fn directives_in_the_input_are_not_recorded() {
    // The lines come from another script.
    let (kind, shown, lines, _) = recorded("player.sh", "a1-b1", false, "#* java -ea loa.Main\n#*move\ngo\nquit\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::Passed, "go\n#*move\ndump\nquit\n"), "{shown}");
}

#[test]
fn a_win_line_is_recorded_as_a_test_copies_it() {
    let (kind, shown, lines, standard) = recorded("player.sh", "", false, "say *   White   wins.\nquit\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::Passed, "say *   White   wins.\n#*win+\ndump\nquit\n"), "{shown}");
    assert_eq!(standard, format!("* White wins.\n{DUMP}"));
}

#[test]
fn the_recorder_waits_for_a_late_first_prompt() {
    let (kind, shown, lines, _) = recorded("late_prompt.sh", "", true, "go\nquit\n");
    assert_eq!((kind, lines.as_str()), (ExitKind::Passed, "go\n#*move\ndump\nquit\n"), "{shown}");
}
