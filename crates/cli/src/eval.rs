//! `plyhouse eval`.

use std::io::Write;

use clap::Args;
use engine::{Breakdown, Resources, TermValue};
use serde::Serialize;

use crate::moves::result;
use crate::options::PositionOptions;
use crate::terminal::for_stdout;

/// Evaluate a position without search: the value, weight and share of each term
#[derive(Args)]
pub(crate) struct Options {
    #[command(flatten)]
    target: PositionOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The output of `--json`. Values are for the side to move; weights and shares are in hundredths of a piece.
#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    side_to_move: String,
    /// `black wins` for a finished position, which has no other fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<String>,
    #[serde(flatten)]
    evaluation: Option<Evaluation>,
}

#[derive(Serialize)]
struct Evaluation {
    /// Weight of the early values: 1 at the beginning of a game, 0 at its end.
    early_share: f64,
    terms: Vec<Term>,
    total: i32,
}

#[derive(Serialize)]
struct Term {
    name: &'static str,
    value: i32,
    early: f64,
    late: f64,
    weight: f64,
    share: f64,
}

pub(crate) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let position = options.target.position()?;
    let finished = position.outcome().map(|outcome| result(&*position, outcome));
    let breakdown = finished.is_none().then(|| position.breakdown(&Resources::default()));
    let side = position.side_name(position.side_to_move());
    if options.json {
        let report = Report {
            game: options.target.game.to_string(),
            position: position.position(),
            side_to_move: side.to_lowercase(),
            finished,
            evaluation: breakdown.as_ref().map(evaluation),
        };
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    writeln!(out, "{}\n", for_stdout(&position.diagram()))?;
    match (finished, breakdown) {
        (Some(result), _) => writeln!(out, "finished    {result}")?,
        (None, Some(breakdown)) => print(&breakdown, side, out)?,
        (None, None) => (),
    }
    Ok(())
}

fn evaluation(breakdown: &Breakdown) -> Evaluation {
    let term = |term: &TermValue| {
        let TermValue { name, value, early, late, weight, .. } = *term;
        Term { name, value, early, late, weight, share: term.share() }
    };
    Evaluation {
        early_share: breakdown.early_share,
        terms: breakdown.terms.iter().map(term).collect(),
        total: breakdown.total,
    }
}

/// Prints a table in hundredths of a piece, and the total in pieces.
fn print(breakdown: &Breakdown, side: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let width = breakdown.terms.iter().map(|term| term.name.len()).max().unwrap_or(0);
    writeln!(out, "{:<width$}   value     early      late    weight      share", "term")?;
    for term in &breakdown.terms {
        let TermValue { name, value, early, late, weight, .. } = *term;
        let share = term.share();
        writeln!(out, "{name:<width$}  {value:>6}  {early:>+8.2}  {late:>+8.2}  {weight:>+8.2}  {share:>+9.2}")?;
    }
    writeln!(out, "{:<width$}  {:>47}", "total", format!("{:+}", breakdown.total))?;
    let early = 100.0 * breakdown.early_share;
    writeln!(out, "\nphase       {early:.0} % beginning, {:.0} % end", 100.0 - early)?;
    writeln!(out, "evaluation  {:+.2} for {side}, to move", f64::from(breakdown.total) / 100.0)?;
    writeln!(out, "units       hundredths of a piece for weights and shares, pieces for the evaluation")
}
