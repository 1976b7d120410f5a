//! A running tournament, watched: a Swiss of 24 programs in a real browser, and the same data on PostgreSQL.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::page::site::{Page, address_in};
use crate::tournaments::{CACHE, PLYHOUSE, Stage, arena, command, good, json};
use devtools::Browser;
use serde_json::Value;

/// A program that ends with the test.
struct Running(Child);

impl Running {
    fn start(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs"))
    }

    fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// `arena watch` and what it prints.
struct Watching(Running, Receiver<String>);

impl Watching {
    fn start(stage: &Stage, more: &[&str]) -> Self {
        let mut command = command(stage, &[&["watch", "--no-open"], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (sender, receiver) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self(Running(child), receiver)
    }

    fn line(&self) -> Option<String> {
        self.1.recv_timeout(Duration::from_mins(3)).ok()
    }

    /// Lines of JSON until one of them is as it should be.
    fn until(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + Duration::from_mins(3);
        let mut last = String::new();
        while Instant::now() < end {
            let Some(line) = self.line() else { break };
            last = line;
            let value = serde_json::from_str(&last).expect("JSON");
            if is_it(&value) {
                return value;
            }
        }
        panic!("{what}: {last}");
    }
}

/// Two agents of the examples, a program of ours, our engine by UGI and built in, and mocks that are honest or not.
fn cup() -> String {
    let agents = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agents");
    let loa6 = env!("CARGO_BIN_EXE_loa6");
    let agent = |name: &str, command: &str, dialect: &str| {
        format!("[[agent]]\nname = '{name}'\ncommand = '{command}'\ndialect = '{dialect}'\ndirectory = '{agents}'\n")
    };
    let mut cup = "name = 'Spring cup'\ngame = 'loa'\nsize = 6\nformat = 'swiss'\nrounds = 3\ngames = 1\nopening = 2\n\
                   seed = 3\nmove_limit = 24\nafter_fault = 'lose'\njobs = 4\n[time]\nmove = 1.5\ngame = 20\n"
        .to_owned();
    cup += &agent("Greedy", "python3 greedy6.py", "nus");
    cup += &agent("Random", "python3 random6.py", "nus");
    cup += &agent("loa6", loa6, "nus");
    for level in 1..=4 {
        let command = format!("{PLYHOUSE} engine loa --size 6 --player level={level}");
        cup += &agent(&format!("Engine {level}"), &command, "ugi");
    }
    for (dialect, behaviours) in [
        ("nus", &["honest", "illegal", "crash", "garbage", "orphan"][..]),
        ("ugi", &["honest", "illegal", "crash", "abort", "garbage", "no-newline", "orphan", "no-start"]),
    ] {
        for behaviour in behaviours {
            let command = format!("{PLYHOUSE} arena mock {dialect} {behaviour}");
            cup += &agent(&format!("Mock {dialect} {behaviour}"), &command, dialect);
        }
    }
    let built_in = |nodes| format!("[[agent]]\nname = 'Built in {nodes}'\nbuiltin = 'nodes={nodes},horizon=0/0'\n");
    cup += &[50, 500, 2000, 5000].map(built_in).concat();
    assert_eq!(cup.matches("[[agent]]").count(), 24);
    cup
}

/// Remembers what the boards look like, and says whether they have changed since.
const CHANGED: &str = "(() => { const now = [...document.querySelectorAll('.in-play .picture')].map((p) => p.innerHTML).join(); \
                       const before = window.seen; window.seen = now; return before !== undefined && before !== now; })()";

fn state(page: &mut Page, text: &str) {
    page.wait(&format!("document.querySelector('.state, .wait')?.textContent.includes({text:?})"));
}

/// Nothing is wider than a phone, and no heading or name of a column is cut off.
fn fits_a_phone(page: &mut Page) {
    for language in ["de", "zh", "en"] {
        let settings = serde_json::json!({ "language": language }).to_string();
        page.eval(&format!("localStorage.setItem('plyhouse.settings', {settings:?})"));
        page.load("arena", 390, 844);
        page.wait("document.querySelectorAll('.standings tbody tr').length === 24");
        assert_eq!(page.eval("document.documentElement.lang"), language);
        assert!(!page.is_too_wide(), "{language}");
        let cut = page.eval(
            "[...document.querySelectorAll('nav, nav a, .cup *, .tables h2, .tables thead th, .tables td')] \
             .filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 && !e.matches('.unseen, abbr, b, span')) \
             .map((e) => `${e.tagName} ${e.textContent}`).join(' | ')",
        );
        assert_eq!(cut, "", "{language}");
    }
    page.browser.resize(1280, 900).expect("a window");
}

#[test]
fn a_swiss_of_24_programs_is_watched() {
    let stage = Stage::alone();
    std::fs::write(stage.join("cup.toml"), cup()).expect("a file");
    let mut watching = Watching::start(&stage, &["--port", "0"]);
    let address = address_in(&watching.line().expect("a line")).replace("#/arena", "");
    let mut page = Page::new(Browser::start().expect("a browser"), &address);
    page.load("arena", 1280, 900);
    state(&mut page, "Waiting for the tournament");

    let mut run = Running::start(&mut command(&stage, &["run", "cup.toml", "--quiet", "--sandbox", "none"]));
    page.wait("document.querySelectorAll('.in-play li').length >= 3");
    page.wait("/This tournament’s program.*of 4/.test(document.querySelector('.workers tbody')?.textContent)");
    state(&mut page, "Running");
    assert_eq!(page.text(".cup h1"), "Spring cup");
    assert!(page.text(".cup .quiet").contains("Lines of Action 6 × 6 · Swiss · round 1 of 3"));
    page.wait(CHANGED);
    page.wait(CHANGED);
    page.wait("document.querySelectorAll('.in-play li:not(.over) .clock.runs').length > 0");
    page.wait("document.querySelectorAll('.in-play .picture rect.last').length >= 2");
    page.wait("document.querySelector('.in-play li.over .player.winner') !== null");
    page.wait("[...document.querySelectorAll('.standings tbody tr b')].some((e) => Number(e.textContent) >= 1)");
    page.wait("document.querySelectorAll('.recent li').length >= 2");

    run.kill();
    state(&mut page, "Stopped");
    assert!(page.text(".cup dd").ends_with("of 36"), "{}", page.text(".cup dd"));
    let mut run = Running::start(&mut command(&stage, &["resume", "--quiet"]));
    state(&mut page, "Running");
    fits_a_phone(&mut page);
    // One of the agents does not start, and the exit code says so.
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    state(&mut page, "Over. Winner: ");
    let told = json(&stage, &["standings", "--json"]);
    let table = told["swiss"]["table"].as_array().expect("a table");
    let names: Vec<&str> = table.iter().filter_map(|row| row["agent"].as_str()).collect();
    page.wait(&format!(
        "[...document.querySelectorAll('.standings tbody th')].map((e) => e.textContent).join() === {:?}",
        names.join(",")
    ));
    assert!(page.text(".state").ends_with(names[0]), "{}", page.text(".state"));
    let faults: u64 = told["standings"].as_array().into_iter().flatten().fold(0, |sum, row| {
        sum + row["faults"].as_object().into_iter().flatten().filter_map(|(_, count)| count.as_u64()).sum::<u64>()
    });
    let shown = "[...document.querySelectorAll('.standings tbody td:last-child')].reduce((sum, e) => sum + parseInt(e.textContent), 0)";
    assert!(faults > 5 && page.eval(shown) == faults, "{faults}");
    for theme in ["light", "dark", "contrast"] {
        page.eval(&format!("document.documentElement.dataset.theme = {theme:?}"));
        let found = if theme == "light" { page.violations("document") } else { page.colour_violations("document") };
        assert_eq!(found, "", "{theme}");
    }
    page.was_clean();

    // A page that has lost its server says so, and goes on with the next one.
    let port = page.address.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    watching.0.kill();
    state(&mut page, "The connection is lost");
    let _again = Watching::start(&stage, &["--port", &port]);
    state(&mut page, "Over. Winner: ");
    assert!(good(&arena(&stage, &["verify"])).contains("36 games"));
}

/// On PostgreSQL, played by the program itself and by a worker; two more programs of ours.
#[test]
fn a_tournament_in_a_database_is_watched() {
    let Some(stage) = Stage::on_postgres() else { return };
    let watching = Watching::start(&stage, &["--port", "0", "--json"]);
    watching.until("waiting", |told| told["tournament"]["state"] == "waiting");
    let options = [
        "run",
        "--quiet",
        "--sandbox",
        "none",
        "--format",
        "match",
        "--move-time",
        "9",
        "--move-limit",
        "30",
        "--opening",
        "4",
    ];
    let play = |own: &[&str]| {
        let mut command = command(&stage, &[&options[..], own].concat());
        Running::start(command.env("XDG_CACHE_HOME", CACHE))
    };
    let jump61 = format!("jump61=cs61b:{} --level 3", env!("CARGO_BIN_EXE_jump61"));
    let agents = ["--agent", &jump61, "--agent", "builtin:nodes=20000"];
    let _run = play(&[&["--game", "jump61", "--games", "4", "--jobs", "1"][..], &agents].concat());
    let told = watching.until("a game", |told| told["boards"][0]["number"].is_number());
    assert_eq!((&told["tournament"]["state"], &told["boards"][0]["key"]), (&"running".into(), &"0.0".into()), "{told}");
    assert_eq!(told["tournament"]["workers"][0]["jobs"], 1, "{told}");
    let told = watching.until("the end", |told| told["tournament"]["state"] == "over");
    assert_eq!((&told["tournament"]["played"], &told["tournament"]["planned"]), (&4.into(), &4.into()), "{told}");
    assert!(!told["tournament"]["winners"].as_array().expect("a list").is_empty(), "{told}");

    let mut work = Command::new(PLYHOUSE);
    work.args(["work", "--jobs", "1", "--store", &stage.database().url()]).env("XDG_CACHE_HOME", CACHE);
    let _worker = Running::start(work.env("PLYHOUSE_ENDGAMES", "/no/endgames"));
    let checkers = format!("checkers=comp10002:{}", env!("CARGO_BIN_EXE_checkers"));
    let agents = ["--agent", &checkers, "--agent", "builtin:nodes=60000"];
    let _run = play(&[&["--game", "checkers", "--games", "4", "--hand-out"][..], &agents].concat());
    let told = watching.until("a game of a worker", |told| {
        let (tournament, board) = (&told["tournament"], &told["boards"][0]);
        tournament["game"] == "checkers" && board["number"].is_number() && tournament["workers"][0].is_object()
    });
    let worker = &told["tournament"]["workers"][0];
    assert!(worker["name"].as_str().is_some_and(|name| !name.is_empty()) && worker["jobs"] == 1, "{told}");
    assert_eq!(told["boards"][0]["key"], format!("{}.0", worker["id"]), "{told}");
    let told = watching.until("the end", |told| told["tournament"]["state"] == "over");
    assert_eq!(told["tournament"]["played"], 4, "{told}");
}
