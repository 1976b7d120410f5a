//! `plyhouse arena standings`.

use std::io::Write;

use arena::{Format, Rounds, Standing, Standings, Store, StoreError, Tournament};
use clap::Args;
use rating::{Sprt, Tally, Verdict, signed};
use serde_json::{Value, json};

use super::head::{print_head, with_head};
use super::notices::note_damaged;
use super::options::TournamentOption;
use super::rounds;
use super::wrap::{WIDTH, shortened, wrapped};

/// Show the standings of a tournament
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    target: TournamentOption,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(options: &Options, out: &mut dyn Write) -> anyhow::Result<()> {
    let (store, tournament) = options.target.open()?;
    let standings = read(&store, &tournament)?;
    if options.json {
        writeln!(out, "{}", with_head(json(&tournament, &standings), &store, &tournament)?)?;
        return Ok(());
    }
    print(&tournament, &standings, out)?;
    print_head(&store, &tournament, out)
}

/// Reads the standings of a tournament. Reports damaged games, which do not count.
pub(super) fn read(store: &Store, tournament: &Tournament) -> Result<Standings, StoreError> {
    let mut standings = Standings::new(tournament.spec.agents.len());
    let damaged = store.each(tournament.id, |game| {
        standings.add(&game);
        Ok::<_, StoreError>(())
    })?;
    note_damaged(&damaged);
    Ok(standings)
}

/// Prints the standings, the crosstable or the result of a match, and the faults.
pub(super) fn print(tournament: &Tournament, standings: &Standings, out: &mut dyn Write) -> anyhow::Result<()> {
    let spec = &tournament.spec;
    let table = standings.table();
    let size = spec.size.map_or(String::new(), |size| format!("{size}x{size} "));
    let rounds = Rounds::after(spec, standings.results().clone())?;
    let (played, planned) = (standings.played(), rounds.planned());
    let imported = if tournament.imported { ", imported" } else { "" };
    writeln!(out, "{}: {size}{}, {played} of {planned} games{imported}\n", spec.name, spec.game_title())?;
    let numbers = columns(&table, spec.format);
    let taken: usize = numbers.iter().map(|column| 1 + column.width).sum::<usize>() + "99. ".len();
    let names: Vec<&str> = spec.agents.iter().map(|agent| agent.name.as_str()).collect();
    let names = shortened(&names, WIDTH.saturating_sub(taken));
    let name = |agent: usize| names[agent].clone();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(5);
    rounds::print(&rounds, &name, out)?;
    print_table(&table, &numbers, width, &name, out)?;
    let los = if spec.format == Format::Match { "" } else { " LOS: likelihood in % to be stronger than the next." };
    write!(out, "\n{}", wrapped("", &format!("Elo is from the mean, ± 95 %.{los}")))?;
    for remark in standings.remarks(&|agent| spec.agents[agent].name.clone()) {
        write!(out, "{}", wrapped("warning: ", &remark))?;
    }
    match spec.format {
        Format::Match => {
            writeln!(out)?;
            for (label, text) in standings.match_result(spec.sprt.as_ref().map(|test| &test.0), &name) {
                write!(out, "{}", wrapped(&format!("{label:<8}"), &text))?;
            }
        }
        Format::RoundRobin | Format::Gauntlet => print_cross(standings, &table, width, &name, out)?,
        Format::Swiss | Format::Knockout => (),
    }
    print_faults(&table, &name, out)
}

/// A column of the table.
struct Column {
    head: &'static str,
    cells: Vec<String>,
    /// `true` if the cells are aligned left.
    left: bool,
    width: usize,
}

/// Returns the columns to the right of the names.
fn columns(table: &[Standing], format: Format) -> Vec<Column> {
    let column = |head: &'static str, cell: &dyn Fn(&Standing) -> String| {
        let cells: Vec<String> = table.iter().map(cell).collect();
        let widest = cells.iter().map(|cell| cell.chars().count()).max().unwrap_or(0);
        Column { head, cells, left: head == "Elo", width: widest.max(head.chars().count()) }
    };
    let share = |line: &Standing| match line.played() {
        0 => "-".to_owned(),
        games => format!("{:.1}", 100.0 * line.points() / f64::from(games)),
    };
    let los = |line: &Standing| line.superiority.map_or("-".to_owned(), |p| format!("{:.1}", 100.0 * p));
    let elo_width = table.iter().map(|line| signed(line.elo.value, 0).len()).max().unwrap_or(0);
    let mut columns = vec![
        column("games", &|line| line.played().to_string()),
        column("won", &|line| line.games[0].to_string()),
        column("drawn", &|line| line.games[1].to_string()),
        column("lost", &|line| line.games[2].to_string()),
        column("points", &|line| format!("{:.1}", line.points())),
        column("%", &share),
        column("Elo", &|line| elo(line, elo_width)),
        column("LOS", &los),
        column("s/move", &per_move),
    ];
    if format == Format::Match {
        // The result of the match includes the LOS.
        columns.retain(|column| column.head != "LOS");
    }
    columns
}

fn print_table(
    table: &[Standing],
    columns: &[Column],
    width: usize,
    name: &dyn Fn(usize) -> String,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let cell = |column: &Column, text: &str| {
        if column.left { format!(" {text:<0$}", column.width) } else { format!(" {text:>0$}", column.width) }
    };
    let heads: String = columns.iter().map(|column| cell(column, column.head)).collect();
    writeln!(out, "    {:width$}{heads}", "agent")?;
    for (i, line) in table.iter().enumerate() {
        let cells: String = columns.iter().map(|column| cell(column, &column.cells[i])).collect();
        writeln!(out, "{:>2}. {:width$}{cells}", i + 1, name(line.agent))?;
    }
    Ok(())
}

/// Formats a rating, with its value padded to `width`.
fn elo(line: &Standing, width: usize) -> String {
    if line.elo.error.is_finite() {
        format!("{:>width$} ± {:.0}", signed(line.elo.value, 0), line.elo.error)
    } else {
        format!("{:>width$}", "-")
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
    // A wider table does not fit a terminal; the report shows it.
    if table.len() > 12 {
        return Ok(());
    }
    let heads: Vec<String> = (1..=table.len()).map(|rank| format!("{rank:>6}")).collect();
    let width = width.max("points against".len());
    writeln!(out, "\n    {:width$}{}", "points against", heads.concat())?;
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
        writeln!(out, "{:>2}. {:width$}{cells}", rank + 1, name(line.agent))?;
    }
    Ok(())
}

fn print_faults(table: &[Standing], name: &dyn Fn(usize) -> String, out: &mut dyn Write) -> anyhow::Result<()> {
    let faulty: Vec<&Standing> = table.iter().filter(|line| !line.faults.is_empty()).collect();
    if !faulty.is_empty() {
        writeln!(out, "\nfaults")?;
    }
    for line in faulty {
        let kinds: Vec<String> = line.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        writeln!(out, "    {}: {}", name(line.agent), kinds.join(", "))?;
    }
    Ok(())
}

/// Rounds an Elo value to thousandths, without negative zero; `None` if it is not finite.
fn rounded(elo: f64) -> Option<f64> {
    elo.is_finite().then(|| (elo * 1e3).round() / 1e3 + 0.0)
}

/// Returns the standings as a JSON object, in which a draw is `tied`.
pub(super) fn json(tournament: &Tournament, standings: &Standings) -> Value {
    let spec = &tournament.spec;
    let name = |agent: usize| spec.agents[agent].name.as_str();
    let line = |line: &Standing| {
        let [won, drawn, lost] = line.games;
        let others = (0..spec.agents.len()).filter(|&other| other != line.agent);
        let against = others.map(|other| {
            let tally = standings.tally(line.agent, other);
            json!({
                "agent": name(other), "won_tied_lost": standings.against(line.agent, other), "pairs": tally.pairs(),
            })
        });
        let elo = line.elo.error.is_finite().then_some(line.elo.value).and_then(rounded);
        json!({
            "agent": name(line.agent), "won": won, "tied": drawn, "lost": lost, "points": line.points(), "elo": elo,
            "elo_error": rounded(line.elo.error), "los": line.superiority, "faults": line.faults,
            "moves": line.moves.0, "seconds": line.moves.1, "slowest": line.slowest, "cpu": line.cpu,
            "against": against.collect::<Vec<_>>(),
        })
    };
    let names = |agents: &[usize]| agents.iter().map(|&agent| name(agent)).collect::<Vec<_>>();
    let groups = standings.groups();
    let rounds = Rounds::after(spec, standings.results().clone()).ok();
    let planned = rounds.as_ref().map_or(tournament.planned, Rounds::planned);
    let mut all = json!({
        "tournament": tournament.id, "name": spec.name, "game": spec.game, "size": spec.size, "seed": spec.seed,
        "format": spec.format.name(), "played": standings.played(), "planned": planned, "began": tournament.began,
        "version": tournament.version, "machine": tournament.machine,
        "standings": standings.table().iter().map(line).collect::<Vec<_>>(),
        "groups": groups.met.iter().map(|group| names(group)).collect::<Vec<_>>(),
        "unbounded": names(&groups.unbounded), "void": standings.void(),
        "withdrawn": names(&standings.all_withdrawn()),
    });
    if let Some((key, value)) = rounds.and_then(|rounds| rounds::json(tournament, &rounds)) {
        all[key] = value;
    }
    if spec.format == Format::Match {
        all["match"] = match_json(standings);
    }
    if let Some(test) = spec.sprt {
        all["sprt"] = sprt_json(&test.0, &standings.tally(0, 1));
    }
    all
}

/// Returns the result of a match from the first agent's point of view.
fn match_json(standings: &Standings) -> Value {
    let (tally, ratings) = (standings.tally(0, 1), standings.ratings());
    let (elo, normalised) = (ratings.difference(0, 1), tally.normalised_elo());
    json!({
        "pairs": tally.pairs(), "elo": elo.error.is_finite().then_some(elo.value).and_then(rounded),
        "elo_error": rounded(elo.error),
        "normalised_elo": normalised.and_then(|elo| rounded(elo.value)),
        "normalised_elo_error": normalised.and_then(|elo| rounded(elo.error)),
        "los": ratings.superiority(0, 1),
    })
}

fn sprt_json(test: &Sprt, tally: &Tally) -> Value {
    let ([elo0, elo1], [alpha, beta], (lower, upper)) = (test.hypotheses(), test.errors(), test.bounds());
    let verdict = match test.verdict(tally) {
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
        Verdict::Open => "open",
    };
    json!({
        "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": test.model().to_string(),
        "llr": test.llr(tally), "lower": lower, "upper": upper, "verdict": verdict,
    })
}
