//! `plyhouse arena` in a folder of its own, for the tests of tournaments.

#![allow(unreachable_pub, dead_code)] // each test file uses some of it

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

pub const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// The command `plyhouse arena …` in a folder. Every process that it starts without a sandbox inherits
/// `PLYHOUSE_TEST_MARK`, however it hides.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.arg("arena").args(arguments).current_dir(folder).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.env("PLYHOUSE_TEST_MARK", folder).stdin(Stdio::null());
    command
}

pub fn arena(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program runs")
}

/// All that a program has printed.
pub fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// The standard output of a program that has succeeded.
pub fn good(output: &Output) -> String {
    assert!(output.status.success(), "{}", text(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What a program that has failed has printed.
pub fn refused(output: &Output) -> String {
    assert!(!output.status.success(), "{}", text(output));
    text(output)
}

/// The JSON that a command prints.
pub fn json(folder: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&good(&arena(folder, arguments))).expect("JSON")
}

/// The games of the latest tournament by number. An export has them in the order of saving, after its header.
pub fn games(folder: &Path) -> Vec<Value> {
    let lines = good(&arena(folder, &["export"]));
    let mut games: Vec<Value> = lines.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    games.sort_by_key(|game| game["number"].as_u64());
    games
}

/// A line of an export without its place in the chain of hashes.
pub fn unchained(line: &str) -> Value {
    let mut line: Value = serde_json::from_str(line).expect("JSON");
    let fields = line.as_object_mut().expect("an object");
    for chained in ["hash", "head", "games"] {
        fields.remove(chained);
    }
    line
}

/// A folder for a student's submission, with our program in it: a submission starts only programs of its own and of
/// the system.
pub fn submission(folder: &Path, name: &str) -> std::path::PathBuf {
    let own = folder.join("submissions").join(name);
    std::fs::create_dir_all(&own).expect("a folder");
    let program = own.join("plyhouse");
    if !program.exists() {
        link(Path::new(PLYHOUSE), &program);
    }
    own
}

/// A second name for a file, or a copy where there can be none.
pub fn link(from: &Path, to: &Path) {
    if std::fs::hard_link(from, to).is_err() {
        std::fs::copy(from, to).expect("a copy");
    }
}
