//! Tournaments that a user stops and continues later.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::tournaments::{PLYHOUSE, TestFolder, arena, command, good, json, until};

/// Sends SIGTERM, which has the same effect as Ctrl-C. Processes in the background may ignore SIGINT.
fn stop(child: &Child) {
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// The agents have an hour per move. Stopping the tournament during a move ends every process at once and records no
/// fault.
#[test]
fn a_stop_ends_a_long_move_at_once() {
    let folder = TestFolder::with_file();
    let pid_files = ["hang", "slow"].map(|behaviour| folder.join(format!("{behaviour}.pid")));
    for (behaviour, pid_file) in ["hang", "slow"].into_iter().zip(&pid_files) {
        let script = format!("echo $$ > {}; exec {PLYHOUSE} arena mock ugi {behaviour} --at 1", pid_file.display());
        std::fs::write(folder.join(behaviour), script).expect("a script");
        let agent = format!("{behaviour}=ugi:sh {}", folder.join(behaviour).display());
        let arguments = ["run", "--game", "loa", "--size", "6", "--sandbox", "none", "--agent", &agent];
        let more = ["--agent", "builtin:level=1", "--games", "2", "--jobs", "1", "--move-time", "3600", "--quiet"];
        let mut child =
            command(&folder, &[&arguments[..], &more].concat()).stderr(Stdio::null()).spawn().expect("it runs");
        assert!(
            until(|| std::fs::read_to_string(pid_file).is_ok_and(|text| text.ends_with('\n'))),
            "no agent has started"
        );
        stop(&child);
        let mut ended = None;
        assert!(
            until(|| {
                ended = child.try_wait().expect("a child");
                ended.is_some()
            }),
            "{behaviour}: the arena still runs"
        );
        assert!(!ended.is_some_and(|status| status.success()));
        let process = std::fs::read_to_string(pid_file).expect("a number");
        let process = Path::new("/proc").join(process.trim());
        assert!(until(|| !process.exists()), "{behaviour}: the agent still runs");
        assert_eq!(good(&arena(&folder, &["export"])).lines().count(), 1, "{behaviour}: an unfinished game was saved");
        std::fs::remove_file(folder.join("arena.sqlite")).expect("the store");
    }
}

/// Returns the number of pairs that a match counts.
fn pairs(standings: &Value) -> u64 {
    standings["match"]["pairs"].as_array().into_iter().flatten().filter_map(Value::as_u64).sum()
}

/// A stopped sequential test continues with the saved games: the totals are the same, and each game is played once.
#[test]
fn a_resumed_sequential_test_keeps_its_totals() {
    let folder = TestFolder::with_file();
    let file = "game = 'loa'\nsize = 6\nformat = 'match'\ngames = 60\nopening = 4\njobs = 2\n\
                [sprt]\nelo0 = 0\nelo1 = 5\nalpha = 0.001\nbeta = 0.001\nmodel = 'logistic'\n\
                [[agent]]\nname = 'one'\nbuiltin = 'level=1'\n[[agent]]\nname = 'other'\nbuiltin = 'build=random'\n";
    std::fs::write(folder.join("test.toml"), file).expect("a file");
    let mut run = command(&folder, &["run", "test.toml", "--json"]);
    let mut child = run.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    (0..6).for_each(|_| drop(lines.next().expect("a game")));
    stop(&child);
    lines.for_each(drop);
    child.wait().expect("a child");
    let before = json(&folder, &["standings", "--json"]);
    let played = before["played"].as_u64().expect("a number");
    assert!((6..60).contains(&played), "{before}");
    assert!(pairs(&before) * 2 <= played, "{before}");
    good(&arena(&folder, &["resume", "--quiet"]));
    let after = json(&folder, &["standings", "--json"]);
    assert_eq!((after["played"].as_u64(), pairs(&after)), (Some(60), 30), "{after}");
    assert_eq!(good(&arena(&folder, &["export"])).lines().count(), 61, "the header and each game once");
}
