//! `plyhouse arena watch`: a Swiss of 24 programs in a real browser, and a tournament on PostgreSQL as JSON.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::page::site::{Page, address_in};
use crate::tournaments::{CACHE, PLYHOUSE, Running, TestFolder, arena, command, good, json};
use devtools::Browser;
use serde_json::Value;

/// A process of `arena watch`, and the lines that it prints.
struct Watch(Running, Receiver<String>);

impl Watch {
    fn start(folder: &TestFolder, more: &[&str]) -> Self {
        let mut command = command(folder, &[&["watch", "--no-open"], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program runs");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let (sender, receiver) = channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Self(Running(child), receiver)
    }

    fn line(&self) -> Option<String> {
        self.1.recv_timeout(Duration::from_mins(3)).ok()
    }

    /// Returns the first line of JSON that matches a predicate.
    fn wait_for(&self, what: &str, matches: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + Duration::from_mins(3);
        let mut last = String::new();
        while Instant::now() < end {
            let Some(line) = self.line() else { break };
            last = line;
            let value = serde_json::from_str(&last).expect("JSON");
            if matches(&value) {
                return value;
            }
        }
        panic!("{what}: {last}");
    }
}

/// Returns the file of a tournament of 24 agents: two examples, `loa6`, our engine over UGI and built in, and mocks, of
/// which some misbehave.
fn tournament() -> String {
    let agents = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/agents");
    let loa6 = env!("CARGO_BIN_EXE_loa6");
    let agent = |name: &str, command: &str, dialect: &str| {
        format!("[[agent]]\nname = '{name}'\ncommand = '{command}'\ndialect = '{dialect}'\ndirectory = '{agents}'\n")
    };
    let mut file =
        "name = 'Spring cup'\ngame = 'loa'\nsize = 6\nformat = 'swiss'\nrounds = 3\ngames = 1\nopening = 2\n\
                   seed = 3\nmove_limit = 24\nafter_fault = 'lose'\njobs = 4\n[time]\nmove = 1.5\ngame = 20\n"
            .to_owned();
    file += &agent("Greedy", "python3 greedy6.py", "nus");
    file += &agent("Random", "python3 random6.py", "nus");
    file += &agent("loa6", loa6, "nus");
    for level in 1..=4 {
        let command = format!("{PLYHOUSE} engine loa --size 6 --player level={level}");
        file += &agent(&format!("Engine {level}"), &command, "ugi");
    }
    for (dialect, behaviours) in [
        ("nus", &["honest", "illegal", "crash", "garbage", "orphan"][..]),
        ("ugi", &["honest", "illegal", "crash", "abort", "garbage", "no-newline", "orphan", "no-start"]),
    ] {
        for behaviour in behaviours {
            let command = format!("{PLYHOUSE} arena mock {dialect} {behaviour}");
            file += &agent(&format!("Mock {dialect} {behaviour}"), &command, dialect);
        }
    }
    let built_in = |nodes| format!("[[agent]]\nname = 'Built in {nodes}'\nbuiltin = 'nodes={nodes},horizon=0/0'\n");
    file += &[50, 500, 2000, 5000].map(built_in).concat();
    assert_eq!(file.matches("[[agent]]").count(), 24);
    file
}

/// Condition that the boards have changed since the last evaluation.
const CHANGED: &str = "(() => { const now = [...document.querySelectorAll('.in-play .picture')].map((p) => p.innerHTML).join(); \
                       const before = window.seen; window.seen = now; return before !== undefined && before !== now; })()";

fn wait_for_state(page: &mut Page, text: &str) {
    page.wait(&format!("document.querySelector('.state, .wait')?.textContent.includes({text:?})"));
}

/// Asserts that the view is no wider than a phone and that no heading or cell is cut off, in each language.
fn assert_fits_phone(page: &mut Page) {
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

/// Opens a game, steps through it by keys and buttons, and closes it.
fn replay(page: &mut Page, selector: &str) {
    page.wait(&format!("document.querySelector({selector:?}) !== null"));
    // A board may be replaced while the mouse moves.
    page.eval(&format!("document.querySelector({selector:?}).click()"));
    page.wait("document.querySelectorAll('.replay .squares .square').length === 36");
    page.wait("document.querySelectorAll('.replay .moves .move').length >= 2");
    page.key("Home");
    page.wait("document.querySelector('.replay .move[aria-current]') === null");
    let pieces = "document.querySelectorAll('.replay .piece:not(.gone)').length";
    page.wait(&format!("{pieces} === 16"));
    page.key("ArrowRight");
    page.wait("document.querySelector('.replay .move[aria-current]') === document.querySelector('.replay .move')");
    page.eval("document.querySelector('.replay .move:last-of-type').click()");
    page.eval("[...document.querySelectorAll('.replay .step-bar button')][3].click()");
    page.wait("[...document.querySelectorAll('.replay .move')].at(-1).matches('[aria-current]')");
    assert_eq!(page.violations("document.querySelector('.replay')"), "");
    page.key("Escape");
    page.wait("document.querySelector('.replay') === null");
}

#[test]
fn watch_shows_a_swiss_of_24_programs() {
    let folder = TestFolder::with_file();
    std::fs::write(folder.join("cup.toml"), tournament()).expect("a file");
    let mut watch = Watch::start(&folder, &["--port", "0"]);
    let address = address_in(&watch.line().expect("a line")).replace("#/arena", "");
    let mut page = Page::new(Browser::start().expect("a browser"), &address);
    page.load("arena", 1280, 900);
    wait_for_state(&mut page, "Waiting for the tournament");

    let mut run = Running::start(&mut command(&folder, &["run", "cup.toml", "--quiet", "--sandbox", "none"]));
    page.wait("document.querySelectorAll('.in-play li').length >= 3");
    page.wait("/This tournament’s program.*of 4/.test(document.querySelector('.workers tbody')?.textContent)");
    wait_for_state(&mut page, "Running");
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
    wait_for_state(&mut page, "Stopped");
    assert!(page.text(".cup dd").ends_with("of 36"), "{}", page.text(".cup dd"));
    let mut run = Running::start(&mut command(&folder, &["resume", "--quiet"]));
    wait_for_state(&mut page, "Running");
    assert_fits_phone(&mut page);
    // The exit code is 1 because one of the agents does not start.
    assert_eq!(run.0.wait().expect("it ends").code(), Some(1));
    wait_for_state(&mut page, "Over. Winner: ");
    let results = json(&folder, &["standings", "--json"]);
    let table = results["swiss"]["table"].as_array().expect("a table");
    let names: Vec<&str> = table.iter().filter_map(|row| row["agent"].as_str()).collect();
    page.wait(&format!(
        "[...document.querySelectorAll('.standings tbody th')].map((e) => e.textContent).join() === {:?}",
        names.join(",")
    ));
    assert!(page.text(".state").ends_with(names[0]), "{}", page.text(".state"));
    let faults: u64 = results["standings"].as_array().into_iter().flatten().fold(0, |sum, row| {
        sum + row["faults"].as_object().into_iter().flatten().filter_map(|(_, count)| count.as_u64()).sum::<u64>()
    });
    let shown = "[...document.querySelectorAll('.standings tbody td:last-child')].reduce((sum, e) => sum + parseInt(e.textContent), 0)";
    assert!(faults > 5 && page.eval(shown) == faults, "{faults}");
    for theme in ["light", "dark", "contrast"] {
        page.eval(&format!("document.documentElement.dataset.theme = {theme:?}"));
        let found = if theme == "light" { page.violations("document") } else { page.colour_violations("document") };
        assert_eq!(found, "", "{theme}");
    }
    page.assert_clean();

    // Games count from 1.
    assert_eq!(page.eval("/Game 0\\b/.test(document.body.textContent)"), false);
    replay(&mut page, ".in-play li .open");
    replay(&mut page, ".recent li .open");
    // A page that has lost its server shows that, and reconnects to the next server.
    let port = page.address.trim_end_matches('/').rsplit(':').next().expect("a port").to_owned();
    watch.0.kill();
    wait_for_state(&mut page, "Connection lost");
    let _again = Watch::start(&folder, &["--port", &port]);
    wait_for_state(&mut page, "Over. Winner: ");
    assert!(good(&arena(&folder, &["verify"])).contains("36 games"));
}

#[test]
fn watch_names_unusual_rules() {
    let folder = TestFolder::with_file();
    let rules = ["--game", "loa", "--size", "6", "--rules", "mso", "--start", "scrambled-eggs"];
    let games = ["--format", "match", "--games", "2", "--opening", "2", "--move-limit", "20", "--quiet"];
    let agents = ["--agent", "a=builtin:nodes=50", "--agent", "b=builtin:nodes=60"];
    good(&arena(&folder, &[&["run"][..], &rules, &games, &agents].concat()));
    let watch = Watch::start(&folder, &["--port", "0"]);
    let address = address_in(&watch.line().expect("a line")).replace("#/arena", "");
    let mut page = Page::new(Browser::start().expect("a browser"), &address);
    page.load("arena", 390, 844);
    wait_for_state(&mut page, "Over.");
    let what = page.text(".cup .quiet").replace('\u{a0}', " ");
    assert_eq!(what, "Lines of Action 6 × 6 · Scrambled Eggs, Olympiad rules · Match");
    assert!(!page.is_too_wide());
    page.assert_clean();
}

/// The first tournament is played by the program itself, the second one by a worker.
#[test]
fn watch_prints_a_tournament_in_a_database_as_json() {
    let Some(folder) = TestFolder::on_postgres() else { return };
    let watch = Watch::start(&folder, &["--port", "0", "--json"]);
    watch.wait_for("waiting", |update| update["tournament"]["state"] == "waiting");
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
        let mut command = command(&folder, &[&options[..], own].concat());
        Running::start(command.env("XDG_CACHE_HOME", CACHE))
    };
    let jump61 = format!("jump61=cs61b:{} --level 3", env!("CARGO_BIN_EXE_jump61"));
    let agents = ["--agent", &jump61, "--agent", "builtin:nodes=20000"];
    let _run = play(&[&["--game", "jump61", "--games", "4", "--jobs", "1"][..], &agents].concat());
    let update = watch.wait_for("a game", |update| update["boards"][0]["number"].is_number());
    assert_eq!(
        (&update["tournament"]["state"], &update["boards"][0]["key"]),
        (&"running".into(), &"0.0".into()),
        "{update}"
    );
    assert_eq!(update["tournament"]["workers"][0]["jobs"], 1, "{update}");
    let update = watch.wait_for("the end", |update| update["tournament"]["state"] == "over");
    assert_eq!((&update["tournament"]["played"], &update["tournament"]["planned"]), (&4.into(), &4.into()), "{update}");
    assert!(!update["tournament"]["winners"].as_array().expect("a list").is_empty(), "{update}");

    let mut work = Command::new(PLYHOUSE);
    work.args(["work", "--jobs", "1", "--store", &folder.database().url()]).env("XDG_CACHE_HOME", CACHE);
    let _worker = Running::start(work.env("PLYHOUSE_ENDGAMES", "/no/endgames"));
    let checkers = format!("checkers=comp10002:{}", env!("CARGO_BIN_EXE_checkers"));
    let agents = ["--agent", &checkers, "--agent", "builtin:nodes=60000"];
    let _run = play(&[&["--game", "checkers", "--games", "4", "--hand-out"][..], &agents].concat());
    let update = watch.wait_for("a game of a worker", |update| {
        let (tournament, board) = (&update["tournament"], &update["boards"][0]);
        tournament["game"] == "checkers" && board["number"].is_number() && tournament["workers"][0].is_object()
    });
    let worker = &update["tournament"]["workers"][0];
    assert!(worker["name"].as_str().is_some_and(|name| !name.is_empty()) && worker["jobs"] == 1, "{update}");
    assert_eq!(update["boards"][0]["key"], format!("{}.0", worker["id"]), "{update}");
    let update = watch.wait_for("the end", |update| update["tournament"]["state"] == "over");
    assert_eq!(update["tournament"]["played"], 4, "{update}");
}
