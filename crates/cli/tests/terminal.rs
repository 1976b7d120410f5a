//! The programs on a terminal, which `script` of util-linux provides.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const LOA: &str = env!("CARGO_BIN_EXE_loa");
const JUMP61: &str = env!("CARGO_BIN_EXE_jump61");

/// Returns what a program shows when a person types these lines, echo included.
fn typed(command: &str, lines: &str) -> String {
    let mut child = Command::new("script")
        .args(["-qec", command, "/dev/null"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("`script` of util-linux is installed");
    child.stdin.take().expect("a pipe").write_all(lines.as_bytes()).expect("it reads");
    let shown = child.wait_with_output().expect("it ends").stdout;
    String::from_utf8_lossy(&shown).replace('\r', "")
}

fn logged(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a log")
}

#[test]
fn a_game_that_is_typed_has_a_seed_of_its_own_in_the_log() {
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
    assert_eq!(logged(&log), "help\nquit\n", "a script has the same game each time");
}
