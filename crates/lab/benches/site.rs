//! The static site beside the program: the engine's speed in a browser and on the machine, one thread each, in one run;
//! the weight of the site and the time to its first board.

use std::fs;
use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use devtools::{Browser, Files};
use house::Program;
use serde_json::{Value, json};

/// How often each side is timed; the sides take turns.
const ROUNDS: usize = 5;
/// Nodes of each search.
const NODES: u64 = 1_000_000;
/// The site may weigh so much, in megabytes.
const MOST: f64 = 1.5;
/// The first board may take so long, in milliseconds.
const LONGEST: f64 = 500.0;

fn main() -> Result<()> {
    let folder = built()?;
    let mut out = stdout();
    let weight = weight(&folder)? as f64 / 1e6;
    writeln!(out, "the whole site: {weight:.2} MB; bar {MOST} MB")?;
    // What a host must send for several threads; see `docs/page.md`.
    let isolated = "Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Embedder-Policy: require-corp\r\n";
    let server = Files::serve(&folder, "/", isolated)?;
    let first = first_board(&server)?;
    writeln!(out, "first board with a cold cache: {first:.0} ms (median of {ROUNDS}); bar {LONGEST} ms")?;
    let mut browser = Browser::start()?;
    browser.open(&server.address(), 1280, 900)?;
    let thinker = thinker(&folder)?;
    for (game, start) in [("loa", None), ("jump61", None), ("breakthrough", None), ("checkers", None)] {
        let task = task(game, start);
        let (mut here, mut there) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            here.push(natively(&task));
            there.push(in_browser(&mut browser, &thinker, &task)?);
        }
        let (here, there) = (median(here), median(there));
        writeln!(
            out,
            "{game:12} {:.2} s natively, {:.2} s in the browser: {:.0} % of the native speed; bar 50 %",
            here,
            there,
            100.0 * here / there
        )?;
    }
    Ok(())
}

fn built() -> Result<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/static-site");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["run", "--quiet", "--locked", "--package", "plyhouse-lab", "--bin", "site", "--"]).arg(&folder);
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

/// The median time until a board is drawn, each time in a new browser, in milliseconds.
fn first_board(server: &Files) -> Result<f64> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let mut browser = Browser::start()?;
        browser.call(
            "Page.addScriptToEvaluateOnNewDocument",
            &json!({ "source":
            "new MutationObserver((_, seen) => { if (document.querySelector('.board .square')) { \
             seen.disconnect(); requestAnimationFrame(() => { window.firstBoard = performance.now(); }); } }) \
             .observe(document, { childList: true, subtree: true });" }),
        )?;
        browser.open(&format!("{}#/play", server.address()), 1280, 900)?;
        browser.wait_for("window.firstBoard > 0")?;
        times.push(browser.eval("window.firstBoard")?.as_f64().context("a number")?);
    }
    Ok(median(times))
}

/// A search with a fixed number of nodes.
fn task(game: &str, start: Option<&str>) -> Value {
    let game = json!({ "game": game, "size": null, "start": start, "moves": [], "limit": 200 });
    let seat = json!({ "kind": "engine", "level": "10", "nodes": NODES });
    let turn = json!({ "game": game, "seat": seat, "after": { "secs": 0, "nanos": 0 } });
    json!({ "task": { "threads": 1, "task": { "move": { "seed": 1, "turn": turn } } } })
}

/// Seconds of a search on this machine.
fn natively(task: &Value) -> f64 {
    let mut program = Program::new(machine::SYSTEM);
    let began = Instant::now();
    program.call(&task.to_string(), &mut |_| ());
    began.elapsed().as_secs_f64()
}

/// The path of the script of a thinker, relative to the page.
fn thinker(folder: &Path) -> Result<String> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.starts_with("files-") {
            return Ok(format!("{name}/site"));
        }
    }
    anyhow::bail!("the site has no folder of files")
}

/// Seconds of a search in a thinker of the browser, without the time to start it.
fn in_browser(browser: &mut Browser, thinker: &str, task: &Value) -> Result<f64> {
    let script = format!(
        "(async () => {{ const {{ fetchModule }} = await import('./{thinker}/module.js'); \
         const worker = new Worker('./{thinker}/thinker.js', {{ type: 'module' }}); \
         const done = () => new Promise((hear) => {{ worker.onmessage = ({{ data }}) => data.done && hear(); }}); \
         worker.postMessage({{ module: await fetchModule() }}); \
         worker.postMessage({{ call: {{ ask: {{ question: '' }} }} }}); await done(); \
         const began = performance.now(); worker.postMessage({{ call: {task} }}); await done(); \
         const seconds = (performance.now() - began) / 1000; worker.terminate(); return seconds; }})()"
    );
    browser.eval(&script)?.as_f64().context("a number of seconds")
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
