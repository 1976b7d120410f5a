//! `plyhouse prove`.

mod ending;
pub(crate) mod options;
mod within;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::Context;
use game::plural;
use game::text::capitalised;
use games::{Budget, Stage, WinAnswer, WinQuestion, WinVerdict};
use measure::progress::Bar;
use proof::win::Strategy;
use search::Stop;

use self::ending::{NOT_PROVEN, report_on_interrupt, usage_error};
use self::options::Options;
use crate::analyse::counted;
use crate::options::{check_writable, free_memory};

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
    if let Some(path) = &options.certificate {
        check_writable(path).with_context(|| format!("certificate {}", path.display()))?;
    }
    let began = Instant::now();
    let visited = Arc::new(AtomicU64::new(0));
    report_on_interrupt(&visited, began, || "no result, and no certificate".to_owned())?;
    let text = options.target.text()?;
    let question = WinQuestion {
        game: options.target.game,
        size: options.target.size,
        position: text.as_deref(),
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
    let within = certified.map(|certified| format!(" within {}", counted(certified.plies))).unwrap_or_default();
    match (verdict, &options.side) {
        (WinVerdict::Won(name), _) => writeln!(out, "{name} wins {position}{within}")?,
        (WinVerdict::NotWon, Some(side)) => {
            writeln!(out, "{} cannot force a win of {position}", capitalised(&side.to_lowercase()))?;
        }
        (WinVerdict::NotWon, None) => writeln!(out, "neither side can force a win of {position}")?,
        (WinVerdict::Open, _) => {
            writeln!(out, "not proven: {position} is open after {} position{}", options.nodes, plural(options.nodes))?;
        }
    }
    writeln!(out, "{nodes} position{}, {seconds:.1} s", plural(*nodes))?;
    if let Some(Certified { steps, hash, .. }) = certified {
        writeln!(out, "certificate: {steps} step{}, sha256 {hash}", plural(*steps))?;
    }
    Ok(())
}
