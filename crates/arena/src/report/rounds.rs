//! The table of a Swiss and the bracket of a knockout on the scoreboard.

use maud::{Markup, html};

use super::Site;
use super::pages::agent_link;
use crate::{Bracket, BracketBout, Rounds, SwissCell, SwissTable, round_name};

/// The table or the bracket; nothing for other formats.
pub(super) fn rounds(site: &Site<'_>) -> Markup {
    let rounds = site.rounds.as_ref();
    html! {
        @if let Some(table) = rounds.and_then(Rounds::swiss_table) { (swiss(site, &table)) }
        @if let Some(cup) = rounds.and_then(Rounds::bracket) { (bracket(site, &cup)) }
    }
}

fn swiss(site: &Site<'_>, table: &SwissTable) -> Markup {
    html! {
        h2 { "Swiss, round " (table.paired) " of " (table.rounds) }
        div.wide { table.sortable {
            thead { tr {
                th { "#" } th.text { "Agent" } th { "Points" } th { "Buchholz" } th { "Sonneborn-Berger" }
                @for round in 1..=table.paired { th { "Round " (round) } }
            } }
            tbody { @for (rank, row) in (1..).zip(&table.rows) { tr {
                td { (rank) }
                td.name data-v=(site.name(row.agent)) { (agent_link(site, row.agent)) }
                td { strong { (format!("{:.1}", row.points)) } }
                td { (format!("{:.1}", row.buchholz)) }
                td { (format!("{:.2}", row.sonneborn_berger)) }
                @for cell in &row.rounds { (swiss_cell(site, cell)) }
            } } }
        } }
        p.soft.small {
            "In each round: the opponent's place in the table, and the points against it. A bye counts as a round won. "
            "Buchholz: the sum of the opponents' points. Sonneborn-Berger: the same, each times the share of the "
            "points won against it."
        }
    }
}

fn swiss_cell(site: &Site<'_>, cell: &SwissCell) -> Markup {
    let Some((agent, place)) = cell.opponent else {
        return html! { td data-v="0" { "bye" } };
    };
    html! {
        td data-v=(place + 1) title=(format!("{:.1} against {}", cell.points, site.name(agent))) {
            (place + 1) ": " (format!("{:.1}", cell.points))
        }
    }
}

fn bracket(site: &Site<'_>, cup: &Bracket) -> Markup {
    let rounds = cup.rounds.len();
    html! {
        h2 { "Knockout" }
        @if let Some(champion) = cup.champion { p { "Winner: " strong { (agent_link(site, champion)) } } }
        div.wide { table {
            @for (round, bouts) in cup.rounds.iter().enumerate() {
                tbody {
                    tr { th.text colspan="5" scope="rowgroup" { (round_name(round, rounds)) } }
                    @for bout in bouts { (bout_row(site, bout)) }
                }
            }
        } }
    }
}

fn bout_row(site: &Site<'_>, bout: &BracketBout) -> Markup {
    let side = |agent: Option<usize>| {
        html! { td.name {
            @match agent {
                Some(agent) if bout.winner == Some(agent) => strong { (agent_link(site, agent)) },
                Some(agent) => (agent_link(site, agent)),
                None if bout.is_bye => span.soft { "bye" },
                None => span.soft { "?" },
            }
        } }
    };
    let points = |points: f64| html! { td { @if bout.games > 0 { (format!("{points:.1}")) } } };
    html! { tr {
        (side(bout.agents[0])) (points(bout.points[0])) (points(bout.points[1])) (side(bout.agents[1]))
        td.text.soft {
            @if bout.is_by_seed() { "drawn; the higher seed goes on" }
            @else if bout.extra_pairs > 0 { "with " (2 * bout.extra_pairs) " more games" }
        }
    } }
}
