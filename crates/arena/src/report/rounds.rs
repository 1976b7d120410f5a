//! The table of a Swiss and the bracket of a knockout.

use game::text::capitalised;
use maud::{Markup, html};

use super::html::agent_link;
use super::site::Site;
use crate::rounds::Rounds;
use crate::tables::{Bracket, BracketBout, SwissCell, SwissTable, round_name};

/// Returns the table or the bracket; empty for other formats.
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
                th { "#" } th.text { "Agent" } th { "Points" }
                @for round in 1..=table.paired { th { "Round " (round) } }
                th { "Buchholz" } th { "Sonneborn-Berger" }
            } }
            tbody { @for (rank, row) in (1..).zip(&table.rows) { tr {
                td { (rank) }
                td.name data-v=(site.name(row.agent)) { (agent_link(site, row.agent)) }
                td { strong { (format!("{:.1}", row.points)) } }
                @for cell in &row.rounds { (swiss_cell(site, cell)) }
                td { (format!("{:.1}", row.buchholz)) }
                td { (format!("{:.2}", row.sonneborn_berger)) }
            } } }
        } }
        p.soft.small {
            "In each round: the opponent's place in the table, and the points against it; – if their games are not over. A bye counts as a round won. "
            "Buchholz: the sum of the opponents' points. Sonneborn-Berger: the sum of each opponent's points times the "
            "share of the points won against it."
        }
    }
}

fn swiss_cell(site: &Site<'_>, cell: &SwissCell) -> Markup {
    let Some((agent, place)) = cell.opponent else {
        return html! { td data-v="0" { "bye" } };
    };
    html! {
        td data-v=(place + 1) title=(format!("{} against {}", cell.points, site.name(agent))) {
            "#" (place + 1) " " @if cell.is_over { strong { (cell.points) } } @else { "–" }
        }
    }
}

fn bracket(site: &Site<'_>, cup: &Bracket) -> Markup {
    let rounds = cup.rounds.len();
    html! {
        h2 { "Knockout" }
        @if let Some(champion) = cup.champion { p { "Winner: " strong { (agent_link(site, champion)) } } }
        div.wide { table.bracket {
            @for (round, bouts) in cup.rounds.iter().enumerate() {
                tbody {
                    tr { th.text colspan="3" scope="rowgroup" { (capitalised(&round_name(round, rounds))) } }
                    @for bout in bouts { (bout_row(site, bout, round + 1 == rounds)) }
                }
            }
        } }
    }
}

fn bout_row(site: &Site<'_>, bout: &BracketBout, is_final: bool) -> Markup {
    let side = |agent: Option<usize>| {
        html! { td.name {
            @match agent {
                Some(agent) if bout.winner == Some(agent) => strong { (agent_link(site, agent)) },
                Some(agent) => (agent_link(site, agent)),
                None => span.soft { "?" },
            }
        } }
    };
    if bout.is_bye {
        return html! { tr { (side(bout.agents[0])) td.text.soft colspan="2" { "bye" } } };
    }
    let [one, other] = bout.points;
    html! { tr {
        (side(bout.agents[0]))
        td.points {
            @if bout.played > 0 { (format!("{one:.1} : {other:.1}")) } @else { "–" }
            div.soft.small { (remark(bout, is_final)) }
        }
        (side(bout.agents[1]))
    } }
}

/// Returns a remark that explains the points of a bout.
fn remark(bout: &BracketBout, is_final: bool) -> String {
    if bout.is_by_seed() {
        format!("drawn; the higher seed {}", if is_final { "wins" } else { "advances" })
    } else if bout.winner.is_none() && (1..bout.games).contains(&bout.played) {
        format!("{} of {} games", bout.played, bout.games)
    } else if bout.extra_pairs > 0 {
        format!("with {} more games", 2 * bout.extra_pairs)
    } else {
        String::new()
    }
}
