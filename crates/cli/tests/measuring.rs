//! The measuring commands from outside: matches with their log, suites, the bench's options.

use std::path::Path;
use std::process::{Command, Output};

fn plyhouse(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_plyhouse")).args(arguments).output().expect("the program runs")
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A match of six pairs on a small board, with a log.
fn play(log: &Path, second: &str) -> Output {
    let log = log.to_str().expect("a plain path");
    let players = ["--first", "nodes=300,horizon=0/0", "--second", second];
    let rest = ["--size", "4", "--pairs", "6", "--opening", "3", "--seed", "9", "--log", log, "--json"];
    plyhouse(&[&["match", "jump61"][..], &players, &rest].concat())
}

#[test]
fn a_match_goes_on_where_it_was_killed() {
    const SECOND: &str = "nodes=20,horizon=0/0";
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("match.log");
    let whole = text(&play(&log, SECOND));
    assert!(whole.contains("\"wins\"") && whole.contains("\"pairs\""), "{whole}");
    let lines = std::fs::read_to_string(&log).expect("the log");
    assert_eq!(lines.lines().count(), 7, "a header and six pairs");
    for kept in [0, 40, lines.len() / 3, lines.len() / 2, lines.len() - 1] {
        // As a kill may leave it, in the middle of a line.
        std::fs::write(&log, &lines[..kept]).expect("the log");
        assert_eq!(text(&play(&log, SECOND)), whole, "after {kept} bytes");
        let again = std::fs::read_to_string(&log).expect("the log");
        let moves = |text: &str| -> Vec<String> {
            text.lines()
                .filter_map(|line| Some(line.split("\"moves\":").nth(1)?.split(",\"nodes\"").next()?.to_owned()))
                .collect()
        };
        assert_eq!(moves(&again), moves(&lines));
    }
    let other = play(&log, "nodes=21,horizon=0/0");
    assert!(!other.status.success() && text(&other).contains("another match"), "{}", text(&other));
    assert_eq!(std::fs::read_to_string(&log).expect("the log").lines().count(), 7, "nothing is lost");
}

#[test]
fn a_suite_is_solved_and_a_wrong_one_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wins.txt");
    let path = file.to_str().expect("a plain path");
    std::fs::write(&file, "# one\n------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1\n").expect("a file");
    let solved = plyhouse(&["suite", "loa", path]);
    assert!(solved.status.success() && text(&solved).contains("1 of    1, 100.0 %"), "{}", text(&solved));
    std::fs::write(&file, "nothing\n").expect("a file");
    let wrong = plyhouse(&["suite", "loa", path]);
    assert!(!wrong.status.success() && text(&wrong).contains("line 1"), "{}", text(&wrong));
}

#[test]
fn wrong_players_and_tests_are_refused_before_anything_is_played() {
    for (arguments, part) in [
        (["match", "loa", "--first", "speed=9"], "speed"),
        (["match", "checkers", "--first", "build=reference"], "no player"),
        (["match", "loa", "--sprt", "5,1"], "hypotheses"),
    ] {
        let output = plyhouse(&arguments);
        assert!(!output.status.success() && text(&output).contains(part), "{}", text(&output));
    }
}

#[test]
fn several_lines_are_analysed() {
    let output = plyhouse(&["analyse", "loa", "--size", "5", "--depth", "3", "--lines", "3", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["others"].as_array().map(Vec::len), Some(2), "{json}");
}
