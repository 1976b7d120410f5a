//! `plyhouse arena standings`.

use std::io::Write;

use arena::{Format, Standing, Standings, Tournament};
use clap::Args;
use rating::{Sprt, Verdict};
use serde_json::json;

use super::Where;

/// Show the standings of a tournament
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    place: Where,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, tournament) = options.place.open()?;
    let mut standings = Standings::new(tournament.spec.agents.len());
    store.each(tournament.id, |game| {
        standings.add(&game);
        Ok::<_, arena::StoreError>(())
    })?;
    if options.json {
        writeln!(out, "{}", json(&tournament, &standings))?;
        return Ok(());
    }
    print(&tournament, &standings, None, out)
}

/// The longest name that is shown whole.
const NAME: usize = 28;

fn short(name: &str) -> String {
    if name.chars().count() <= NAME { name.to_owned() } else { name.chars().take(NAME - 1).chain(['…']).collect() }
}

/// Prints the standings, the points of each agent against each other one, and the faults.
pub(super) fn print(
    tournament: &Tournament,
    standings: &Standings,
    sprt: Option<&Sprt>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let spec = &tournament.spec;
    let name = |agent: usize| short(&spec.agents[agent].name);
    let table = standings.table();
    let width = table.iter().map(|line| name(line.agent).chars().count()).max().unwrap_or(0).max(5);
    let size = spec.size.map_or(String::new(), |size| format!("{size}x{size} "));
    let (played, planned) = (standings.played(), tournament.planned);
    writeln!(out, "{}: {size}{}, {played} of {planned} games\n", spec.name, spec.game)?;
    writeln!(out, "    {:width$} games   won drawn  lost  points       %  Elo           s/move", "agent")?;
    for (rank, line) in table.iter().enumerate() {
        let [won, drawn, lost] = line.games;
        let games = line.played();
        let share =
            if games == 0 { "-".to_owned() } else { format!("{:.1}", 100.0 * line.points() / f64::from(games)) };
        writeln!(
            out,
            "{:>2}. {:width$} {games:>5} {won:>5} {drawn:>5} {lost:>5} {:>7.1} {share:>7}  {:<13} {:>6}",
            rank + 1,
            name(line.agent),
            line.points(),
            elo(line),
            per_move(line),
        )?;
    }
    if spec.format == Format::Match {
        print_match(standings, sprt, &name(0), out)?;
    } else {
        print_cross(standings, &table, width, &name, out)?;
    }
    print_faults(&table, &name, out)
}

fn elo(line: &Standing) -> String {
    if line.played() == 0 {
        "-".to_owned()
    } else {
        format!("{:+} ± {:.0}", line.elo.value.round() as i64, line.elo.error)
    }
}

fn per_move(line: &Standing) -> String {
    match line.moves {
        (0, _) => "-".to_owned(),
        (moves, seconds) => format!("{:.3}", seconds / moves as f64),
    }
}

fn print_cross(
    standings: &Standings,
    table: &[Standing],
    width: usize,
    name: &dyn Fn(usize) -> String,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    // A wider table does not fit a terminal; the report has it.
    if table.len() > 12 {
        return Ok(());
    }
    let heads: Vec<String> = (1..=table.len()).map(|rank| format!("{rank:>6}")).collect();
    writeln!(out, "\n    {:width$} {}", "points against", heads.concat())?;
    for (rank, line) in table.iter().enumerate() {
        let cells = table.iter().map(|other| {
            let [won, drawn, lost] = standings.against(line.agent, other.agent);
            let cell = match (line.agent == other.agent, won + drawn + lost) {
                (true, _) => "·".to_owned(),
                (false, 0) => "-".to_owned(),
                (false, _) => format!("{:.1}", f64::from(won) + f64::from(drawn) / 2.0),
            };
            format!("{cell:>6}")
        });
        let cells: String = cells.collect();
        writeln!(out, "{:>2}. {:width$} {cells}", rank + 1, name(line.agent))?;
    }
    Ok(())
}

/// Prints the difference in strength of the two players of a match.
fn print_match(standings: &Standings, sprt: Option<&Sprt>, first: &str, out: &mut dyn Write) -> anyhow::Result<()> {
    let tally = standings.tally(0, 1);
    writeln!(out, "\npairs of games from the same opening, by points of {first}: 0, ½, 1, 1½, 2")?;
    writeln!(out, "pairs   {:?}", tally.pairs())?;
    writeln!(out, "Elo     {} (95 %), normalised {}", tally.elo(), tally.normalised_elo())?;
    writeln!(out, "LOS     {:.1} %", 100.0 * tally.los())?;
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let verdict = match sprt.verdict(&tally) {
            Verdict::H0 => format!("{first} is not better by that much"),
            Verdict::H1 => format!("{first} is better"),
            Verdict::Open => "undecided".to_owned(),
        };
        writeln!(out, "SPRT    LLR {:+.2} ({low:.2}, {high:.2}): {verdict}", sprt.llr(&tally))?;
    }
    Ok(())
}

fn print_faults(table: &[Standing], name: &dyn Fn(usize) -> String, out: &mut dyn Write) -> anyhow::Result<()> {
    let guilty: Vec<&Standing> = table.iter().filter(|line| !line.faults.is_empty()).collect();
    if !guilty.is_empty() {
        writeln!(out, "\nfaults")?;
    }
    for line in guilty {
        let kinds: Vec<String> = line.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        writeln!(out, "    {}: {}", name(line.agent), kinds.join(", "))?;
    }
    Ok(())
}

/// The standings as one JSON object. Its word for a draw is `tied`.
pub(super) fn json(tournament: &Tournament, standings: &Standings) -> serde_json::Value {
    let spec = &tournament.spec;
    let lines: Vec<_> = standings
        .table()
        .iter()
        .map(|line| {
            let [won, drawn, lost] = line.games;
            let against = (0..spec.agents.len()).filter(|&other| other != line.agent).map(|other| {
                let tally = standings.tally(line.agent, other);
                json!({"agent": spec.agents[other].name, "won_tied_lost": standings.against(line.agent, other), "pairs": tally.pairs()})
            });
            let against: Vec<_> = against.collect();
            json!({
                "agent": spec.agents[line.agent].name, "won": won, "tied": drawn, "lost": lost, "points": line.points(),
                "elo": line.elo.value, "elo_error": line.elo.error, "faults": line.faults, "moves": line.moves.0,
                "seconds": line.moves.1, "slowest": line.slowest, "cpu": line.cpu, "against": against,
            })
        })
        .collect();
    json!({
        "tournament": tournament.id, "name": spec.name, "game": spec.game, "size": spec.size, "seed": spec.seed,
        "played": standings.played(), "planned": tournament.planned, "began": tournament.began,
        "version": tournament.version, "machine": tournament.machine, "standings": lines,
    })
}
