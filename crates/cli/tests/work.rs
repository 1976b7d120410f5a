//! Jobs that are done by workers in other processes, which are killed, stopped and cut off.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use devtools::Database;

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// The program with a cache of the tests' own, in which the speed of this machine is kept.
fn plyhouse(cache: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.args(arguments).env("XDG_CACHE_HOME", cache).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// A match that a sequential test ends before its last pair.
fn play(cache: &Path, more: &[&str]) -> Command {
    let players =
        ["match", "jump61", "--size", "4", "--first", "nodes=300,horizon=0/0", "--second", "nodes=200,horizon=0/0"];
    let rest = ["--pairs", "400", "--opening", "3", "--seed", "9", "--sprt", "-20,60", "--json"];
    plyhouse(cache, &[&players[..], &rest, more].concat())
}

fn worker(cache: &Path, store: &str) -> Child {
    let mut command = plyhouse(cache, &["work", "--store", store, "--jobs", "2", "--lease", "2", "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs")
}

/// Waits for the end of a program, and kills it if it does not come.
fn ended(mut child: Child) -> Output {
    let until = Instant::now() + Duration::from_mins(2);
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > until {
            child.kill().expect("a child");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("a child")
}

fn kill(child: &mut Child) {
    child.kill().expect("a child");
    child.wait().expect("a child");
}

/// The lines of a log without the times, which no two runs share.
fn games(log: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(log).expect("a log");
    let without_times = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for game in line["games"].as_array_mut().into_iter().flatten() {
            game["seconds"].take();
        }
        line.to_string()
    };
    text.lines().map(without_times).collect()
}

#[test]
fn a_match_has_the_same_games_on_many_workers() {
    let Some(database) = Database::create().expect("a server") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let cache = folder.path();
    let (alone, shared) = (cache.join("alone.log"), cache.join("shared.log"));
    let whole = play(cache, &["--log", &alone.to_string_lossy()]).output().expect("the program runs");
    assert!(whole.status.success() && games(&alone).len() < 400, "{}", text(&whole));

    let url = database.url();
    // The first worker measures the machine; the others find its speed.
    let idle = plyhouse(cache, &["work", "--store", &url, "--until-idle", "--jobs", "1"]).output().expect("it runs");
    assert!(idle.status.success() && text(&idle).contains("no job waits"), "{}", text(&idle));
    let log = shared.to_string_lossy().into_owned();
    let hand_out = || play(cache, &["--log", &log, "--store", &url]).spawn().expect("the program runs");
    let mut workers: Vec<Child> = (0..3).map(|_| worker(cache, &url)).collect();
    let mut desk = hand_out();
    for round in 0..6 {
        std::thread::sleep(Duration::from_millis(150));
        kill(&mut workers[round % 3]);
        workers[round % 3] = worker(cache, &url);
        if round % 2 == 1 {
            kill(&mut desk);
            desk = hand_out();
        }
        if round % 3 == 2 {
            database.cut_off().expect("SQL");
        }
    }
    let output = ended(desk);
    workers.iter_mut().for_each(kill);
    assert_eq!(text(&output), text(&whole));
    assert_eq!(games(&shared), games(&alone));
    let left = database.sql("SELECT count(*) FROM plyhouse_ledger.job WHERE state IN (0, 1)").expect("SQL");
    assert_eq!(left, "0", "no job waits and no lease is left");
}

#[test]
fn a_wrong_store_is_explained() {
    let Some(database) = Database::create().expect("a server") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |arguments: &[&str]| {
        let output = plyhouse(folder.path(), arguments).output().expect("the program runs");
        assert!(!output.status.success(), "{}", text(&output));
        text(&output)
    };
    let said = refused(&["work", "--store", "arena.sqlite"]);
    assert!(said.contains("expected postgres://user:password@host:port/database"), "{said}");
    let wrong = database.url().replace("word@", "w0rd@");
    let said = refused(&["work", "--store", &wrong]);
    assert!(said.contains("password authentication failed") && !said.contains("measuring"), "{said}");
    let said = refused(&["match", "loa", "--pairs", "1", "--store", &wrong]);
    assert!(said.contains("password authentication failed") && !said.contains("w0rd"), "{said}");
    // Nobody works: the program says so, and not by its password.
    let mut lonely = plyhouse(folder.path(), &["match", "loa", "--pairs", "1", "--store", &database.url()]);
    let mut lonely = lonely.spawn().expect("the program runs");
    let mut line = String::new();
    let errors = lonely.stderr.take().expect("a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(errors), &mut line).expect("a line");
    // A second program with the same options would take the first one's outputs.
    let second = plyhouse(folder.path(), &["match", "loa", "--pairs", "1", "--store", &database.url()]).output();
    let second = text(&second.expect("the program runs"));
    assert!(second.contains("another program hands out the same work"), "{second}");
    kill(&mut lonely);
    let hint = format!("start `plyhouse work --store {}`", database.shown_url());
    assert!(line.contains("no worker of this version is there") && line.contains(&hint), "{line}");
}
