//! `plyhouse prove`, and the part of `plyhouse verify` that checks its certificates.

mod within;

use std::fs::File;
use std::io::{BufWriter, IsTerminal, Read, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use clap::Args;
use game::text::capitalised;
use games::{Budget, MOST_WITHIN, Stage, WinAnswer, WinQuestion, WinVerdict, check_win};
use process::interrupt;
use proof::Team;
use proof::win::{Strategy, WinFile, is_win_file};
use search::Stop;

use crate::options::{PositionOptions, free_memory, processors};
use crate::progress::Bar;
use crate::solve::VerifyOptions;
use crate::streams::fail;

/// Exit code if the win is not proven.
const NOT_PROVEN: u8 = 1;
/// Exit code of wrong usage.
const USAGE: u8 = 2;

/// Prove that a side wins a position of any game, and write a certificate that `plyhouse verify` checks
///
/// Without `--for`, a win of either side counts. There is no move limit, and repetition is not a draw. Exit codes:
/// 0 proven, 1 not proven, 2 wrong usage.
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    target: PositionOptions,
    /// The side that must win, such as `black`
    #[arg(long = "for", value_name = "SIDE")]
    side: Option<String>,
    /// Find the shortest win, of at most this many plies, by an exact search of every defence
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_WITHIN)))]
    #[arg(conflicts_with = "certificate")]
    within: Option<u32>,
    /// Visit at most this many positions
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Size of the transposition table; without `--for`, both sides share it
    #[arg(long, value_name = "MIB", default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    table: u64,
    /// Write a certificate when a win is proven
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// A written certificate.
struct Certified {
    steps: usize,
    plies: u32,
    hash: String,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(free) = free_memory().filter(|free| *free < options.table) {
        let error = anyhow::anyhow!("a table of {} MiB: {free} MiB are free on this machine", options.table);
        return Ok(usage_error(&error));
    }
    if let Some(plies) = options.within {
        return within::run(options, plies, out);
    }
    let began = Instant::now();
    let visited = Arc::new(AtomicU64::new(0));
    report_on_interrupt(&visited, began, || "no result, and no certificate".to_owned())?;
    let question = WinQuestion {
        game: options.target.game,
        size: options.target.size,
        position: options.target.position.as_deref(),
        side: options.side.as_deref(),
        strategy: options.certificate.is_some(),
    };
    let budget = Budget { nodes: options.nodes, table_mib: options.table as usize, host: search::SYSTEM };
    let bar = Bar::with_lines(options.quiet || options.json, 0);
    let mut progress = |stage| match stage {
        Stage::Search(nodes) => {
            visited.store(nodes, Ordering::Relaxed);
            let text = format!("{:.1} M of {:.0} M positions", nodes as f64 / 1e6, options.nodes as f64 / 1e6);
            bar.show(nodes, options.nodes, &text);
        }
        Stage::Steps(steps) => bar.show(0, 0, &format!("proven; reading the strategy: {steps} steps")),
    };
    let answer = search::with_large_stack(|| question.answer(budget, &Stop::new(), &mut progress));
    bar.clear();
    let answer = match answer {
        Ok(answer) => answer,
        Err(error) => return Ok(usage_error(&error.into())),
    };
    let certified = match (&options.certificate, &answer.strategy) {
        (Some(path), Some(strategy)) => {
            let strategy = strategy.as_ref().map_err(|error| anyhow::anyhow!("no certificate: {error}"))?;
            Some(certify(path, strategy)?)
        }
        _ => None,
    };
    show(options, &answer, certified.as_ref(), began, out)?;
    let proven = matches!(answer.verdict, WinVerdict::Won(_));
    Ok(if proven { ExitCode::SUCCESS } else { ExitCode::from(NOT_PROVEN) })
}

fn usage_error(error: &anyhow::Error) -> ExitCode {
    let _ = fail(error);
    ExitCode::from(USAGE)
}

/// Prints the number of visited positions and the result when the program is interrupted.
fn report_on_interrupt(
    visited: &Arc<AtomicU64>,
    began: Instant,
    result: impl FnOnce() -> String + Send + 'static,
) -> anyhow::Result<()> {
    let visited = Arc::clone(visited);
    interrupt::before_end(move || {
        let (nodes, seconds) = (visited.load(Ordering::Relaxed) as f64 / 1e6, began.elapsed().as_secs_f64());
        let line = if stderr().is_terminal() { "\r\x1b[K" } else { "" };
        let _ = writeln!(stderr(), "{line}interrupted after {seconds:.0} s and {nodes:.1} M positions: {}", result());
    });
    interrupt::end_children_on_interrupt()?;
    Ok(())
}

fn certify(path: &Path, strategy: &Strategy) -> anyhow::Result<Certified> {
    let named = || format!("certificate {}", path.display());
    let mut file = BufWriter::new(File::create(path).with_context(named)?);
    let hash = strategy.write(&mut file).with_context(named)?;
    Ok(Certified { steps: strategy.steps.len(), plies: strategy.plies, hash })
}

fn show(
    options: &Options,
    answer: &WinAnswer,
    certified: Option<&Certified>,
    began: Instant,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let WinAnswer { position, nodes, verdict, .. } = answer;
    let seconds = began.elapsed().as_secs_f64();
    if options.json {
        let (verdict, winner) = match verdict {
            WinVerdict::Won(name) => ("won", Some(name.to_lowercase())),
            WinVerdict::NotWon => ("not won", None),
            WinVerdict::Open => ("open", None),
        };
        let report = serde_json::json!({
            "game": options.target.game.to_string(), "position": position,
            "for": options.side.as_ref().map(|side| side.to_lowercase()), "verdict": verdict, "winner": winner,
            "nodes": nodes, "seconds": seconds, "plies": certified.map(|c| c.plies),
            "steps": certified.map(|c| c.steps), "hash": certified.map(|c| c.hash.clone()),
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    let within = certified.map(|certified| format!(" within {} plies", certified.plies)).unwrap_or_default();
    match (verdict, &options.side) {
        (WinVerdict::Won(name), _) => writeln!(out, "{name} wins {position}{within}")?,
        (WinVerdict::NotWon, Some(side)) => {
            writeln!(out, "{} cannot force a win of {position}", capitalised(&side.to_lowercase()))?;
        }
        (WinVerdict::NotWon, None) => writeln!(out, "neither side can force a win of {position}")?,
        (WinVerdict::Open, _) => writeln!(out, "not proven: {position} is open after {} positions", options.nodes)?,
    }
    writeln!(out, "{nodes} positions, {seconds:.1} s")?;
    if let Some(Certified { steps, hash, .. }) = certified {
        writeln!(out, "certificate: {steps} steps, sha256 {hash}")?;
    }
    Ok(())
}

/// Returns the bytes of a file if it is a certificate of `plyhouse prove`. Returns `None` if it cannot be opened, so
/// that the caller reports the error.
pub(crate) fn win_file(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    let Ok(mut file) = File::open(path) else { return Ok(None) };
    let named = || format!("certificate {}", path.display());
    let mut bytes = Vec::new();
    Read::by_ref(&mut file).take(100).read_to_end(&mut bytes).with_context(named)?;
    if !is_win_file(&bytes) {
        return Ok(None);
    }
    file.read_to_end(&mut bytes).with_context(named)?;
    Ok(Some(bytes))
}

/// Checks a certificate of `plyhouse prove`.
pub(crate) fn run_verify(options: &VerifyOptions, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
    if options.details {
        bail!("{} is a certificate of `prove`; `--details` is for certificates of `solve`", options.file.display());
    }
    let named = || format!("certificate {}", options.file.display());
    let bar = Bar::with_lines(options.quiet || options.json, 0);
    let mut progress = |done: u64, all: u64| bar.show(done, all, &format!("{done} of {all} steps"));
    let team = Team { size: processors(options.threads), threads: &search::SystemThreads };
    let file = WinFile::read(bytes).with_context(named)?;
    let checked = check_win(&file, team, &mut progress);
    bar.clear();
    let (checked, winner) = checked.with_context(named)?;
    let header = &file.header;
    if options.json {
        let report = serde_json::json!({
            "game": header.game, "position": header.position, "winner": winner.to_lowercase(), "steps": checked.steps,
            "replies": checked.replies, "wins": checked.wins, "rank": checked.rank, "hash": file.hash,
        });
        writeln!(out, "{report}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{winner} wins {}: {}, {} steps, {} replies, {} wins at once, rank {}, sha256 {}",
        header.game, header.position, checked.steps, checked.replies, checked.wins, checked.rank, file.hash
    )?;
    Ok(())
}
