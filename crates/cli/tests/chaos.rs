//! A tournament on workers while workers, the coordinator and the database are killed.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::tournaments::{CACHE, PLYHOUSE, TestFolder, arena, command, good, json, text, wait};
use game::SplitMix64;

/// Size of a run. `make check` runs the small one, `--ignored` the documented one.
struct Load {
    games: u32,
    workers: usize,
    /// Number of kills of each kind: workers, the coordinator, the database.
    kills: u32,
}

#[test]
fn no_game_is_lost_or_played_twice() {
    play_during_kills(&Load { games: 100, workers: 2, kills: 2 });
}

/// Reproduces the figures of `docs/scale.md`.
#[test]
#[ignore = "takes some minutes"]
fn two_thousand_games_survive_sixty_kills() {
    play_during_kills(&Load { games: 2000, workers: 4, kills: 20 });
}

fn worker(folder: &TestFolder) -> Child {
    let mut command = Command::new(PLYHOUSE);
    command.args(["work", "--store", &folder.database().url(), "--lease", "3", "--jobs", "1", "--quiet"]);
    command.env("XDG_CACHE_HOME", CACHE).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs")
}

fn kill(child: &mut Child) {
    child.kill().expect("a child");
    child.wait().expect("a child");
}

fn play_during_kills(load: &Load) {
    let Some(folder) = TestFolder::on_own_postgres() else { return };
    let games = (load.games / 10).to_string();
    let tournament = [
        ["run", "--game", "jump61", "--size", "4", "--opening", "4", "--games", &games, "--quiet"].as_slice(),
        &["--agent", "builtin:nodes=60", "--agent", "builtin:nodes=50", "--agent", "builtin:nodes=40"],
        &["--agent", "builtin:nodes=30", "--agent", "builtin:build=random"],
    ]
    .concat();
    let began = Instant::now();
    let hand_out = |arguments: &[&str]| {
        let mut command = command(&folder, &[arguments, &["--hand-out"]].concat());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program runs")
    };
    let mut workers: Vec<Child> = (0..load.workers).map(|_| worker(&folder)).collect();
    let mut coordinator = hand_out(&tournament);
    let started = || folder.database().sql("SELECT count(*) FROM plyhouse.tournament").is_ok_and(|count| count == "1");
    wait(started);

    let mut rng = SplitMix64::new(7);
    let mut left = [load.kills; 3];
    while left != [0; 3] {
        std::thread::sleep(Duration::from_millis(100 + rng.below(400) as u64));
        let kind = rng.below(3);
        if left[kind] == 0 {
            continue;
        }
        left[kind] -= 1;
        match kind {
            0 => {
                let victim = rng.below(workers.len());
                kill(&mut workers[victim]);
                workers[victim] = worker(&folder);
            }
            1 => {
                kill(&mut coordinator);
                coordinator = hand_out(&["resume", "--quiet"]);
            }
            _ => folder.database().crash().expect("the database restarts"),
        }
    }
    let mut ended = coordinator.wait_with_output().expect("a child");
    // A program that has just started fails if the server is down. A user would start it again.
    while !ended.status.success() && text(&ended).contains("connect") {
        ended = hand_out(&["resume", "--quiet"]).wait_with_output().expect("a child");
    }
    workers.iter_mut().for_each(kill);
    assert!(ended.status.success(), "{}", text(&ended));
    check(&folder, load, &tournament);
    let summary = [format!("{} games", load.games), format!("{} kills", 3 * load.kills)].join(", ");
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("{summary}, {} workers: {:.0} s\n", load.workers, began.elapsed().as_secs_f64()).as_bytes(),
    );
}

/// Asserts that every game was saved once in a valid chain, and that the standings equal those of the same tournament
/// on one machine with a file.
fn check(folder: &TestFolder, load: &Load, tournament: &[&str]) {
    let sql = |query: &str| folder.database().sql(query).expect("SQL");
    let rows = sql("SELECT count(*), count(DISTINCT number), count(*) FILTER (WHERE aside) FROM plyhouse.game");
    assert_eq!(rows, format!("{0}|{0}|0", load.games));
    assert_eq!(sql("SELECT count(*) FROM plyhouse_ledger.job"), "0", "no job and no lease is left");
    assert_eq!(sql("SELECT count(*) FROM plyhouse_ledger.work WHERE NOT is_over"), "0");
    good(&arena(folder, &["verify"]));
    let alone = TestFolder::with_file();
    good(&arena(&alone, tournament));
    let standings = |folder: &TestFolder| {
        let mut standings = json(folder, &["standings", "--json"])["standings"].clone();
        for row in standings.as_array_mut().into_iter().flatten() {
            for time in ["seconds", "cpu", "slowest"] {
                row[time].take();
            }
            // The last digit of a sum depends on the order in which the games were saved.
            for (_, value) in row.as_object_mut().into_iter().flatten() {
                if let Some(number) = value.as_f64() {
                    *value = serde_json::json!((number * 1e6).round());
                }
            }
        }
        standings
    };
    assert_eq!(standings(folder), standings(&alone));
}
