//! Jobs executed by workers in other processes, which are killed, stopped and disconnected.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::tournaments::{CACHE, Running, good, refused, text};
use clap::Parser as _;
use devtools::Database;
use lab::generate::Generate;
use ledger::Desk;
use serde_json::Value;

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// Returns a command with the tests' cache, which holds the speed of this machine.
fn plyhouse(arguments: &[&str]) -> Command {
    let mut command = Command::new(PLYHOUSE);
    command.args(arguments).env("XDG_CACHE_HOME", CACHE).env("PLYHOUSE_ENDGAMES", "/no/endgames");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Returns the command for a match that its sequential test ends before the last pair.
fn match_command(more: &[&str]) -> Command {
    let players =
        ["match", "jump61", "--size", "4", "--first", "nodes=300,horizon=0/0", "--second", "nodes=200,horizon=0/0"];
    let rest = ["--pairs", "400", "--opening", "3", "--seed", "9", "--sprt", "-20,60", "--json"];
    plyhouse(&[&players[..], &rest, more].concat())
}

fn worker(store: &str) -> Child {
    let mut command = plyhouse(&["work", "--store", store, "--jobs", "2", "--lease", "3", "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs")
}

/// Waits for a program to exit, and kills it after five minutes.
fn wait_for_exit(mut child: Child) -> Output {
    let until = Instant::now() + Duration::from_mins(5);
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

/// Returns the lines of a log without the times, which differ between runs.
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
    let (alone, shared) = (folder.path().join("alone.log"), folder.path().join("shared.log"));
    let whole = match_command(&["--log", &alone.to_string_lossy()]).output().expect("the program runs");
    assert!(whole.status.success() && games(&alone).len() < 400, "{}", text(&whole));

    let url = database.url();
    // The first worker measures the machine and caches its speed for the others.
    let idle = plyhouse(&["work", "--store", &url, "--until-idle", "--jobs", "1"]).output().expect("it runs");
    assert!(idle.status.success() && text(&idle).contains("no more are available"), "{}", text(&idle));
    let log = shared.to_string_lossy().into_owned();
    let hand_out = || match_command(&["--log", &log, "--store", &url]).spawn().expect("the program runs");
    let mut workers: Vec<Child> = (0..3).map(|_| worker(&url)).collect();
    let mut coordinator = hand_out();
    for round in 0..6 {
        std::thread::sleep(Duration::from_millis(150));
        kill(&mut workers[round % 3]);
        workers[round % 3] = worker(&url);
        if round % 2 == 1 {
            kill(&mut coordinator);
            coordinator = hand_out();
        }
        if round % 3 == 2 {
            database.cut_off().expect("SQL");
        }
    }
    let output = wait_for_exit(coordinator);
    workers.iter_mut().for_each(kill);
    assert_eq!(text(&output), text(&whole));
    assert_eq!(games(&shared), games(&alone));
    let left = database.sql("SELECT count(*) FROM plyhouse_ledger.job WHERE state IN (0, 1)").expect("SQL");
    assert_eq!(left, "0", "no job and no lease is left");
}

#[test]
fn store_errors_are_explained_without_the_password() {
    let Some(database) = Database::create().expect("a server") else { return };
    let refused = |arguments: &[&str]| refused(&plyhouse(arguments).output().expect("the program runs"));
    let said = refused(&["work", "--store", "arena.sqlite"]);
    assert!(said.contains("expected postgres://user:password@host:port/database"), "{said}");
    let wrong = database.url().replace("word@", "w0rd@");
    let said = refused(&["work", "--store", &wrong]);
    assert!(said.contains("password authentication failed") && !said.contains("measuring"), "{said}");
    let said = refused(&["match", "loa", "--pairs", "1", "--store", &wrong]);
    assert!(said.contains("password authentication failed") && !said.contains("w0rd"), "{said}");
    // The notice that no worker is connected does not show the password.
    let mut waiting = plyhouse(&["match", "loa", "--pairs", "1", "--store", &database.url()]);
    let mut waiting = waiting.spawn().expect("the program runs");
    let until = Instant::now() + Duration::from_mins(3);
    while !database.sql("SELECT count(*) FROM plyhouse_ledger.job").is_ok_and(|jobs| jobs != "0") {
        assert!(Instant::now() < until, "no job is offered");
        std::thread::sleep(Duration::from_millis(20));
    }
    // A second program with the same options would take the first one's results. Both programs wait some seconds before
    // their message.
    let second = plyhouse(&["match", "loa", "--pairs", "1", "--store", &database.url()]).output();
    let second = text(&second.expect("the program runs"));
    assert!(second.contains("another program hands out the same work"), "{second}");
    let mut line = String::new();
    let errors = waiting.stderr.take().expect("a pipe");
    std::io::BufRead::read_line(&mut std::io::BufReader::new(errors), &mut line).expect("a line");
    kill(&mut waiting);
    let hint = format!("start `plyhouse work --store {}`", database.shown_url());
    assert!(line.contains("no worker of this version is connected") && line.contains(&hint), "{line}");
}

/// Runs a command and returns its report without the times.
fn report(arguments: &[&str]) -> Value {
    let output = wait_for_exit(plyhouse(&[arguments, &["--json"]].concat()).spawn().expect("the program runs"));
    let mut report: Value = serde_json::from_str(&good(&output)).expect("JSON");
    let fields = report.as_object_mut().expect("an object");
    fields.retain(|name, _| !name.contains("seconds"));
    report
}

/// Returns the number of jobs of a kind that workers have done.
fn jobs_done(database: &Database, kind: &str) -> usize {
    let count = format!(
        "SELECT count(*) FROM plyhouse_ledger.job JOIN plyhouse_ledger.work ON work.id = work AND kind = '{kind}' AND \
         is_over WHERE state = 3"
    );
    database.sql(&count).expect("SQL").parse().expect("a number")
}

#[test]
fn suites_samples_and_proofs_are_the_same_on_workers() {
    let Some(database) = Database::create().expect("a server") else { return };
    let url = database.url();
    let folder = tempfile::tempdir().expect("a folder");
    let worker = |jobs| Running::start(&mut plyhouse(&["work", "--store", &url, "--jobs", jobs, "--quiet"]));
    let _working = ["2", "1"].map(worker);
    suites(folder.path(), &database);
    samples(folder.path(), &database);
    proofs(folder.path(), &database);
    let (failed, left) = (
        "SELECT sum(failed) FROM plyhouse_ledger.worker",
        "SELECT count(*) FROM plyhouse_ledger.job WHERE state IN (0, 1, 4)",
    );
    assert_eq!([failed, left].map(|count| database.sql(count).expect("SQL")), ["0", "0"]);
}

fn suites(folder: &Path, database: &Database) {
    let suite = std::fs::read_to_string("../../testdata/suites/loa-7.txt").expect("a suite");
    let problems: Vec<&str> = suite.lines().filter(|line| !line.starts_with('#')).take(24).collect();
    // A problem of another board size needs another engine.
    let small = "------/--b---/--b---/-b-ww-/-----w/w-b--- b;win 1";
    let file = folder.join("suite.txt");
    std::fs::write(&file, format!("# wins\n{}\n{small}\n", problems.join("\n"))).expect("a file");
    let file = file.to_string_lossy();
    let arguments = ["suite", "loa", &file, "--player", "nodes=300,horizon=1/0"];
    let alone = report(&arguments);
    assert!(alone["all"] == 25 && alone["solved"] != 0 && alone["solved"] != 25, "{alone}");
    assert_eq!(report(&[&arguments[..], &["--store", &database.url()]].concat()), alone);
    assert_eq!(jobs_done(database, "suite"), 25);
    let unsolved = |more: &[&str]| {
        let output = plyhouse(&[&arguments[..], &["--unsolved"], more].concat()).output().expect("the program runs");
        let lines = good(&output);
        lines.lines().filter(|line| line.contains(";win ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(unsolved(&["--store", &database.url()]), unsolved(&[]));
}

fn samples(folder: &Path, database: &Database) {
    let generate = |name: &str, more: &[&str]| {
        let file = folder.join(name);
        let out = file.to_string_lossy();
        let player = ["--player", "nodes=100,horizon=0/0", "--size", "4", "--games", "20", "--seed", "3"];
        let arguments = [&["generate", "jump61", "--out", &out][..], &player, more].concat();
        Generate::try_parse_from(arguments).expect("options").run().expect("samples");
        std::fs::read_to_string(file).expect("samples")
    };
    let alone = generate("1", &["--jobs", "1"]);
    assert!(alone.lines().count() > 100, "{alone}");
    assert!(generate("2", &["--jobs", "2"]) == alone, "with two threads");
    assert!(generate("away", &["--store", &database.url()]) == alone, "on workers");
    assert_eq!(jobs_done(database, "samples"), 20);
}

/// A proof of the 5×5 board with many jobs.
const SOLVE: [&str; 9] = ["solve", "loa", "--size", "5", "--effort", "50", "--table", "1", "--quiet"];

fn proofs(folder: &Path, database: &Database) {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let solve = |name: &str, more: &[&str]| report(&[&SOLVE[..], &["--certificate", &path(name)], more].concat());
    let (one, log, rebuilt, url) = (path("one.log"), path("away.log"), path("rebuilt"), database.url());
    let alone = solve("one", &["--workers", "1", "--log", &one]);
    assert!(alone["verdict"] == "won" && alone["jobs"].as_u64() > Some(20), "{alone}");
    assert_eq!(solve("two", &["--workers", "2"]), alone);
    // A proof that was killed continues from its log and from the jobs that workers have done meanwhile.
    let arguments = [&SOLVE[..], &["--store", &url, "--log", &log]].concat();
    let mut stopped = plyhouse(&arguments).spawn().expect("the program runs");
    let until = Instant::now() + Duration::from_mins(3);
    let has_some = || std::fs::read_to_string(&log).is_ok_and(|log| log.lines().count() >= 6);
    while !has_some() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(2));
    }
    kill(&mut stopped);
    let kept = std::fs::read_to_string(&log).expect("a log").lines().count() as u64 - 1;
    let mut away = solve("away", &["--store", &url, "--log", &log]);
    // The last line may be cut off, and the last result may not be counted yet.
    assert!(kept >= 5 && away["jobs_before"].as_u64() > Some(0), "{away}: {kept} were in the log");
    away["jobs_before"] = 0.into();
    assert_eq!(away, alone);
    assert_eq!(std::fs::read(path("away")).expect("a file"), std::fs::read(path("one")).expect("a file"));
    // The result is the same without a log, and when it is rebuilt from each log.
    assert_eq!(solve("no-log", &["--store", &url]), alone);
    for log in [&one, &log] {
        let again = report(&[&SOLVE[..], &["--log", log, "--rebuild", "--certificate", &rebuilt]].concat());
        assert_eq!(
            (&again["hash"], &again["jobs"], &again["jobs_before"]),
            (&alone["hash"], &alone["jobs"], &alone["jobs"])
        );
    }
    let verified = good(&plyhouse(&["verify", &path("away"), "--quiet"]).output().expect("the program runs"));
    assert!(verified.contains(alone["hash"].as_str().expect("a hash")), "{verified}");
}

#[test]
fn an_unreadable_job_fails_with_the_reason() {
    let Some(database) = Database::create().expect("a server") else { return };
    let address = database.url().parse().expect("a URL");
    let desk = |kind: &str, spec: &str, input: &str| {
        let mut desk = Desk::open(&address, kind, spec, &measure::bench::build()).expect("work");
        desk.offer(&[(0, input.to_owned())]).expect("offered");
        desk
    };
    let suite = r#"{"game":"loa","player":"nodes=9","endgames":false,"problems":""}"#;
    let wanted = [
        (desk("cooking", "{}", ""), "jobs of the kind `cooking` are unknown to this version"),
        (desk("match", "{}", ""), "the work does not describe a match"),
        (desk("suite", suite, "nonsense"), "expected `position;win N`, found `nonsense`"),
    ];
    let mut command = plyhouse(&["work", "--store", &database.url(), "--jobs", "2", "--lease", "1"]);
    let mut worker = command.spawn().expect("the program runs");
    let until = Instant::now() + Duration::from_mins(3);
    for (mut desk, part) in wanted {
        // A job is set aside after its third failure.
        let error = loop {
            let done = desk.collect().expect("an answer");
            match done.into_iter().next() {
                Some(done) => break done.output.expect_err("no output"),
                None => assert!(Instant::now() < until, "no error with {part}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        assert!(error.contains(part), "{error}");
        desk.end().expect("ended");
    }
    assert!(worker.try_wait().expect("a child").is_none(), "the worker still runs");
    kill(&mut worker);
}
