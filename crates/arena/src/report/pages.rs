//! The start page and the agents' pages.

use maud::{Markup, html};
use rating::signed;

use super::html::{agent_link, linked, minus, needs_script, page};
use super::site::Site;
use super::{evidence, rounds, versus};
use crate::format::Format;
use crate::rounds::Rounds;
use crate::spec::OnFault;
use crate::standings::Standing;
use crate::store::Tournament;

/// Scripts of the pages with tables.
const SCRIPTS: [&str; 3] = ["data/tournament.js", "data/games.js", "tables.js"];

/// Maximum number of faults that an agent's page lists.
const MAX_FAULTS: usize = 100;

/// Returns the title that a program reports. Web addresses in it become links, as the assignment of CS3243 promises.
fn title_of(tournament: &Tournament, agent: usize) -> Markup {
    let title = tournament.entrants.get(agent).map_or("", |entrant| entrant.title.as_str());
    html! { @if !title.is_empty() { div.soft.small { (linked(title)) } } }
}

pub(super) fn index(site: &Site<'_>) -> Markup {
    let spec = &site.tournament.spec;
    let table = &site.table;
    page(
        &spec.name,
        None,
        &SCRIPTS,
        &html! {
            h1 { (spec.name) }
            p.soft { (about(site)) }
            (evidence::damaged(site))
            (rounds::rounds(site))
            @if spec.format == Format::Match { (versus::result(site)) }
            h2 { "Standings" }
            (scoreboard(site, &table.iter().cloned().enumerate().collect::<Vec<_>>()))
            @for remark in site.standings.remarks(&|agent| site.name(agent).to_owned()) { p { strong { (remark) } } }
            p.soft.small {
                "Elo is from the mean of all agents, with the half width of its 95 % interval. LOS is the likelihood that an agent is stronger than the next one."
            }
            @if matches!(spec.format, Format::RoundRobin | Format::Gauntlet) {
                h2 { "Points against each other" }
                div #cross { (needs_script("the crosstable")) }
            }
            (evidence::evidence(site))
            h2 { "Games" }
            div #games { (needs_script("the list of games")) }
        },
    )
}

/// Describes the tournament in a sentence.
fn about(site: &Site<'_>) -> String {
    let spec = &site.tournament.spec;
    let size = spec.size.map_or(String::new(), |size| format!("{size}×{size} "));
    let time = match (spec.time.per_move, spec.time.per_game) {
        (Some(m), None) => format!("{m} s a move"),
        (None, Some(g)) => format!("{g} s a game and {} s a move", spec.time.increment),
        (Some(m), Some(g)) => format!("{g} s a game, at most {m} s a move"),
        (None, None) => "no time limit".to_owned(),
    };
    let fault = match spec.after_fault {
        OnFault::Lose => "a fault loses the game",
        OnFault::Random => "a random move replaces a fault",
    };
    let openings = match &spec.openings {
        None => format!("openings of {} random moves", spec.opening),
        Some(_) => "openings from a file".to_owned(),
    };
    let planned = site.rounds.as_ref().map_or(site.tournament.planned, Rounds::planned);
    let played = site.standings.played();
    format!(
        "{size}{}, {played} of {planned} games, {openings}, {time}, a draw after {} moves, {fault}.",
        spec.game_title(),
        spec.move_limit
    )
}

/// Returns a table of standings. Ranks count from 0.
fn scoreboard(site: &Site<'_>, table: &[(usize, Standing)]) -> Markup {
    html! {
        div.wide { table.sortable {
            thead { tr {
                th { "#" } th.text { "Agent" } th { "Points" } th { "Elo" } th.text { "Faults" } th { "%" } th { "LOS %" } th { "Games" }
                th { "Won" } th { "Drawn" } th { "Lost" } th { "Seconds/move" } th { "Slowest" } th { "CPU seconds" }
            } }
            tbody { @for &(rank, ref line) in table { (row(site, rank, line)) } }
        } }
    }
}

fn row(site: &Site<'_>, rank: usize, line: &Standing) -> Markup {
    let [won, drawn, lost] = line.games;
    let games = line.played();
    let share = 100.0 * line.points() / f64::from(games.max(1));
    let per_move = line.moves.1 / line.moves.0.max(1) as f64;
    let faults: Vec<String> = line.faults.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
    let count: u32 = line.faults.values().sum();
    let los = line.superiority.map_or("–".to_owned(), |p| format!("{:.1}", 100.0 * p));
    html! { tr {
        td { (rank + 1) }
        td.name data-v=(site.name(line.agent)) { (agent_link(site, line.agent)) (title_of(site.tournament, line.agent)) }
        td { strong { (format!("{:.1}", line.points())) } }
        // A narrow page breaks the line before the error.
        td.elo data-v=(line.elo.value) {
            @if !line.elo.error.is_finite() { "–" } @else { (minus(&signed(line.elo.value, 0))) " " span { (format!("± {:.0}", line.elo.error)) } }
        }
        td.faults data-v=(count) { @if faults.is_empty() { span.soft { "none" } } @else { span.bad { (faults.join(", ")) } } }
        td { (format!("{share:.1}")) } td { (los) } td { (games) } td { (won) } td { (drawn) } td { (lost) }
        td { (format!("{per_move:.3}")) } td { (format!("{:.2}", line.slowest)) } td { (format!("{:.1}", line.cpu)) }
    } }
}

pub(super) fn agent(site: &Site<'_>, agent: usize) -> Markup {
    let spec = &site.tournament.spec;
    let described = &spec.agents[agent];
    let entrant = site.tournament.entrants.get(agent).cloned().unwrap_or_default();
    let runs = match (&described.builtin, &described.command) {
        (Some(words), _) => format!("Plyhouse engine: {words}"),
        (None, Some(command)) => command.words().join(" "),
        (None, None) => String::new(),
    };
    let faults = site.games.iter().flat_map(|game| game.faults.iter().map(move |fault| (game, fault)));
    let own: Vec<_> = faults.filter(|(game, (side, ..))| game.agents[*side] == agent).collect();
    let ranked = site.table.iter().cloned().enumerate();
    let line: Vec<_> = ranked.filter(|(_, line)| line.agent == agent).collect();
    page(
        site.name(agent),
        Some(&spec.name),
        &SCRIPTS,
        &html! {
            h1 { (site.name(agent)) }
            (title_of(site.tournament, agent))
            p.soft.small {
                @if let Some(dialect) = &described.dialect { (dialect) ": " }
                code { (runs) }
                @for (name, value) in &described.options { br; "option " (name) ": " code { (value) } }
                @if !entrant.hash.is_empty() { br; "files: SHA-256 " code { (entrant.hash.chars().take(16).collect::<String>()) "…" } }
            }
            (scoreboard(site, &line))
            @if !own.is_empty() {
                h2 { "Faults" }
                ul { @for (game, (_, kind, detail)) in own.iter().take(MAX_FAULTS) {
                    li { span.bad { (kind) } " in game " a href=(format!("game.html#{}", game.number)) { (game.number) } ": " (detail) }
                } }
                @if own.len() > MAX_FAULTS {
                    p.soft { "These are the first " (MAX_FAULTS) " of " (own.len()) " faults. Sort the games by faults to find the others." }
                }
            }
            h2 { "Games" }
            div #games data-agent=(agent) { (needs_script("the list of games")) }
            @if !entrant.build_output.is_empty() {
                details { summary { "Output of its build" } pre { (entrant.build_output) } }
            }
        },
    )
}
