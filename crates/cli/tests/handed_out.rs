//! Tournaments whose games workers on other machines play.

#![cfg(target_os = "linux")]

mod tournaments;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tournaments::{CACHE, PLYHOUSE, Stage, arena, command, games, good, json, refused, text};

/// A worker of a stage's database, with a cache of the test's own.
fn worker(folder: &Stage, more: &[&str]) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.args(["work", "--store", &folder.database().url(), "--lease", "2"]).args(more);
    command.env("XDG_CACHE_HOME", CACHE).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

/// A worker that ends with the test.
struct Working(Child);

impl Working {
    fn start(folder: &Stage, more: &[&str]) -> Self {
        Self(worker(folder, more).spawn().expect("the program runs"))
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).env("XDG_CACHE_HOME", CACHE).output().expect("the program runs")
}

/// What is the same however often games are played: not times, machines and places.
fn essence(games: &[Value]) -> Vec<Value> {
    let kept = ["number", "agents", "round", "opening_seed", "seed", "start", "opening", "result", "ending"];
    let essence = |game: &Value| {
        let moves: Vec<&Value> = game["moves"].as_array().expect("moves").iter().map(|m| &m["text"]).collect();
        let mut essence: Value = kept.iter().map(|name| ((*name).to_owned(), game[*name].clone())).collect();
        essence["moves"] = serde_json::json!(moves);
        essence
    };
    games.iter().map(essence).collect()
}

/// A folder with an agent of the examples, which looks one move ahead.
fn greedy(folder: &Path) {
    std::fs::create_dir(folder).expect("a folder");
    for name in ["greedy6.py", "lines.py", "nus_agent.py"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents").join(name);
        std::fs::copy(from, folder.join(name)).expect("a copy");
    }
    std::fs::write(folder.join("agent.toml"), "command = 'python3 greedy6.py'\ndialect = 'nus'\n").expect("a file");
}

/// Our engines, programs of the system's languages, and programs of ours, in a Swiss, whose rounds follow from results.
#[test]
fn a_tournament_has_the_same_games_on_workers() {
    let Some(folder) = Stage::on_postgres() else { return };
    let alone = Stage::alone();
    for stage in [&folder, &alone] {
        greedy(&stage.join("greedy"));
    }
    let mock = format!("mock=ugi:{PLYHOUSE} engine loa --level 1");
    let options = ["--game", "loa", "--size", "6", "--format", "swiss", "--rounds", "2", "--games", "2"];
    let agents =
        ["--agent", "builtin:nodes=300", "--agent", "builtin:nodes=100", "--agent", &mock, "--agent", "greedy"];
    let limits = ["--opening", "4", "--move-limit", "12", "--move-time", "20"];
    let all = [&["run"], &options[..], &agents, &limits].concat();
    good(&run(&alone, &[&all[..], &["--quiet"]].concat()));

    let _workers = [Working::start(&folder, &["--jobs", "2"]), Working::start(&folder, &["--jobs", "1"])];
    let said = text(&run(&folder, &[&all[..], &["--hand-out", "--json"]].concat()));
    assert_eq!(essence(&games(&folder)), essence(&games(&alone)), "{said}");
    let standings = |folder: &Path| json(folder, &["standings", "--json"])["standings"].clone();
    assert_eq!(standings(&folder).as_array().map(Vec::len), Some(4));
    good(&arena(&folder, &["verify"]));
    let left = folder.database().sql("SELECT count(*) FROM plyhouse_ledger.job").expect("SQL");
    assert_eq!(left, "0", "saved games are forgotten");
}

#[test]
fn what_cannot_be_handed_out_is_explained() {
    let Some(folder) = Stage::on_postgres() else { return };
    let base = ["run", "--game", "loa", "--size", "6", "--hand-out", "--agent", "builtin:level=1"];
    let said = refused(&run(&folder, &[&base[..], &["--store", "a.sqlite", "--agent", "builtin:"]].concat()));
    assert!(said.contains("the store a.sqlite is a file, expected `--store postgres://…`"), "{said}");
    let said = refused(&run(&folder, &[&base[..], &["--agent", "builtin:", "--log", "said"]].concat()));
    assert!(said.contains("log: ") && said.contains("on their own machines only"), "{said}");
    let own = folder.join("linked");
    std::fs::create_dir(&own).expect("a folder");
    std::fs::write(own.join("agent.toml"), "command = 'sh agent.sh'\ndialect = 'nus'\n").expect("a file");
    std::os::unix::fs::symlink("/etc/passwd", own.join("passwd")).expect("a link");
    let said = refused(&run(&folder, &[&base[..], &["--agent", "linked"]].concat()));
    assert!(said.contains("agent `linked`: ") && said.contains("passwd: a link found"), "{said}");
}
