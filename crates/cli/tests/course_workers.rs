//! A course whose games are played by workers. Workers, their database and the course's server are killed or cut off.

use std::process::{Command, Stdio};

use devtools::Database;
use rustix::process::Signal;
use serde_json::json;

use crate::course_load::record::Record;
use crate::course_load::served::{Sender, Served, settings};
use crate::course_load::students::{Quality, upload};
use crate::tournaments::{CACHE, PLYHOUSE, Running, wait};

const TEAMS: usize = 4;

/// Starts a worker with one job at a time.
fn start_worker(database: &Database) -> Running {
    let mut command = Command::new(PLYHOUSE);
    command.args(["work", "--store", &database.url(), "--jobs", "1", "--lease", "2", "--quiet"]);
    command.env("XDG_CACHE_HOME", CACHE).env("PLYHOUSE_ENDGAMES", "/no/endgames").current_dir("/");
    Running::start(command.stdin(Stdio::null()))
}

/// Starts a course whose server plays on `cores` cores, and uploads an agent for each team.
fn serve(database: &Database, cores: usize) -> (Served, Record) {
    let settings = settings("2999-11-30 18:00").replace("cores = 2", &format!("cores = {cores}"));
    let settings = format!("{settings}[server]\nworkers = '{}'\n", database.url());
    let (served, record) = (Served::new(TEAMS, &settings, 60), Record::default());
    for team in 0..TEAMS {
        assert_eq!(upload(&served, &record, team, Quality::Good).status, 202);
    }
    (served, record)
}

fn number(database: &Database, query: &str) -> u64 {
    database.sql(query).expect("SQL").parse().expect("a number")
}

/// Returns the number of jobs that workers have done.
fn done(database: &Database) -> u64 {
    number(database, "SELECT coalesce(sum(done), 0) FROM plyhouse_ledger.worker")
}

/// Returns the number of jobs that workers are doing.
fn leased(database: &Database) -> u64 {
    number(database, "SELECT count(*) FROM plyhouse_ledger.job WHERE state = 1")
}

/// Waits until the ladder has at least `count` more games.
fn wait_for_more_games(served: &Served, count: u64) {
    let least = served.games() + count;
    served.wait_for("/course/about", |about| about["games"].as_u64() >= Some(least));
}

#[test]
fn workers_play_every_game_once_although_they_and_the_server_are_killed() {
    let Some(database) = Database::create().expect("a server") else { return };
    let (served, record) = serve(&database, 0);
    let trouble = served.wait_for("/course/staff/teams", |staff| staff["workers"]["trouble"].is_string());
    assert!(trouble["workers"]["trouble"].as_str().is_some_and(|text| text.contains("no worker of this version")));
    let status = served.command(&["status"]);
    assert!(status.contains("workers at postgres://plyhouse@127.0.0.1") && !status.contains("p%40ss"), "{status}");
    assert!(status.contains("start `plyhouse work --store postgres://plyhouse@"), "{status}");

    let mut workers = [start_worker(&database), start_worker(&database)];
    wait_for_more_games(&served, 4);
    record.show_games(&served.view("/course/games?kind=ladder"));
    served.wait_for("/course/live", |live| live["boards"].as_array().is_some_and(|boards| !boards.is_empty()));
    let asked = served.post(Sender::Team(1), "/course/practice", &json!({"level": "gentle1"})).expect("a server");
    assert_eq!(asked.status, 200, "{asked:?}");
    served.wait_for("/course/games?kind=practice", |page| page["games"].as_array().is_some_and(|all| all.len() == 1));
    for round in 0..3 {
        wait(|| leased(&database) > 0);
        workers[round % 2] = start_worker(&database);
        wait_for_more_games(&served, 2);
    }
    wait(|| leased(&database) > 0);
    record.crash(&served);
    wait_for_more_games(&served, 4);
    let open = "SELECT count(*) FROM plyhouse_ledger.work";
    assert_eq!(number(&database, open), 1, "the work of the killed server is deleted");
    check_own_game(&served);

    served.act("close");
    served.wait_for_phase("final");
    served.wait_for_games("final", 1);
    record.crash(&served);
    served.wait_for_phase("done");
    served.act("publish");
    record.show_games(&served.view("/course/games?kind=final"));
    record.check_backup(&served);
    served.end(Signal::TERM);
    let left = "SELECT (SELECT count(*) FROM plyhouse_ledger.work) + (SELECT count(*) FROM plyhouse_ledger.job)";
    assert_eq!(number(&database, left), 0, "no work is left");
}

/// Checks that a team sees standard error and the times of its own side in a game that a worker has played, and nothing
/// of the other side.
fn check_own_game(served: &Served) {
    let games = served.view("/course/games?kind=ladder");
    let id = games["games"][0]["id"].as_str().expect("a game");
    let path = format!("/course/games/{id}");
    let shown = |sender| {
        let game = served.get(sender, &path, None).expect("a server").json();
        let has_time = |side: u64| {
            game["moves"].as_array().expect("moves").iter().any(|m| m["side"] == side && m["seconds"].is_f64())
        };
        let sides = [0, 1].map(|side| (game["stderr"][side as usize].is_string(), has_time(side)));
        assert!(sides.iter().all(|(stderr, time)| stderr == time), "{game}");
        sides.map(|(stderr, _)| stderr)
    };
    assert_eq!([shown(Sender::Staff), shown(Sender::Visitor)], [[true, true], [false, false]]);
    let mut teams: Vec<[bool; 2]> = (0..TEAMS).map(|team| shown(Sender::Team(team))).collect();
    teams.sort_unstable();
    assert_eq!(teams, [[false, false], [false, false], [false, true], [true, false]]);
}

#[test]
fn games_continue_on_the_servers_cores_while_the_database_is_away() {
    let Some(database) = Database::create().expect("a server") else { return };
    let (served, _) = serve(&database, 1);
    let _worker = start_worker(&database);
    // The server or the worker creates the tables when it starts.
    wait(|| database.sql("SELECT to_regclass('plyhouse_ledger.worker') IS NOT NULL").expect("SQL") == "t");
    wait(|| number(&database, "SELECT count(*) FROM plyhouse_ledger.worker WHERE done > 0") > 0);
    wait(|| leased(&database) > 0);
    database.close().expect("SQL");
    let staff = served.wait_for("/course/staff/teams", |staff| staff["workers"]["trouble"].is_string());
    let problem = staff["problems"][0]["text"].as_str().expect("a problem");
    assert!(problem.starts_with("workers: ") && problem.contains("connect"), "{staff}");
    wait_for_more_games(&served, 4);
    assert!(served.view("/course/staff/teams")["workers"]["trouble"].is_string());
    database.reopen().expect("SQL");
    served.wait_for("/course/staff/teams", |staff| staff["workers"]["trouble"].is_null());
    let before = done(&database);
    wait(|| done(&database) > before + 2);
    served.end(Signal::TERM);
}
