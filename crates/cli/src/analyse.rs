//! `plyhouse analyse`.

use core::num::NonZeroUsize;
use core::time::Duration;
use std::io::{IsTerminal, Write};
use std::time::Instant;

use clap::Args;
use engine::{PlayerOptions, Resources};
use games::AnyRecord;
use search::{Choice, Control, Progress, Score};
use serde::Serialize;

use crate::endgames;
use crate::moves::result;
use crate::options::{PositionOptions, seconds, up_to_256};
use crate::terminal::for_stdout;

/// Search a position and print the best move, score, principal variation, and proven result
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    target: PositionOptions,
    /// Search to this depth, in plies
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=100))]
    depth: Option<u32>,
    /// Search this many positions; the search for forced wins within the horizon is not counted
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Search for this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    movetime: Option<Duration>,
    /// Show this many of the best moves, each with its score and line
    #[arg(long, value_name = "N", default_value = "1", value_parser = up_to_256)]
    lines: NonZeroUsize,
    /// Threads; with more than one, results are not reproducible
    #[arg(long, value_name = "N", default_value = "1", value_parser = up_to_256)]
    threads: NonZeroUsize,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The output of `--json`.
#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    /// `black wins` for a finished position, which has no other fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<String>,
    #[serde(flatten)]
    found: Option<Found>,
}

#[derive(Serialize)]
struct Found {
    best: String,
    score: JsonScore,
    pv: Vec<String>,
    depth: u32,
    nodes: u64,
    seconds: f64,
    /// `null` if nothing is proven.
    proven: Option<Proven>,
    /// The next best moves, with `--lines`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Other>,
}

#[derive(Serialize)]
struct Other {
    score: JsonScore,
    pv: Vec<String>,
}

/// A score for the side to move.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum JsonScore {
    /// Hundredths of a piece.
    Units(i32),
    WinIn(u32),
    LossIn(u32),
}

#[derive(Serialize)]
struct Proven {
    /// `win` or `loss`, for the side to move.
    result: &'static str,
    winner: String,
    plies: u32,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let game = options.target.game;
    let resources = endgames::load(game)?;
    let record = options.target.position()?;
    let mut report = Report { game: game.to_string(), position: record.position(), finished: None, found: None };
    if let Some(outcome) = record.outcome() {
        report.finished = Some(result(&*record, outcome));
    } else {
        report.found = search(&*record, options, &resources)?;
    }
    if options.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        writeln!(out, "{}\n", for_stdout(&record.diagram()))?;
        print(&report, record.side_name(record.side_to_move()), out)?;
    }
    Ok(())
}

fn search(record: &dyn AnyRecord, options: &Options, resources: &Resources) -> anyhow::Result<Option<Found>> {
    let Options { depth, nodes, movetime, lines, threads, .. } = *options;
    let analyst = PlayerOptions { depth, nodes, movetime, lines, threads, ..PlayerOptions::analysis() };
    let mut engine = record.engine(&analyst, resources)?;
    let limits = engine.limits();
    let mut follow = |progress: &Progress<String>| {
        let _ = writeln!(
            std::io::stderr(),
            "depth {:>2}  {:>11}  {:>10} nodes  {}",
            progress.depth,
            progress.score.to_string(),
            progress.nodes,
            progress.pv.join(" ")
        );
    };
    let mut control = Control::on(search::SYSTEM);
    if !options.json && std::io::stderr().is_terminal() {
        control.progress = Some(&mut follow);
    }
    let start = Instant::now();
    let choice = engine.choose(record, &limits, &mut control);
    let seconds = start.elapsed().as_secs_f64();
    Ok(choice.map(|choice| found(record, choice, seconds)))
}

fn found(record: &dyn AnyRecord, choice: Choice<String>, seconds: f64) -> Found {
    Found {
        best: choice.best,
        score: json_score(choice.score),
        pv: choice.pv,
        depth: choice.depth,
        nodes: choice.nodes,
        seconds,
        proven: proven(record, choice.score),
        others: choice.others.into_iter().map(|o| Other { score: json_score(o.score), pv: o.pv }).collect(),
    }
}

fn json_score(score: Score) -> JsonScore {
    match (score.win_distance(), score.loss_distance()) {
        (Some(plies), _) => JsonScore::WinIn(plies),
        (_, Some(plies)) => JsonScore::LossIn(plies),
        _ => JsonScore::Units(score.as_units().unwrap_or(0)),
    }
}

fn proven(record: &dyn AnyRecord, score: Score) -> Option<Proven> {
    let us = record.side_to_move();
    let (result, winner, plies) = match (score.win_distance(), score.loss_distance()) {
        (Some(plies), _) => ("win", us, plies),
        (_, Some(plies)) => ("loss", !us, plies),
        _ => return None,
    };
    Some(Proven { result, winner: record.side_name(winner).to_lowercase(), plies })
}

fn print(report: &Report, side: &str, out: &mut dyn Write) -> std::io::Result<()> {
    if let Some(result) = &report.finished {
        return writeln!(out, "finished   {result}");
    }
    let Some(found) = &report.found else { return Ok(()) };
    writeln!(out, "best move  {}", found.best)?;
    match found.score {
        JsonScore::Units(units) => writeln!(out, "score      {:+.2} for {side}, to move", f64::from(units) / 100.0)?,
        JsonScore::WinIn(plies) => writeln!(out, "score      win for {side}, to move, in {}", counted(plies))?,
        JsonScore::LossIn(plies) => writeln!(out, "score      loss for {side}, to move, in {}", counted(plies))?,
    }
    match &found.proven {
        Some(proven) => writeln!(out, "proven     {} wins in {}", proven.winner, counted(proven.plies))?,
        None => writeln!(out, "proven     nothing")?,
    }
    writeln!(out, "line       {}", found.pv.join(" "))?;
    for other in &found.others {
        writeln!(out, "next       {:<11} {}", words(&other.score), other.pv.join(" "))?;
    }
    writeln!(out, "depth      {}", found.depth)?;
    writeln!(out, "nodes      {}", found.nodes)?;
    writeln!(out, "seconds    {:.3}", found.seconds)
}

fn words(score: &JsonScore) -> String {
    match *score {
        JsonScore::Units(units) => format!("{:+.2}", f64::from(units) / 100.0),
        JsonScore::WinIn(plies) => format!("win in {plies}"),
        JsonScore::LossIn(plies) => format!("loss in {plies}"),
    }
}

/// Returns `1 ply` or `2 plies`.
pub(crate) fn counted(plies: impl Into<u64>) -> String {
    let plies = plies.into();
    format!("{plies} {}", if plies == 1 { "ply" } else { "plies" })
}
