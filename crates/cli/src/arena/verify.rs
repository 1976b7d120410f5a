//! `plyhouse arena verify`.

use std::io::Write;
use std::process::ExitCode;

use anyhow::ensure;
use arena::Audit;
use clap::Args;
use game::plural;
use measure::progress::Bar;
use serde_json::json;

use super::options::TournamentOption;

/// Verify a tournament: replay every game by the rules and check the chain of hashes; exit code 1 if something is wrong
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    target: TournamentOption,
    /// Head that was recorded earlier outside the store; the chain must contain it
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Maximum number of games in a list.
const MAX_LISTED: usize = 20;

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let (store, tournament) = options.target.open()?;
    let head = options.head.as_deref().map(str::trim);
    if let Some(head) = head {
        let is_hash = head.len() == 64 && head.bytes().all(|digit| digit.is_ascii_hexdigit());
        ensure!(is_hash, "head `{}`: expected 64 hexadecimal digits", game::text::excerpt(head));
    }
    let bar = Bar::new(options.json, 0);
    let planned = u64::from(tournament.planned);
    let audit = arena::verify(&store, &tournament, head, &mut |done| bar.show(done, planned, &format!("{done} games")));
    bar.clear();
    let audit = audit?;
    let is_good = audit.findings.is_empty();
    if options.json {
        let Audit { findings, by_rules, by_fault, set_aside, missing, head, covered } = audit;
        let all = json!({
            "tournament": tournament.id, "good": is_good, "chained": tournament.is_chained(),
            "imported": tournament.imported, "findings": findings, "by_rules": by_rules, "by_fault": by_fault,
            "set_aside": set_aside, "missing": missing, "head": head, "covered": covered,
        });
        writeln!(out, "{all}")?;
    } else {
        print(&tournament, &audit, out)?;
    }
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn print(tournament: &arena::Tournament, audit: &Audit, out: &mut dyn Write) -> anyhow::Result<()> {
    let Audit { findings, by_rules, by_fault, set_aside, missing, head, covered } = audit;
    let games = by_rules + by_fault;
    writeln!(out, "tournament {}, {}: {games} game{}", tournament.id, tournament.spec.name, plural(games))?;
    for finding in findings {
        writeln!(out, "WRONG   {finding}")?;
    }
    writeln!(out, "{by_rules} confirmed by the rules")?;
    if *by_fault > 0 {
        let source = if tournament.imported { "the imported file" } else { "the referee" };
        writeln!(out, "{by_fault} ended by a fault or by a proof, according to {source}; the moves agree")?;
    }
    if !set_aside.is_empty() {
        writeln!(out, "damaged and set aside: {}", list(set_aside))?;
    }
    if !missing.is_empty() {
        writeln!(out, "planned, but not in the store: {}", list(missing))?;
    }
    match (tournament.is_chained(), covered, head) {
        (true, Some(games), _) => {
            writeln!(out, "the chain contains the given head, which covers {games} game{}", plural(*games))?;
        }
        (true, None, Some(head)) => writeln!(out, "head {head}")?,
        _ => writeln!(out, "not chained: changes that keep a game legal cannot be detected")?,
    }
    writeln!(out, "{}", if findings.is_empty() { "verified" } else { "verification FAILED" })?;
    Ok(())
}

fn list(games: &[u32]) -> String {
    let mut texts: Vec<String> = games.iter().take(MAX_LISTED).map(|number| format!("game {number}")).collect();
    if games.len() > MAX_LISTED {
        texts.push(format!("and {} more", games.len() - MAX_LISTED));
    }
    texts.join(", ")
}
