//! The table of a Swiss and the bracket of a knockout in `plyhouse arena standings`.

use std::io::Write;

use arena::{Bracket, BracketBout, Format, Rounds, Standings, SwissTable, Tournament, round_name};
use serde_json::{Value, json};

use super::wrap::wrapped;

/// Maximum number of rounds that are shown as columns, so that the table fits a terminal. The report shows all rounds.
const MAX_ROUNDS: u32 = 7;

/// Maps the index of an agent to its name in tables.
pub(super) type Names<'a> = &'a dyn Fn(usize) -> String;

/// Returns the number of games of a tournament. In a knockout, this number grows with each drawn bout.
pub(super) fn planned(tournament: &Tournament, standings: &Standings) -> u64 {
    let rounds = match tournament.spec.format {
        Format::Knockout => Rounds::after(&tournament.spec, standings.results().clone()).ok(),
        _ => None,
    };
    u64::from(rounds.map_or(tournament.planned, |rounds| rounds.planned()))
}

/// Prints the table of a Swiss or the bracket of a knockout, and nothing for other formats.
pub(super) fn print(rounds: &Rounds, name: Names<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    if let Some(table) = rounds.swiss_table() {
        print_swiss(&table, name, out)?;
    }
    if let Some(bracket) = rounds.bracket() {
        print_bracket(&bracket, name, out)?;
    }
    Ok(())
}

fn print_swiss(table: &SwissTable, name: Names<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let width = table.rows.iter().map(|row| name(row.agent).chars().count()).max().unwrap_or(0).max(5);
    let shown = if table.rounds <= MAX_ROUNDS { table.paired } else { 0 };
    let heads: Vec<String> = (1..=shown).map(|round| format!("{:>10}", format!("round {round}"))).collect();
    writeln!(out, "Swiss, round {} of {}\n", table.paired, table.rounds)?;
    writeln!(out, "     {:width$} points  Buchholz  Sonneborn-Berger{}", "agent", heads.concat())?;
    for (rank, row) in (1..).zip(&table.rows) {
        let cell = |cell: &arena::SwissCell| match cell.opponent {
            None => "bye".to_owned(),
            Some((_, place)) if cell.is_over => format!("#{} {}", place + 1, cell.points),
            Some((_, place)) => format!("#{} -", place + 1),
        };
        let cells: Vec<String> = row.rounds[..shown as usize].iter().map(|c| format!("{:>10}", cell(c))).collect();
        writeln!(
            out,
            "{rank:>3}. {:width$} {:>6.1} {:>9.1} {:>17.2}{}",
            name(row.agent),
            row.points,
            row.buchholz,
            row.sonneborn_berger,
            cells.concat()
        )?;
    }
    let legend = match shown {
        0 => "The report and --json list the rounds.",
        _ => "`#3 1.5`: 1.5 points against the third agent; `#3 -`: unfinished.",
    };
    let has_byes = !table.rows.len().is_multiple_of(2);
    let bye = if has_byes { " A bye counts as a round won." } else { "" };
    writeln!(out, "\n{}", wrapped("", &format!("{legend}{bye}")))?;
    Ok(())
}

fn print_bracket(bracket: &Bracket, name: Names<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let label = |agent: Option<usize>| agent.map_or("?".to_owned(), name);
    let bouts = bracket.rounds.iter().flatten();
    let width = bouts.flat_map(|bout| bout.agents).map(|agent| label(agent).chars().count()).max().unwrap_or(0);
    for (round, bouts) in bracket.rounds.iter().enumerate() {
        writeln!(out, "{}", round_name(round, bracket.rounds.len()))?;
        let is_final = round + 1 == bracket.rounds.len();
        for bout in bouts {
            let [one, other] = bout.agents.map(label);
            if bout.is_bye {
                writeln!(out, "    {one:width$}  bye")?;
                continue;
            }
            let points = if bout.played == 0 {
                "-".to_owned()
            } else {
                format!("{:.1} : {:.1}", bout.points[0], bout.points[1])
            };
            writeln!(
                out,
                "{}",
                format!("    {one:width$}  {points:^9}  {other:width$}  {}", remark(bout, is_final, name)).trim_end()
            )?;
        }
        writeln!(out)?;
    }
    if let Some(champion) = bracket.champion {
        writeln!(out, "winner: {}\n", name(champion))?;
    }
    Ok(())
}

/// Returns a remark about a bout: how it was decided, or its progress.
fn remark(bout: &BracketBout, is_final: bool, name: Names<'_>) -> String {
    match (bout.winner, bout.extra_pairs) {
        (Some(winner), _) if bout.is_by_seed() => {
            format!("drawn; {} {} as the higher seed", name(winner), if is_final { "wins" } else { "advances" })
        }
        (Some(winner), _) if bout.is_void && !is_final => {
            format!("void: neither started; {} advances as the higher seed", name(winner))
        }
        (Some(_), _) if bout.is_void => "void: neither started".to_owned(),
        (None, _) if (1..bout.games).contains(&bout.played) => format!("{} of {} games", bout.played, bout.games),
        (_, 0) => String::new(),
        (_, 1) => "with 2 more games".to_owned(),
        (_, pairs) => format!("with {} more games", 2 * pairs),
    }
}

/// Returns the name of the format, and the table of a Swiss or the bracket of a knockout as JSON; `None` for other
/// formats.
pub(super) fn json(tournament: &Tournament, rounds: &Rounds) -> Option<(&'static str, Value)> {
    let name = |agent: usize| tournament.spec.agents[agent].name.as_str();
    if let Some(table) = rounds.swiss_table() {
        let rows = table.rows.iter().map(|row| {
            let cells = row.rounds.iter().map(|cell| match cell.opponent {
                None => json!({"bye": true, "points": cell.points}),
                Some((agent, _)) => {
                    json!({"opponent": name(agent), "points": cell.points, "over": cell.is_over, "first": cell.first})
                }
            });
            json!({
                "agent": name(row.agent), "points": row.points, "buchholz": row.buchholz,
                "sonneborn_berger": row.sonneborn_berger, "rounds": cells.collect::<Vec<_>>(),
            })
        });
        let swiss = json!({"rounds": table.rounds, "paired": table.paired, "table": rows.collect::<Vec<_>>()});
        return Some(("swiss", swiss));
    }
    let bracket = rounds.bracket()?;
    let bout = |bout: &BracketBout| {
        json!({
            "agents": bout.agents.map(|agent| agent.map(name)), "bye": bout.is_bye, "points": bout.points,
            "games": bout.games, "played": bout.played, "winner": bout.winner.map(name),
        })
    };
    let rounds = bracket.rounds.iter().enumerate().map(|(round, bouts)| {
        let bouts: Vec<Value> = bouts.iter().map(bout).collect();
        json!({"name": round_name(round, bracket.rounds.len()), "bouts": bouts})
    });
    Some(("knockout", json!({"rounds": rounds.collect::<Vec<_>>(), "winner": bracket.champion.map(name)})))
}
