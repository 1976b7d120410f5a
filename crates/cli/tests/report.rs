//! The arena's report in a real browser, from disk.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use arena::{Entrant, GameLog, Spec, Store};
use devtools::Browser;
use game::SplitMix64;
use serde_json::{Value, json};

const PLYHOUSE: &str = env!("CARGO_BIN_EXE_plyhouse");

/// Plays a tournament in a folder and returns the folder of its report.
fn site(folder: &Path) -> PathBuf {
    let run = |arguments: &[&str]| {
        let output = Command::new(PLYHOUSE).arg("arena").args(arguments).current_dir(folder).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    let crash = format!("crash=cs61b:{PLYHOUSE} arena mock cs61b crash --at 9");
    let agents = ["--agent", "builtin:level=1", "--agent", "builtin:level=5", "--agent", &crash];
    run(&[&["run", "--game", "loa", "--opening", "2", "--quiet", "--game-time", "90"][..], &agents].concat());
    run(&["report", "site", "--quiet"]);
    folder.join("site")
}

#[test]
fn a_report_works_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = site(folder.path());
    a_game_is_replayed_by_mouse_keyboard_and_slider(&site);
    columns_sort_and_faults_are_shown(&site);
}

fn a_game_is_replayed_by_mouse_keyboard_and_slider(site: &Path) {
    let mut browser = Browser::start().expect("a browser");
    let eval = |browser: &mut Browser, text: &str| browser.eval(text).expect(text);
    let page = |name: &str| format!("file://{}", site.join(name).display());
    for width in [390, 1280] {
        // A URL that differs only after `#` would not load the page.
        browser.open("about:blank", width, 900).expect("an empty page");
        browser.open(&page("game.html#0"), width, 900).expect("the page");
        browser.wait_for("!document.getElementById('game').hidden").expect("the game");
        let moves = eval(&mut browser, "document.querySelectorAll('.moves button').length").as_u64().expect("a number");
        assert!(moves > 4);
        let pieces = "document.querySelectorAll('#board .piece').length";
        let says = "document.getElementById('says').textContent";
        assert!(eval(&mut browser, says).as_str().is_some_and(|text| text.contains(&format!("Move {moves}, "))));
        browser.click("#first").expect("a button");
        assert_eq!((eval(&mut browser, says), eval(&mut browser, pieces)), ("Start".into(), 24.into()));
        browser.press("ArrowRight").expect("a key");
        assert!(
            eval(&mut browser, says)
                .as_str()
                .is_some_and(|text| text.starts_with("Move 1, ") && text.ends_with("opening"))
        );
        assert_eq!(eval(&mut browser, "document.querySelectorAll('#board .from, #board .to').length"), 2);
        browser.click(".moves li:nth-child(4) button").expect("a move");
        assert!(eval(&mut browser, says).as_str().is_some_and(|text| text.starts_with("Move 4, ")));
        assert!(
            eval(&mut browser, "document.getElementById('clock1').textContent")
                .as_str()
                .is_some_and(|text| text.ends_with("s left"))
        );
        browser.press("Home").expect("a key");
        // The game plays automatically.
        browser.click("#play").expect("a button");
        browser.wait_for("document.getElementById('says').textContent.startsWith('Move 2,')").expect("it plays");
        browser.click("#play").expect("a button");
        browser.press("End").expect("a key");
        let last = eval(&mut browser, "document.querySelector('.moves [aria-current]').textContent");
        assert!(last.as_str().is_some_and(|text| text.starts_with(&format!("{moves}."))), "{last}");
        let wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
        assert_eq!(eval(&mut browser, wide), false, "the page is not wider than {width}");
    }
    assert_eq!(browser.complaints().expect("the browser"), Vec::<String>::new());
    let asked = browser.requests().expect("the browser");
    assert!(asked.iter().all(|address| address.starts_with("file://") || address == "about:blank"), "{asked:?}");
}

fn columns_sort_and_faults_are_shown(site: &Path) {
    let mut browser = Browser::start().expect("a browser");
    browser.open(&format!("file://{}", site.join("index.html").display()), 1280, 900).expect("the page");
    let names =
        "[...document.querySelectorAll('main table')[0].tBodies[0].rows].map(row => row.cells[1].dataset.v).join()";
    let by_rank = browser.eval(names).expect("names");
    assert_eq!(by_rank, "plyhouse level=5,plyhouse level=1,crash");
    browser.click("main table th:nth-child(2) button").expect("a head");
    assert_eq!(browser.eval(names).expect("names"), "plyhouse level=5,plyhouse level=1,crash");
    browser.click("main table th:nth-child(2) button").expect("a head");
    assert_eq!(browser.eval(names).expect("names"), "crash,plyhouse level=1,plyhouse level=5");
    let text = browser.eval("document.querySelector('main').innerText").expect("text");
    assert!(text.as_str().is_some_and(|text| text.contains("crash ")), "{text}");
    let points = "[...document.querySelectorAll('.cross tbody tr')].map(row => row.innerText.replace(/\\s+/g, ' ').trim()).join()";
    let points = browser.eval(points).expect("the crosstable");
    assert_eq!(points, "1 plyhouse level=5 2.0 2.0,2 plyhouse level=1 0.0 2.0,3 crash 0.0 0.0");
    browser.click("td.name a[href='agent-2.html']").expect("a link");
    browser.wait_for("document.querySelector('h1').textContent === 'crash'").expect("the agent's page");
    let text = browser.eval("document.querySelector('main').innerText").expect("text");
    assert!(text.as_str().is_some_and(|text| text.contains("exit code 3")), "{text}");
    let results = "[...document.querySelectorAll('#games tbody tr')].map(row => row.cells[2].textContent).join()";
    browser.wait_for(&format!("{results} === 'lost,lost,lost,lost'")).expect("four lost games");
    for width in [390, 1280] {
        browser.resize(width, 900).expect("a size");
        let wide = browser.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth");
        assert_eq!(wide.expect("a boolean"), false, "the page is not wider than {width}");
    }
    assert_eq!(browser.complaints().expect("the browser"), Vec::<String>::new());
}

/// Returns a random game with all optional parts of a record. Games 2000 to 2199 have long texts.
fn game(spec: &Spec, number: u32, seeds: &mut SplitMix64) -> GameLog {
    let agents = spec.agents.len();
    let mut board = spec.new_game(0).expect("a game");
    let mut moves: Vec<Value> = Vec::new();
    while let (Some(text), true) = (seeds.choose(&board.legal_moves()), moves.len() < 40) {
        if board.finish().is_some() {
            break;
        }
        board.play(text).expect("a legal move");
        let score = json!({"cp": seeds.below(900) as i32 - 450});
        moves.push(json!({"text": text, "seconds": 0.0004, "left": 60.0, "side": moves.len() % 2, "score": score,
            "depth": 9, "nodes": seeds.below(1 << 20), "pv": [text, text, text]}));
    }
    let stderr =
        if (2000..2200).contains(&number) { format!("{number} \u{1b}[2J<b>").repeat(2_000) } else { String::new() };
    let first = number as usize % agents;
    let second = (first + 1 + number as usize / agents % (agents - 1)) % agents;
    let fault = json!({"ply": moves.len(), "side": 1, "kind": "time", "detail": "late \u{202e}<i>"});
    let log = json!({
        "number": number, "agents": [first, second], "round": 0, "opening_seed": 0, "seed": number,
        "start": spec.new_game(0).expect("a game").start(), "opening": [], "moves": moves, "result": "first",
        "ending": "win by time", "faults": [fault], "stderr": [stderr, ""], "cpu": [null, null],
        "began": "2026-11-25T20:00:00.000Z", "seconds": 0.02, "version": "", "machine": "",
    });
    serde_json::from_value(log).expect("a log")
}

/// Creates a store with a tournament of 60 agents. Returns the folder of its report and the time for writing it.
fn large_site(folder: &Path, games: u32) -> (PathBuf, Duration) {
    let names = ["<b>Ann</b>".to_owned()].into_iter().chain((1..60).map(|agent| format!("A{agent}")));
    let agents: Vec<String> = names.map(|name| format!("[[agent]]\nname = '{name}'\nbuiltin = ''\n")).collect();
    let file = format!("game = 'loa'\nname = 'Large'\n{}", agents.concat());
    let spec = Spec::read(&file, folder).expect("a tournament");
    let mut store = Store::open(&folder.join("arena.sqlite").into()).expect("a store");
    let mut entrants = vec![Entrant::default(); 60];
    "Ann, https://ann.example/".clone_into(&mut entrants[0].title);
    let id = store.begin(&spec, games, &entrants).expect("saved");
    let mut seeds = SplitMix64::new(1);
    for number in (0..games).step_by(1000) {
        let logs: Vec<_> = (number..games.min(number + 1000)).map(|number| game(&spec, number, &mut seeds)).collect();
        store.save_all(id, &logs).expect("saved");
    }
    let begun = Instant::now();
    let site = folder.join("site");
    arena::report(&store, &store.tournament(None).expect("a tournament"), &site, &mut |_| ()).expect("written");
    (site, begun.elapsed())
}

/// Returns the files of a folder with their sizes.
fn sizes(folder: &Path) -> Vec<(String, u64)> {
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    files
        .map(|file| (file.file_name().to_string_lossy().into_owned(), file.metadata().expect("a file").len()))
        .filter(|(name, _)| name != "data")
        .collect()
}

#[test]
fn a_large_report_has_small_files_and_pages_of_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let (site, _) = large_site(folder.path(), 2500);
    let (pages, data) = (sizes(&site), sizes(&site.join("data")));
    assert_eq!(pages.len(), 60 + 5, "{pages:?}");
    assert!(pages.iter().all(|(name, size)| *size < 20_000 + 40_000 * u64::from(name == "index.html")), "{pages:?}");
    let size = |name: &str| data.iter().find(|(file, _)| file == name).map_or(u64::MAX, |(_, size)| *size);
    assert!(size("games.js") < 40 * 2500, "{data:?}");
    // Each move has a score, a depth, nodes and a line.
    assert!(size("chunk-0.js") < 2000 * 1000, "{data:?}");
    assert!(data.iter().all(|(_, size)| *size < 5 << 20), "long texts start a new chunk early: {data:?}");

    let mut browser = Browser::start().expect("a browser");
    let page = |name: &str| format!("file://{}", site.join(name).display());
    for width in [390, 1280] {
        browser.open(&page("index.html"), width, 900).expect("the page");
        let wide = browser.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth");
        assert_eq!(wide.expect("a boolean"), false, "the page is not wider than {width}");
    }
    rows_are_paged_and_sorted(&mut browser);
    browser.open(&page("agent-0.html"), 390, 900).expect("the page");
    let names = "[...document.querySelectorAll('#games tbody tr')].every(row => row.innerText.includes('<b>Ann</b>'))";
    assert_eq!(browser.eval(names).expect("a boolean"), true, "only the agent's own games");
    browser.open(&page("game.html#2150/3"), 1280, 900).expect("the page");
    a_complete_game_is_shown(&mut browser);
    assert_eq!(browser.complaints().expect("the browser"), Vec::<String>::new());
    let asked = browser.requests().expect("the browser");
    assert!(asked.iter().all(|address| address.starts_with("file://")), "{asked:?}");
}

fn rows_are_paged_and_sorted(browser: &mut Browser) {
    let rows = "[...document.querySelectorAll('#games tbody tr')].map(row => row.cells[0].textContent)";
    let mut shown = |steps: &str| {
        if !steps.is_empty() {
            browser.click(steps).expect("a button");
        }
        browser.eval(&format!("(rows => [rows.length, rows[0]].join())({rows})")).expect("rows")
    };
    assert_eq!(shown(""), "100,0");
    assert_eq!(shown("#games [aria-label='Next page']"), "100,100");
    assert_eq!(shown("#games th button"), "100,2499", "all rows are sorted");
    assert_eq!(shown("#games [aria-label='Last page']"), "100,99");
    let cross = "[...document.querySelectorAll('#cross tr')].map(row => row.cells.length).join()";
    assert_eq!(browser.eval(cross).expect("cells"), vec!["42"; 41].join(","));
    browser.click("#cross .pager:nth-child(2) [aria-label='Last page']").expect("a button");
    assert_eq!(browser.eval(cross).expect("cells"), vec!["22"; 41].join(","));
    assert_eq!(browser.eval("document.querySelectorAll('#cross b, #games b').length").expect("a number"), 0);
}

fn a_complete_game_is_shown(browser: &mut Browser) {
    let says = "document.getElementById('says').textContent";
    browser.wait_for(&format!("{says}.startsWith('Move 3, ')")).expect("the move");
    let text = browser.eval("document.querySelector('main').textContent").expect("text");
    let text = text.as_str().unwrap_or_default();
    for part in
        ["2150 \\u001b[2J<b>", ": late \\u202e<i>", "Standard error of A50", "60.00 s left", "up is good for A50"]
    {
        assert!(text.contains(part), "{part}");
    }
    assert_eq!(browser.eval("document.querySelectorAll('main b, main i').length").expect("a number"), 0);
    assert_eq!(browser.eval("document.querySelectorAll('.chart polyline').length").expect("a number"), 2);
    assert_eq!(browser.eval("document.title.startsWith('Game 2150: ')").expect("a boolean"), true);
    browser.eval("location.hash = '#0'").expect("another game");
    browser.wait_for("document.getElementById('title').textContent.startsWith('<b>Ann</b> – ')").expect("the game");
    let title = browser.eval("document.querySelector('#players a[rel]').href").expect("a link");
    assert_eq!(title, "https://ann.example/");
    browser.eval("location.hash = '#2500'").expect("no game");
    browser.wait_for("!document.getElementById('error').hidden").expect("a message");
    let message = browser.eval("document.getElementById('error').textContent").expect("text");
    assert_eq!(message, "Game 2500 is not in this report.");
}

#[test]
#[ignore = "measures a report of 50,000 games: `cargo nextest run -p plyhouse-cli report::fifty --run-ignored=all --no-capture`"]
#[expect(clippy::print_stderr, reason = "prints measurements")]
fn fifty_thousand_games_are_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let (site, time) = large_site(folder.path(), 50_000);
    let (pages, data) = (sizes(&site), sizes(&site.join("data")));
    let total = |files: &[(String, u64)]| files.iter().map(|(_, size)| size).sum::<u64>();
    let chunks: Vec<_> = data.iter().filter(|(name, _)| name.starts_with("chunk-")).cloned().collect();
    let index = total(&pages) + total(&data) - total(&chunks);
    let files = pages.len() + data.len();
    eprintln!("{files} files, written in {:.1} s; index and pages: {index} bytes", time.as_secs_f64());
    eprintln!("{} chunks: {} bytes", chunks.len(), total(&chunks));
    assert!(index < 20_000_000);
    let mut browser = Browser::start().expect("a browser");
    let list = "document.querySelectorAll('#games tbody tr').length === 100";
    // The time of the first page includes the start of the browser's renderer.
    for (name, ready) in [
        ("index.html", list),
        ("index.html", list),
        ("index.html", list),
        ("agent-0.html", list),
        ("game.html#49999", "!document.getElementById('game').hidden"),
    ] {
        let begun = Instant::now();
        browser.open(&format!("file://{}", site.join(name).display()), 1280, 900).expect("the page");
        browser.wait_for(ready).expect("the page");
        let loaded = browser.eval("performance.getEntriesByType('navigation')[0].loadEventEnd").expect("a time");
        eprintln!("{name}: {:.2} s; load event after {loaded} ms", begun.elapsed().as_secs_f64());
    }
}
