//! `plyhouse prove` and `plyhouse verify` as processes.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

fn plyhouse(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(PLYHOUSE).args(arguments).current_dir(folder).output().expect("it runs")
}

/// Asserts the exit code of a command, and returns its output.
fn said(folder: &Path, code: i32, arguments: &[&str]) -> String {
    let output = plyhouse(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {out}{err}");
    out + &err
}

#[test]
fn a_win_of_every_game_is_proven_and_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let stuck = "......../......../......../......../......../w......./......../b.b..... b";
    let questions: [(&[&str], &str); 5] = [
        (&["jump61", "--size", "2"], "Blue wins 1-1-/1-1- within 4 plies\n"),
        (&["jump61", "--size", "3", "--for", "blue"], "Blue wins 1-1-1-/1-1-1-/1-1-1- within 14 plies\n"),
        (&["loa", "--size", "4"], "Black wins -bb-/w--w/w--w/-bb- b within 3 plies\n"),
        (&["breakthrough", "--size", "4", "--for", "Black"], "Black wins bbbb/bbbb/wwww/wwww w within "),
        (&["checkers", "--position", stuck, "--table", "16"], "Black wins ......../"),
    ];
    for (question, expected) in questions {
        let game = question[0];
        let proven = said(folder, 0, &[&["prove"], question, &["--certificate", "win"]].concat());
        assert!(proven.starts_with(expected), "{proven}");
        let verified = said(folder, 0, &["verify", "win"]);
        let winner = expected.split(' ').next().expect("a name");
        assert!(verified.starts_with(&format!("{winner} wins {game}: ")), "{verified}");
        let hash = verified.trim_end().rsplit_once(' ').expect("a hash").1;
        assert!(proven.contains(hash), "{proven}{verified}");
        let report: serde_json::Value =
            serde_json::from_str(&said(folder, 0, &["verify", "win", "--json"])).expect("JSON");
        assert_eq!((report["game"].as_str(), report["hash"].as_str()), (Some(game), Some(hash)));
        assert!(said(folder, 1, &["verify", "win", "--details"]).contains("is for certificates of `solve`"));
        // A byte of the file is changed.
        let mut bytes = fs::read(folder.join("win")).expect("a file");
        let at = bytes.len() / 2;
        bytes[at] ^= 1;
        fs::write(folder.join("win"), bytes).expect("a file");
        said(folder, 1, &["verify", "win"]);
    }
}

#[test]
fn prove_reports_results_and_exit_codes() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let json = |code, arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&said(folder, code, &[&["prove", "--json"], arguments].concat())).expect("JSON")
    };
    let won = json(0, &["jump61", "--size", "2", "--certificate", "win"]);
    assert_eq!((won["verdict"].as_str(), won["winner"].as_str()), (Some("won"), Some("blue")));
    assert_eq!((won["plies"].as_u64(), won["steps"].as_u64()), (Some(4), Some(1)));
    let lost = json(1, &["jump61", "--size", "2", "--for", "red", "--certificate", "none"]);
    assert_eq!((lost["verdict"].as_str(), lost["hash"].as_str()), (Some("not won"), None));
    assert!(!folder.join("none").exists(), "a failed proof has no certificate");
    let open = json(1, &["loa", "--nodes", "1000"]);
    assert_eq!((open["verdict"].as_str(), open["winner"].as_str()), (Some("open"), None));
    let said = |code, arguments: &[&str]| said(folder, code, &[&["prove"], arguments].concat());
    assert!(said(1, &["jump61", "--size", "2", "--for", "RED"]).starts_with("Red cannot force a win of 1-1-/1-1-\n"));
    assert!(said(1, &["checkers", "--nodes", "1000"]).contains("is open after 1000 positions"));
    // The shortest win.
    let short = said(0, &["loa", "--size", "4", "--within", "9"]);
    assert!(short.starts_with("Black wins -bb-/w--w/w--w/-bb- b in 3 plies, and cannot win sooner\n"), "{short}");
    let after = "-bbb-/w---w/w-b-w/w---w/-b-b- w";
    let after = said(0, &["loa", "--position", after, "--for", "black", "--within", "10"]);
    assert!(after.contains(" in 10 plies, and cannot win sooner\n"), "{after}");
    let none = said(1, &["jump61", "--size", "3", "--for", "blue", "--within", "12"]);
    assert!(none.starts_with("Blue cannot force a win of 1-1-1-/1-1-1-/1-1-1- within 12 plies\n"), "{none}");
    assert!(
        said(1, &["loa", "--within", "30", "--nodes", "1000"]).contains("longer wins are open after 1000 positions")
    );
    let reply = json(0, &["jump61", "--size", "3", "--within", "20"]);
    assert_eq!((reply["winner"].as_str(), reply["plies"].as_u64()), (Some("blue"), Some(14)));
    assert_eq!((reply["none_within"].as_u64(), reply["within"].as_u64()), (Some(13), Some(20)));
    assert!(said(2, &["loa", "--within", "9", "--certificate", "none"]).contains("cannot be used with"));
    // Wrong usage.
    assert!(said(2, &["jump61", "--size", "2", "--for", "white"]).contains("expected `red` or `blue`"));
    let unread = said(2, &["loa", "--position", "bb"]);
    assert!(unread.contains("position text: ") && unread.matches("joined by").count() == 1, "{unread}");
    assert!(said(2, &["loa", "--size", "3"]).contains("4 to 8"));
    assert!(said(2, &["jump61", "--position", "1r1r/1r2r"]).contains("the game is over"));
    assert!(said(2, &["jump61", "--table", "1000000"]).contains("MiB are free on this machine"));
    assert!(said(2, &["chess"]).contains("possible values"));
}

/// Returns `true` if a process has a handler for `SIGTERM`, signal 15. `SIGINT` is not used, because background jobs of
/// scripts ignore it.
fn handles_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a line");
    u64::from_str_radix(mask.trim(), 16).expect("a mask") >> 14 & 1 == 1
}

/// Interrupts `plyhouse prove` and returns what it prints.
fn interrupted(arguments: &[&str]) -> String {
    let mut child =
        Command::new(PLYHOUSE).arg("prove").args(arguments).stderr(Stdio::piped()).spawn().expect("it starts");
    let began = Instant::now();
    while !handles_interrupts(child.id()) {
        assert!(began.elapsed() < Duration::from_mins(1), "no signal handler after a minute");
        std::thread::sleep(Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&child), Signal::TERM).expect("it runs");
    let mut text = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut text).expect("text");
    assert!(!child.wait().expect("it ends").success());
    assert!(text.starts_with("interrupted after "), "{text}");
    text
}

#[test]
fn an_interrupted_proof_reports_what_is_known() {
    let nothing = interrupted(&["loa", "--table", "16"]);
    assert!(nothing.contains("no result, and no certificate"), "{nothing}");
    let so_far = interrupted(&["loa", "--table", "16", "--within", "40"]);
    assert!(so_far.contains(" positions: no win within ") && so_far.contains("longer wins are open"), "{so_far}");
}
