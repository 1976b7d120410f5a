//! Tests of the `checkers` program with the assignment's samples and with other inputs.

use console::checkers::{Computer, Program};

fn output(input: &[u8]) -> (String, u8) {
    let mut program = Program::new(Computer::default());
    program.feed(input);
    program.finish();
    (program.take_output(), program.exit_code())
}

fn last_line(input: &str) -> String {
    let (output, _) = output(input.as_bytes());
    output.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn the_output_equals_the_official_samples() {
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/checkers");
    for (test, code) in [("test0", 0), ("test1", 0), ("test3", 0), ("test5", 1), ("test7", 1)] {
        let input = std::fs::read(samples.join(format!("{test}.txt"))).expect("a sample");
        let expected = std::fs::read_to_string(samples.join(format!("{test}-out.txt"))).expect("its output");
        assert_eq!(output(&input), (expected.clone(), code), "{test}");
        let crlf = String::from_utf8_lossy(&input).replace('\n', " \r\n\r\n");
        assert_eq!(output(crlf.as_bytes()), (expected.clone(), code), "{test} with CR LF");
        assert_eq!(output(input.trim_ascii_end()), (expected, code), "{test} without a last line feed");
    }
}

#[test]
fn only_the_header_is_printed_without_input() {
    let (header, code) = output(b"");
    assert_eq!((header.len(), header.lines().count(), code), (716, 21, 0));
}

#[test]
fn errors_are_reported_in_the_specified_order() {
    for (line, error) in [
        ("I4-Z9", "Source cell is outside of the board."),
        ("G6-G9", "Target cell is outside of the board."),
        ("A0-B1", "Source cell is outside of the board."),
        ("A66-B5", "Source cell is outside of the board."),
        ("g6-f5", "Source cell is outside of the board."),
        ("A5-B1", "Source cell is empty."),
        ("B1-B3", "Target cell is not empty."),
        ("B3-A4", "Source cell holds opponent's piece/tower."),
        ("G6-G5", "Illegal action."),
        ("G6-E4", "Illegal action."),
    ] {
        assert_eq!(last_line(&format!("{line}\nA\n")), format!("ERROR: {error}"), "{line}");
    }
    assert_eq!(output(b"G6-G5\n").1, 1);
}

#[test]
fn a_line_that_is_not_an_action_ends_the_input() {
    for line in ["A-1-B5", "G6 - F5", "G6", "a", "AP"] {
        let (text, code) = output(format!("G6-F5\n{line}\nH3-G4\n").as_bytes());
        assert_eq!((text.matches("ACTION").count(), code), (1, 0), "{line}");
    }
}

#[test]
fn nothing_is_read_after_a_command() {
    let mut program = Program::new(Computer::default());
    program.feed(b"A\n");
    assert!(program.is_done());
    program.feed(b"garbage");
    assert_eq!(program.take_output().matches("*** BLACK ACTION #1").count(), 1);
}

#[test]
fn ten_actions_and_the_winner_when_a_side_cannot_act() {
    let (text, _) = output(b"P");
    assert_eq!(text.matches("*** ").count(), 10);
    // The program plays a game to its end with its own rule. If the same actions are given as input, the output ends
    // with the winner, whatever follows in the input.
    let mut actions = String::new();
    for _ in 0..60 {
        let (text, code) = output(format!("{actions}P\n").as_bytes());
        assert_eq!(code, 0);
        actions = text
            .lines()
            .filter_map(|line| line.split_once(": ").filter(|(a, _)| a.contains("ACTION")))
            .fold(String::new(), |all, (_, action)| all + action + "\n");
        if text.ends_with(" WIN!\n") {
            let given = output(format!("{actions}garbage").as_bytes());
            assert!(given.0.ends_with(" WIN!\n") && given.1 == 0);
            assert_eq!(given.0.replace("*** ", ""), text.replace("*** ", ""));
            return;
        }
    }
    panic!("the game does not end");
}

#[test]
fn arbitrary_bytes_are_not_an_error() {
    let (nines, dashes) = (vec![b'9'; 100_000], vec![b'-'; 1_000]);
    for input in [&b"\xff\x00"[..], b"\0\0\0\n", b"G6-F5\0\n", &nines, &dashes] {
        assert_eq!(output(input).1, 0);
    }
    // A line of one byte, digits, `-`, one byte and digits is an action, whatever the bytes are.
    assert_eq!(last_line("\u{1}6-F5"), "ERROR: Source cell is outside of the board.");
}
