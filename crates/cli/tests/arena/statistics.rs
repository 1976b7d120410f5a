//! Standings, sequential tests and interrupts of tournaments.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tournaments::{PLYHOUSE, arena, command, good, json, on_each_store, refused};
use serde_json::Value;

const STRONG: [&str; 2] = ["--agent", "strong=builtin:level=4"];
const WEAK: [&str; 2] = ["--agent", "weak=builtin:build=random"];
/// Arguments for very short games.
const QUICK: [&str; 7] = ["run", "--game", "loa", "--size", "6", "--opening", "4"];

fn standings(folder: &Path) -> Value {
    json(folder, &["standings", "--json"])
}

/// Returns a text with each run of whitespace replaced by one space.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The file's sequential test ends the match. The store keeps the test: `standings` shows its state, and `resume` plays
/// no further game.
#[test]
fn a_sequential_test_is_saved_with_its_tournament() {
    on_each_store(|folder| {
        let file = "game = 'loa'\nsize = 6\nformat = 'match'\ngames = 400\nopening = 4\n\
                [sprt]\nelo0 = 0\nelo1 = 100\nalpha = 0.1\nbeta = 0.2\nmodel = 'logistic'\n\
                [[agent]]\nname = 'strong'\nbuiltin = 'level=4'\n[[agent]]\nname = 'weak'\nbuiltin = 'build=random'\n";
        std::fs::write(folder.join("match.toml"), file).expect("a file");
        let shown = good(&arena(folder, &["run", "match.toml"]));
        let accepted = "(-1.50, +2.08): H1 accepted, +100 or more for strong";
        let line = shown.lines().find(|line| line.starts_with("SPRT    LLR +")).expect(&shown);
        assert!(line.contains(accepted), "{shown}");
        assert!(shown.contains("logistic Elo 0 against 100, α 0.1, β 0.2"), "{shown}");
        let after_run = standings(folder);
        assert_eq!(after_run["sprt"]["verdict"], "H1", "{after_run}");
        assert_eq!((&after_run["sprt"]["beta"], &after_run["sprt"]["model"]), (&0.2.into(), &"logistic".into()));
        assert!(after_run["played"].as_u64() < Some(400), "{after_run}");
        assert!(good(&arena(folder, &["resume"])).contains(accepted));
        assert_eq!(standings(folder)["played"], after_run["played"], "the test has decided");
        assert!(good(&arena(folder, &["standings"])).contains(accepted));
        good(&arena(folder, &["report", "site", "--quiet"]));
        let page = std::fs::read_to_string(folder.join("site/index.html")).expect("the page");
        assert!(page.contains("<dt>Sequential test</dt>") && page.contains("<strong>H1 accepted</strong>"), "{page}");
    });
}

#[test]
fn the_command_line_sets_a_sequential_test() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let test = ["--format", "match", "--games", "2", "--quiet", "--sprt", "-5,5,alpha=0.01"];
    good(&arena(folder, &[&QUICK[..], &STRONG, &WEAK, &test].concat()));
    let kept = &standings(folder)["sprt"];
    assert_eq!((&kept["elo0"], &kept["alpha"], &kept["beta"]), (&(-5.0).into(), &0.01.into(), &0.05.into()));
    assert_eq!((&kept["model"], &kept["verdict"]), (&"normalised".into(), &"open".into()));
    let error = refused(&arena(folder, &[&QUICK[..], &STRONG, &WEAK, &["--sprt", "0,5"]].concat()));
    assert!(error.contains("sprt: ") && error.contains("compares two agents"), "{error}");
}

/// If one agent wins every game, its rating is finite, and every output shows the same rating. Values that cannot be
/// computed are not shown.
#[test]
fn a_clean_score_has_one_finite_rating() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let shown = good(&arena(folder, &[&QUICK[..], &STRONG, &WEAK, &["--format", "match", "--games", "20"]].concat()));
    assert!(shown.contains("pairs   [0, 0, 0, 0, 10]"), "{shown}");
    for part in ["inf", "-0.0", "+0.0", "?", "nElo", "NaN"] {
        assert!(!shown.contains(part), "{part}: {shown}");
    }
    assert!(words(&shown).contains("The Elo of strong, weak is not bounded by the results"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let all = standings(folder);
    assert_eq!(all["unbounded"], serde_json::json!(["strong", "weak"]));
    let elo = |line: usize| all["standings"][line]["elo"].as_f64().expect("a number");
    let difference = all["match"]["elo"].as_f64().expect("a number");
    assert!((elo(0) - elo(1) - difference).abs() < 0.01 && difference > 300.0, "{all}");
    assert!(shown.contains(&format!("Elo     {difference:+.1} ± ")), "{shown}");
}

#[test]
fn groups_that_never_met_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let agents = ["a", "b", "c", "d"].map(|name| format!("{name}=builtin:level=1"));
    let agents: Vec<&str> = agents.iter().flat_map(|agent| ["--agent", agent]).collect();
    // Agents that have played least are paired first: a with b, then c with d.
    let shown = good(&arena(folder, &[&QUICK[..], &agents, &["--jobs", "1", "--every", "2"]].concat()));
    let (interim, rest) = shown.split_once("4 of 12 games").expect(&shown);
    assert!(interim.contains("2 of 12 games"), "{shown}");
    assert!(words(interim).contains("No game connects these groups, so their Elo cannot be compared: (a, b), (c, d)."));
    let last = rest.split_once("12 of 12 games").expect(&shown).1;
    assert!(!last.contains("No game connects") && last.contains("LOS"), "{shown}");
    for quiet in ["--quiet", "--json"] {
        let error = refused(&arena(folder, &[&QUICK[..], &agents, &["--every", "2", quiet]].concat()));
        assert!(error.contains("--every") && error.contains(quiet), "{error}");
    }
}

/// Ctrl-C prints the standings and the command to continue. Interrupted games do not count.
#[cfg(unix)]
#[test]
fn an_interrupted_tournament_prints_the_command_to_continue() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let mock = format!("mock=ugi:{PLYHOUSE} arena mock ugi honest");
    // On an idle machine ten games would be sufficient.
    let agents = ["--agent", "builtin:level=1", "--agent", &mock, "--games", "60", "--move-time", "120"];
    let more = ["--json", "--jobs", "2", "--store", "my cup.sqlite"];
    let mut child = command(folder, &[&QUICK[..], &agents, &more].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map(|line| line.expect("text"));
    for _ in 0..3 {
        lines.next().expect("a game");
    }
    // SIGTERM has the same effect as Ctrl-C. Tests that run in the background may ignore SIGINT.
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
    let last = lines.last().expect("the standings");
    let last: Value = serde_json::from_str(&last).expect("JSON");
    let played = last["played"].as_u64().expect("a number");
    assert!((3..60).contains(&played), "{last}");
    let ended = child.wait_with_output().expect("the program ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), None, "the signal ended it: {said}");
    let (_, next) = said.split_once("interrupted; resume with:\n    ").expect(&said);
    assert!(next.contains(" arena resume --store 'my cup.sqlite' --tournament 1 --jobs 2"), "{said}");
    let resumed = Command::new("sh").args(["-c", &format!("{} --quiet", next.trim())]).current_dir(folder).output();
    good(&resumed.expect("a shell"));
    let games = good(&arena(folder, &["export", "--store", "my cup.sqlite"]));
    assert_eq!(games.lines().count(), 61, "the header and each game once");
    let blamed = games.lines().skip(1).filter(|line| !line.contains("\"faults\":[]")).count();
    assert_eq!(blamed, 0, "no game has a fault");
}
