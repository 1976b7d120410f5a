//! The programs on a terminal, provided by `script` of util-linux.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

const LOA: &str = env!("CARGO_BIN_EXE_loa");
const CHECKERS: &str = env!("CARGO_BIN_EXE_checkers");
const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");
const JUMP61: &str = env!("CARGO_BIN_EXE_jump61");

/// Starts a program on a new terminal.
fn start(command: &str) -> Child {
    Command::new("script")
        .args(["-qec", command, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` of util-linux is installed")
}

/// Reads a program's output up to and including a text.
fn read_until(shown: &mut impl Read, text: &str) -> String {
    let (mut read, mut byte) = (Vec::new(), [0]);
    while !read.ends_with(text.as_bytes()) {
        let count = shown.read(&mut byte).expect("it can be read");
        assert_eq!(count, 1, "no `{text}` in {}", String::from_utf8_lossy(&read));
        read.push(byte[0]);
    }
    String::from_utf8_lossy(&read).into_owned()
}

/// Types lines on a program's terminal, and returns its output with the echo.
fn typed(command: &str, lines: &str) -> String {
    let mut child = start(command);
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let shown = child.wait_with_output().expect("it ends").stdout;
    String::from_utf8_lossy(&shown).replace('\r', "")
}

fn logged(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a log")
}

#[test]
fn an_interactive_game_logs_a_new_seed() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let first_lines: Vec<String> = [LOA, JUMP61, LOA]
        .iter()
        .map(|program| {
            typed(&format!("{program} --level 1 --log={}", log.display()), "help\nquit\n");
            logged(&log).lines().next().expect("a line").to_owned()
        })
        .collect();
    assert!(first_lines.iter().all(|line| line.starts_with("seed ")), "{first_lines:?}");
    assert_ne!(first_lines[0], first_lines[2]);
    let script = folder.path().join("commands");
    std::fs::write(&script, "help\nquit\n").expect("a file");
    typed(&format!("{LOA} --log={} {}", log.display(), script.display()), "");
    assert_eq!(logged(&log), "help\nquit\n", "a game from a file has no seed in its log");
}

#[test]
fn typed_lines_can_be_recalled_and_edited() {
    let mut child = start(&format!("{PLYHOUSE} play loa --level 1"));
    let (mut input, mut shown) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    read_until(&mut shown, "b> ");
    // The Up key recalls the first line, and backspace deletes a letter of the last one.
    for keys in ["dump\r", "\u{1b}[A\r", "dumx\u{7f}p\r"] {
        input.write_all(keys.as_bytes()).expect("it reads");
        read_until(&mut shown, "Next move: black\r\n");
        read_until(&mut shown, "b> ");
    }
    // Lines that are typed before the prompt are kept until the prompt.
    input.write_all(b"dump\rdump\r").expect("it reads");
    for _ in 0..2 {
        read_until(&mut shown, "Next move: black\r\n");
    }
    input.write_all(b"quit\r").expect("it reads");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn the_greeting_states_the_users_side_and_ranks() {
    for command in [LOA.to_owned(), format!("NO_COLOR=1 {LOA}"), format!("{PLYHOUSE} play loa")] {
        let shown = typed(&command, "quit\n");
        assert!(shown.contains("You are Black, on ranks 1 and 8.\n"), "{shown}");
    }
}

#[test]
fn checkers_shows_the_board_and_a_hint_before_the_first_line() {
    // No line is typed.
    let shown = typed(CHECKERS, "");
    let (hint, end) = (shown.find("type actions such as G6-F5"), shown.find("BOARD SIZE: 8x8"));
    assert!(hint.is_some() && end < hint, "{shown}");
}
