//! `plyhouse solve`, `verify` and `book` from outside, and the agent that plays by the book.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

fn plyhouse(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PLYHOUSE).args(arguments).current_dir(folder).output().expect("it runs")
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_board_is_solved_certified_verified_and_rebuilt() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let solve = ["solve", "loa", "--size", "5", "--log", "5.log", "--effort", "30", "--table", "1"];
    let solved = printed(&plyhouse(folder, &[&solve[..], &["--certificate", "a"]].concat()));
    assert!(solved.starts_with("Lines of Action 5x5 from the start: won, within "), "{solved}");
    let verified = printed(&plyhouse(folder, &["verify", "a"]));
    assert!(verified.starts_with("Black wins from -bbb-/w---w/w---w/w---w/-bbb- b: "), "{verified}");
    let hash = verified.trim_end().rsplit_once(' ').expect("a hash").1;
    assert!(solved.contains(hash));
    // The log alone gives the same certificate.
    let lines = fs::read_to_string(folder.join("5.log")).expect("a log").lines().count();
    let again = plyhouse(folder, &[&solve[..], &["--certificate", "b", "--rebuild", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&printed(&again)).expect("JSON");
    assert_eq!((report["verdict"].as_str(), report["hash"].as_str()), (Some("won"), Some(hash)));
    let jobs = report["jobs"].as_u64().expect("a number");
    assert!(solved.contains(&format!("\n{jobs} jobs, ")), "{jobs}: {solved}");
    assert!(jobs < lines as u64, "a line is the question; the last ones may be of jobs that were not needed");
    assert_eq!(fs::read(folder.join("a")).expect("a file"), fs::read(folder.join("b")).expect("a file"));
    let book = printed(&plyhouse(folder, &["book", "a", "5.book", "--depth", "5"]));
    assert!(book.ends_with("to depth 5\n"), "{book}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |arguments: &[&str]| {
        let output = plyhouse(folder.path(), arguments);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(
        refused(&["solve", "loa", "--size", "5", "--after", "b1-e4"]),
        "Error: illegal move b1-e4: 2 pieces on the diagonal, so the piece moves exactly 2 squares along it, not 3\n"
    );
    let no_win = ["solve", "loa", "--size", "5", "--after", "b1-e1", "--quiet", "--table", "1", "--certificate", "c"];
    assert_eq!(refused(&no_win), "Error: no certificate: Lines of Action 5x5 after b1-e1 is not proven\n");
    fs::write(folder.path().join("x"), "not a certificate").expect("a file");
    assert!(refused(&["verify", "x"]).contains("not a certificate: expected a first line"));
    fs::write(folder.path().join("log"), "{\"game\":\"loa\"}\n").expect("a file");
    assert!(refused(&["solve", "loa", "--log", "log"]).contains("line 1: missing field"));
}

/// Asks `loa6` for a move, rows from the top.
fn agent(rows: &[&str; 6]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loa6"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let request = format!("move\n1\n6\n{}\n", rows.join("\n"));
    child.stdin.take().expect("a pipe").write_all(request.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

#[test]
fn the_agent_plays_the_proven_win() {
    // b1-b3 and its mirror images are the moves that win.
    let answer = agent(&[".XXXX.", "O....O", "O....O", "O....O", "O....O", ".XXXX."]);
    assert!(["B1B3", "E1E3", "B6B4", "E6E4"].contains(&answer.as_str()), "{answer}");
}
