//! Benchmark of the static site. It compares the engine's speed in a browser with its native speed, with one thread
//! each, and measures the size of the site and the time until the first board is drawn.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use devtools::{Browser, Files};
use house::Program;
use serde_json::{Value, json};

/// Number of timings for each median. The two variants of a comparison alternate.
const ROUNDS: usize = 5;
/// Nodes per search.
const NODES: u64 = 1_000_000;
/// Maximum size of the site, in megabytes.
const MOST: f64 = 2.5;
/// Maximum time to the first board, in milliseconds.
const LONGEST: f64 = 500.0;

fn main() -> Result<()> {
    let (folder, threaded) = (built(&[], "static-site")?, built(&["--threads"], "threaded-site")?);
    let mut out = stdout();
    for (folder, name) in [(&folder, "the whole site"), (&threaded, "the same with threads")] {
        writeln!(out, "{name}: {:.2} MB; bar {MOST} MB", weight(folder)? as f64 / 1e6)?;
    }
    let server = Files::serve(&folder, "/", "")?;
    let first = first_board(&server)?;
    writeln!(out, "first board with a cold cache: {first:.0} ms (median of {ROUNDS}); bar {LONGEST} ms")?;
    let mut browser = Browser::start()?;
    browser.open(&server.address(), 1280, 900)?;
    let scripts = scripts(&folder)?;
    for (game, moves) in OPENINGS {
        let task = task(game, moves);
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            here.push(natively(&task));
            there.push(in_browser(&mut browser, &scripts, &task)?);
        }
        let (here, there) = (median(here), median(there));
        let share = 100.0 * here / there;
        writeln!(
            out,
            "{game}: {here:.2} s natively, {there:.2} s in the browser: {share:.0} % of the speed; bar 50 %"
        )?;
    }
    let server = Files::serve(&threaded, "/", ISOLATED)?;
    browser.open(&server.address(), 1280, 900)?;
    let scripts = self::scripts(&threaded)?;
    let cores = browser.eval("navigator.hardwareConcurrency")?.as_u64().context("a number")?;
    let (mut one, mut all) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        one.push(depths(&mut browser, &scripts, 1)?);
        all.push(depths(&mut browser, &scripts, cores)?);
    }
    let deepest = one.iter().chain(&all).filter_map(|depths| depths.keys().last()).min();
    let depth = *deepest.context("a depth")?;
    let to_depth = |rounds: Vec<BTreeMap<u64, f64>>| {
        median(rounds.iter().filter_map(|depths| depths.range(depth..).next().map(|(_, &seconds)| seconds)).collect())
    };
    let (one, all) = (to_depth(one), to_depth(all));
    let gain = one / all;
    writeln!(
        out,
        "loa to depth {depth}: {one:.2} s with one thread, {all:.2} s with {cores}: {gain:.2} times as fast"
    )?;
    Ok(())
}

/// Response headers that a host must send so that the site can use several threads; see `docs/page.md`.
const ISOLATED: &str = "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";

fn built(options: &[&str], name: &str) -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target").join(name);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "--package", "plyhouse-lab", "--bin", "site", "--"]);
    cargo.args(options).arg(&folder);
    ensure!(cargo.current_dir(&root).status()?.success(), "the site was not built");
    Ok(folder)
}

fn weight(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let about = entry.metadata()?;
        sum += if about.is_dir() { weight(&entry.path())? } else { about.len() };
    }
    Ok(sum)
}

/// Returns the median time until a board is drawn, in milliseconds. The browser is already running, and its caches
/// contain nothing from the site.
fn first_board(server: &Files) -> Result<f64> {
    let mut browser = Browser::start()?;
    browser.call(
        "Page.addScriptToEvaluateOnNewDocument",
        &json!({ "source":
        "new MutationObserver((_, seen) => { if (document.querySelector('.board .square')) { \
         seen.disconnect(); requestAnimationFrame(() => { window.firstBoard = performance.now(); }); } }) \
         .observe(document, { childList: true, subtree: true });" }),
    )?;
    let mut times = Vec::new();
    // The first round is a warm-up.
    for round in 0..=ROUNDS {
        browser.open("about:blank", 1280, 900)?;
        let all = json!({ "origin": server.address().trim_end_matches('/'), "storageTypes": "all" });
        browser.call("Storage.clearDataForOrigin", &all)?;
        browser.call("Network.clearBrowserCache", &json!({}))?;
        browser.open(&format!("{}#/play?game=loa", server.address()), 1280, 900)?;
        browser.wait_for("window.firstBoard > 0")?;
        let time = browser.eval("window.firstBoard")?.as_f64().context("a number")?;
        if round > 0 {
            times.push(time);
        }
    }
    Ok(median(times))
}

/// The games, each with moves that lead out of its opening book: in the book, nothing is searched.
const OPENINGS: [(&str, &[&str]); 4] = [
    ("loa", &["b1-b3", "h4-f2", "e8-g6", "a5-c7", "g1-g4", "a6-d6"]),
    ("jump61", &["3:3", "4:4"]),
    ("breakthrough", &["a2-a3", "h7-h6"]),
    ("checkers", &["C6-D5", "D3-C4", "D7-C6", "C2-D3"]),
];

/// Returns a search with a fixed number of nodes.
fn task(game: &str, moves: &[&str]) -> Value {
    let game = json!({ "game": game, "limit": 200, "moves": moves });
    let seat = json!({ "kind": "engine", "level": "10", "nodes": NODES });
    let goal = json!({ "move": { "seed": 1, "seat": seat } });
    json!({ "task": { "threads": 1, "task": { "search": { "game": game, "goal": goal } } } })
}

/// Returns the seconds that a search takes on this machine.
fn natively(task: &Value) -> f64 {
    let mut program = Program::new(search::SYSTEM);
    let began = Instant::now();
    program.call(&task.to_string(), &mut |_| ());
    began.elapsed().as_secs_f64()
}

/// Returns the path of the scripts of a site, relative to its page.
fn scripts(folder: &Path) -> Result<String> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("files-") {
            return Ok(format!("{name}/site"));
        }
    }
    anyhow::bail!("the site has no folder of files")
}

/// Starts a thinker in the browser and evaluates an expression with it; `done()` waits until the thinker has completed
/// a call.
fn with_thinker(browser: &mut Browser, scripts: &str, threads: u64, what: &str) -> Result<Value> {
    let script = format!(
        "(async () => {{ const {{ fetchModule }} = await import('./{scripts}/module.js'); \
         const worker = new Worker('./{scripts}/thinker.js', {{ type: 'module' }}); \
         const done = () => new Promise((hear) => {{ worker.onmessage = ({{ data }}) => data.done && hear(); }}); \
         worker.postMessage({{ module: await fetchModule(), threads: {threads} }}); \
         worker.postMessage({{ call: {{ ask: {{ question: '' }} }} }}); await done(); \
         const result = await (async () => {{ {what} }})(); worker.terminate(); return result; }})()"
    );
    browser.eval(&script)
}

/// Returns the seconds that a search takes in the browser, without the time to start the thinker.
fn in_browser(browser: &mut Browser, scripts: &str, task: &Value) -> Result<f64> {
    let what = format!(
        "const began = performance.now(); worker.postMessage({{ call: {task} }}); await done(); \
         return (performance.now() - began) / 1000;"
    );
    with_thinker(browser, scripts, 1, &what)?.as_f64().context("a number of seconds")
}

/// Runs an analysis for five and a half seconds. Returns the time that its last search took to reach each depth, in
/// seconds.
fn depths(browser: &mut Browser, scripts: &str, threads: u64) -> Result<BTreeMap<u64, f64>> {
    let goal = json!({ "analyse": { "id": 1, "lines": 1 } });
    let task = json!({ "search": { "game": { "game": "loa" }, "goal": goal } });
    let call = json!({ "task": { "threads": threads, "task": task } });
    let what = format!(
        "const all = []; worker.onmessage = ({{ data }}) => {{ const a = data.said?.answer; \
         if (a?.thought) all.push([a.thought.depth, a.seconds]); }}; \
         worker.postMessage({{ call: {call} }}); await new Promise((hear) => setTimeout(hear, 5500)); return all;"
    );
    let told = with_thinker(browser, scripts, threads, &what)?;
    let told: Vec<(u64, f64)> = serde_json::from_value(told)?;
    // When a new search starts, the reported elapsed time decreases.
    let last = (1..told.len()).rfind(|&at| told[at].1 < told[at - 1].1).unwrap_or(0);
    Ok(told[last..].iter().rev().copied().collect())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
