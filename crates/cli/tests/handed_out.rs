//! Tournaments whose games are played by workers on other machines.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::tournaments::{
    CACHE, PLYHOUSE, Running, TestFolder, arena, command, games, good, json, refused, text, wait,
};
use serde_json::Value;

/// Starts a worker of a folder's database, with the tests' cache.
fn start_worker(folder: &TestFolder, more: &[&str]) -> Running {
    let mut command = Command::new(PLYHOUSE);
    command.args(["work", "--store", &folder.database().url()]).args(more);
    command.env("XDG_CACHE_HOME", CACHE).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    Running::start(command.stdin(Stdio::null()).current_dir("/"))
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).env("XDG_CACHE_HOME", CACHE).output().expect("the program runs")
}

/// Returns the reproducible parts of games: everything but times, machines and order of saving.
fn reproducible(games: &[Value]) -> Vec<Value> {
    let kept = ["number", "agents", "round", "opening_seed", "seed", "start", "opening", "result", "ending"];
    let reduced = |game: &Value| {
        let moves: Vec<&Value> = game["moves"].as_array().expect("moves").iter().map(|m| &m["text"]).collect();
        let mut fields: Value = kept.iter().map(|name| ((*name).to_owned(), game[*name].clone())).collect();
        fields["moves"] = serde_json::json!(moves);
        fields
    };
    games.iter().map(reduced).collect()
}

/// Creates a folder with an agent of the examples, which looks one move ahead.
fn add_greedy(folder: &Path) {
    std::fs::create_dir(folder).expect("a folder");
    for name in ["greedy6.py", "lines.py", "nus_agent.py"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents").join(name);
        std::fs::copy(from, folder.join(name)).expect("a copy");
    }
    std::fs::write(folder.join("agent.toml"), "command = 'python3 greedy6.py'\ndialect = 'nus'\n").expect("a file");
}

/// Built-in engines, a Python program and our mock play a Swiss, whose pairings depend on results.
#[test]
fn a_tournament_has_the_same_games_on_workers() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    let alone = TestFolder::with_file();
    for each in [&folder, &alone] {
        add_greedy(&each.join("greedy"));
    }
    let mock = format!("mock=ugi:{PLYHOUSE} arena mock ugi honest");
    let options = ["--game", "loa", "--size", "6", "--format", "swiss", "--rounds", "2", "--games", "2"];
    let agents =
        ["--agent", "builtin:nodes=300", "--agent", "builtin:nodes=100", "--agent", &mock, "--agent", "greedy"];
    let limits = ["--opening", "4", "--move-limit", "12", "--move-time", "120"];
    let all = [&["run"], &options[..], &agents, &limits].concat();
    good(&run(&alone, &[&all[..], &["--quiet"]].concat()));

    let _workers =
        [["--jobs", "2", "--lease", "10"], ["--jobs", "1", "--lease", "10"]].map(|more| start_worker(&folder, &more));
    let said = text(&run(&folder, &[&all[..], &["--hand-out", "--json"]].concat()));
    assert_eq!(reproducible(&games(&folder)), reproducible(&games(&alone)), "{said}");
    let standings = |folder: &Path| json(folder, &["standings", "--json"])["standings"].clone();
    assert_eq!(standings(&folder).as_array().map(Vec::len), Some(4));
    good(&arena(&folder, &["verify"]));
    let left = folder.database().sql("SELECT count(*) FROM plyhouse_ledger.job").expect("SQL");
    assert_eq!(left, "0", "jobs of saved games are deleted");
}

#[test]
fn tournaments_that_cannot_be_handed_out_are_rejected_with_the_reason() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    let base = ["run", "--game", "loa", "--size", "6", "--hand-out", "--agent", "builtin:level=1"];
    let said = refused(&run(&folder, &[&base[..], &["--store", "a.sqlite", "--agent", "builtin:"]].concat()));
    assert!(said.contains("the store a.sqlite is a file, expected `--store postgres://…`"), "{said}");
    let said = refused(&run(&folder, &[&base[..], &["--agent", "builtin:", "--log", "said"]].concat()));
    assert!(said.contains("log: ") && said.contains("transcripts would stay on the workers' machines"), "{said}");
    let own = folder.join("linked");
    std::fs::create_dir(&own).expect("a folder");
    std::fs::write(own.join("agent.toml"), "command = 'sh agent.sh'\ndialect = 'nus'\n").expect("a file");
    std::os::unix::fs::symlink("/etc/passwd", own.join("passwd")).expect("a link");
    let said = refused(&run(&folder, &[&base[..], &["--agent", "linked"]].concat()));
    assert!(said.contains("agent `linked`: ") && said.contains("passwd: a link found"), "{said}");
}

/// A missing bundle is not a fault of its agent: the agent's games are set aside, the others are played, and `resume`
/// sends the bundle again.
#[test]
fn games_that_workers_cannot_play_are_set_aside() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    add_greedy(&folder.join("greedy"));
    // A file that no other test has makes the bundle unique, so no worker has it in its cache.
    std::fs::write(folder.join("greedy/own.txt"), folder.to_string_lossy().as_bytes()).expect("a file");
    let options = [
        "run",
        "--game",
        "loa",
        "--size",
        "6",
        "--opening",
        "2",
        "--move-limit",
        "6",
        "--move-time",
        "120",
        "--hand-out",
    ];
    let agents = ["--agent", "builtin:nodes=30", "--agent", "builtin:nodes=20", "--agent", "greedy"];
    let mut coordinator = command(&folder, &[&options[..], &agents].concat());
    let coordinator = coordinator.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let sql = |query: &str| folder.database().sql(query);
    wait(|| sql("SELECT count(*) FROM plyhouse_ledger.job").is_ok_and(|jobs| jobs == "6"));
    sql("DELETE FROM plyhouse_ledger.bundle").expect("SQL");
    // The only worker gets a failed job again, because there is no other worker.
    let _worker = start_worker(&folder, &["--jobs", "2", "--lease", "2"]);
    let said = refused(&coordinator.wait_with_output().expect("it ends"));
    assert!(said.contains("(and 3 more) was set aside, because 3 workers could not play it"), "{said}");
    assert!(said.contains("agent `greedy`: bundle ") && said.contains("it is not in the store"), "{said}");
    assert_eq!(games(&folder).len(), 2);
    good(&run(&folder, &["resume", "--hand-out", "--quiet"]));
    let all = games(&folder);
    assert!(all.len() == 6 && all.iter().all(|game| game["faults"] == serde_json::json!([])), "{all:?}");
}

/// Creates an agent that does not start.
fn add_broken(folder: &Path) {
    std::fs::create_dir(folder).expect("a folder");
    std::fs::write(folder.join("agent.toml"), "command = 'sh agent.sh'\ndialect = 'ugi'\n").expect("a file");
    std::fs::write(folder.join("agent.sh"), "exit 3\n").expect("a file");
}

/// A program that starts on no machine is given a fault after all retries. Times are scaled to the speed of the
/// machine.
#[test]
fn a_program_that_starts_on_no_worker_loses() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    add_broken(&folder.join("broken"));
    let cup = "game = 'loa'\nsize = 6\nscale = 1e4\nafter_fault = 'lose'\n[time]\nmove = 5\n";
    std::fs::write(folder.join("cup.toml"), [cup, "[[agent]]\nname = 'a'\nbuiltin = 'nodes=30'\n"].concat())
        .expect("a file");
    let _worker = start_worker(&folder, &["--jobs", "1", "--lease", "3"]);
    let played = run(&folder, &["run", "cup.toml", "--agent", "broken", "--hand-out", "--quiet"]);
    assert_eq!(played.status.code(), Some(1), "an agent did not start: {}", text(&played));
    let all = games(&folder);
    assert_eq!(all.len(), 2);
    for game in all {
        let broken = usize::from(game["agents"][0] == 0);
        assert_eq!(
            (game["ending"].as_str(), game["faults"][0]["side"].as_u64()),
            (Some("no start"), Some(broken as u64))
        );
        assert_eq!(game["result"], ["second", "first"][broken]);
        assert!(game["machine"].as_str().is_some_and(|machine| machine.contains(", times × 0.")), "{game}");
    }
    let failed = folder.database().sql("SELECT sum(failed) FROM plyhouse_ledger.worker").expect("SQL");
    assert_eq!(failed, "4", "two tries of each game");
}

/// Queued games are not played after the agent was withdrawn, unless a worker has already started them.
#[test]
fn an_agent_that_starts_on_no_worker_is_withdrawn() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    add_broken(&folder.join("broken"));
    let _worker = start_worker(&folder, &["--jobs", "1", "--lease", "3"]);
    let options = ["run", "--game", "loa", "--size", "6", "--games", "30", "--opening", "4", "--hand-out"];
    let agents = ["--agent", "builtin:nodes=30", "--agent", "broken"];
    let played = run(&folder, &[&options[..], &agents].concat());
    assert_eq!(played.status.code(), Some(1), "{}", text(&played));
    assert!(text(&played).contains("agent `broken` is withdrawn: it could not start in games "), "{}", text(&played));
    let all = games(&folder);
    let is_withdrawn =
        |game: &&Value| game["faults"][0]["detail"].as_str().is_some_and(|detail| detail.starts_with("withdrawn"));
    let withdrawn = all.iter().filter(is_withdrawn).count();
    assert!(all.len() == 30 && withdrawn >= 15, "{withdrawn} of {}", all.len());
    let standings = json(&folder, &["standings", "--json"]);
    assert_eq!((&standings["standings"][0]["points"], &standings["void"]), (&30.0.into(), &0.into()), "{standings}");
    let left = folder.database().sql("SELECT count(*) FROM plyhouse_ledger.job").expect("SQL");
    assert_eq!(left, "0", "no job is left");
    good(&arena(&folder, &["verify"]));
}

#[test]
fn the_database_user_for_workers_can_play_and_nothing_else() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    let role = format!("worker_{}", folder.database().name());
    let made: Value =
        json(&folder, &["store", "init", "--worker", &role, "--json", "--store", &folder.database().url()]);
    let url = made["url"].as_str().expect("a URL");
    let mut worker = Command::new(PLYHOUSE);
    worker.args(["work", "--store", url, "--jobs", "1", "--quiet"]).env("XDG_CACHE_HOME", CACHE);
    let _worker = Running::start(&mut worker);
    let options = ["run", "--game", "loa", "--size", "6", "--opening", "2", "--move-limit", "6", "--move-time", "120"];
    let options = [&options[..], &["--hand-out", "--quiet"]].concat();
    add_greedy(&folder.join("greedy"));
    good(&run(&folder, &[&options[..], &["--agent", "builtin:nodes=30", "--agent", "greedy"]].concat()));
    assert_eq!(games(&folder).len(), 2);
    for command in ["list", "standings", "resume"] {
        let said = refused(&arena(&folder, &[command, "--store", url]));
        assert!(said.contains("permission denied") && !said.contains(url), "{said}");
    }
    let said = refused(&arena(&folder, &["store", "init", "--worker", "x", "--store", "cups.sqlite"]));
    assert!(said.contains("--worker: the store cups.sqlite is a file"), "{said}");
    assert!(!folder.join("cups.sqlite").exists());
    let said = refused(&arena(&folder, &["store", "init", "--worker", "x", "--store", url]));
    assert!(said.contains("permission denied"), "{said}");
    let said = refused(&arena(&folder, &["store", "init", "--worker", "", "--store", &folder.database().url()]));
    assert!(said.contains("worker ``: expected a name of 1 to 63 bytes"), "{said}");
    // The command for workers does not show the password in a list of processes, because a variable holds it.
    let said = text(&arena(&folder, &["store", "init", "--worker", &role, "--store", &folder.database().url()]));
    let command = said.lines().last().expect("a command");
    let (variable, rest) = command.split_once(' ').expect("two words");
    let password = variable.strip_prefix("PGPASSWORD=").expect("a variable");
    assert!(rest.starts_with("plyhouse work --store 'postgres") && !rest.contains(password), "{command}");
}
