//! The page of a game.

use game::{Diagram, Mark, Tone};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;

use super::pages::{page, title_of, when};
use super::scores::scores;
use super::{capitalised, minus};
use rating::GameScore;

use crate::{GameLog, MoveLog, ResultLog, Tournament};

/// The buttons below a board, with their pictures.
const BUTTONS: [(&str, &str, &str); 5] = [
    ("first", "First position", "M1 2h2v12H1zM9 2v12L3 8zM15 2v12L9 8z"),
    ("back", "Back", "M3 2h2v12H3zM13 2v12L5 8z"),
    ("play", "Play", "M4 2v12l10-6z"),
    ("on", "Forward", "M11 2h2v12h-2zM3 2v12l8-6z"),
    ("last", "Last position", "M13 2h2v12h-2zM7 2v12l6-6zM1 2v12l6-6z"),
];

/// The data of the page's script.
#[derive(Serialize)]
struct Data<'a> {
    rows: &'a [String],
    columns: &'a [String],
    frames: Vec<Frame>,
    moves: Vec<Shown<'a>>,
    end: String,
}

/// A board. A cell is `f`, `s` or `e` for the first side, the second side or empty, then its text.
#[derive(Serialize)]
struct Frame {
    cells: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<usize>,
}

#[derive(Serialize)]
struct Shown<'a> {
    side: usize,
    who: &'a str,
    text: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    note: &'a str,
    /// The text of its side's clock after the move.
    clock: String,
}

impl From<&Diagram> for Frame {
    fn from(diagram: &Diagram) -> Self {
        let cells: Vec<_> = diagram.cells.iter().flatten().collect();
        let marked = |wanted| cells.iter().position(|(_, _, mark)| *mark == Some(wanted));
        let letter = |tone: &Tone| match tone {
            Tone::First => 'f',
            Tone::Second => 's',
            Tone::Empty => 'e',
        };
        Self {
            from: marked(Mark::From),
            to: marked(Mark::To),
            cells: cells.iter().map(|(text, tone, _)| format!("{}{}", letter(tone), text.trim())).collect(),
        }
    }
}

/// The moves with their clocks.
fn moves<'a>(tournament: &'a Tournament, game: &'a GameLog) -> Vec<Shown<'a>> {
    let name = |side: usize| tournament.spec.agents[game.planned.agents[side]].name.as_str();
    // The sides take turns, so that the first move after the opening tells whose the opening's were.
    let first = (game.side_of(0) + game.opening.len()) % 2;
    let opening = game.opening.iter().enumerate().map(|(ply, text)| Shown {
        side: (first + ply) % 2,
        who: name((first + ply) % 2),
        text,
        note: "opening",
        clock: String::new(),
    });
    let mut used = [0.0; 2];
    let played = game.moves.iter().enumerate().map(|(i, m)| {
        let side = game.side_of(i);
        used[side] += m.seconds;
        let clock = match m.left {
            Some(left) => format!("{left:.2} s left"),
            None => format!("{:.2} s used", used[side]),
        };
        let note = if m.replaced { "a random move by the referee" } else { "" };
        Shown { side, who: name(side), text: m.text.as_str(), note, clock }
    });
    opening.chain(played).collect()
}

/// The end of a game in words.
fn end(game: &GameLog, names: [&str; 2]) -> String {
    let (winner, loser) = match game.result {
        ResultLog::First => (names[0], names[1]),
        ResultLog::Second => (names[1], names[0]),
        ResultLog::Void => return "Void: neither agent started".to_owned(),
        ResultLog::Draw => return capitalised(&game.ending_in_words()),
    };
    match game.ended() {
        Some(referee::Ending::Rules(_)) if game.ending == "win" => format!("{winner} wins"),
        Some(referee::Ending::Fault(kind)) => format!("{winner} wins: {loser}, {kind}"),
        _ => format!("{winner} wins: {}", game.ending.trim_start_matches("win ")),
    }
}

/// The page that replays a game. `sides` are the sides' names.
pub(super) fn page_of(tournament: &Tournament, game: &GameLog, boards: &[Diagram], sides: [&str; 2]) -> Markup {
    let spec = &tournament.spec;
    let agents = game.planned.agents;
    let names = agents.map(|agent| spec.agents[agent].name.as_str());
    let end = end(game, names);
    let moves = moves(tournament, game);
    let list = move_list(game, &moves);
    let (rows, columns) =
        boards.first().map_or((&[][..], &[][..]), |board| (&board.row_labels[..], &board.column_labels[..]));
    let data = Data { rows, columns, frames: boards.iter().map(Frame::from).collect(), moves, end: end.clone() };
    // A script element has no markup but its own end.
    let json = serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c");
    let title = format!("Game {}: {} – {}", game.planned.number, names[0], names[1]);
    let number = game.planned.number;
    page(
        &title,
        Some(&spec.name),
        "replay.js",
        &html! {
            h1 { (names[0]) " – " (names[1]) }
            p { strong { (end) } span.soft { " · game " (number) ", " (when(&game.began)) ", " (format!("{:.2} s", game.seconds)) } }
            div.replay {
                section aria-label="Board" {
                    div.players {
                        @for side in 0..2 { div {
                            a href=(format!("agent-{}.html", agents[side])) { (names[side]) } " " span.soft { (sides[side]) }
                            @if game.result.score(side) == Some(GameScore::Win) { span.good { " won" } }
                            (title_of(tournament, agents[side]))
                            div.clock id=(format!("clock{side}")) {}
                        } }
                    }
                    div.board #board role="img" aria-describedby="says" { noscript { pre { (boards.last().map(ToString::to_string).unwrap_or_default()) } } }
                    div.controls {
                        @for (id, label, path) in BUTTONS {
                            button id=(id) type="button" aria-label=(label) { svg viewBox="0 0 16 16" aria-hidden="true" { path d=(path); } }
                        }
                        input #ply type="range" min="0" value="0" aria-label="Move";
                    }
                    p #says .soft aria-live="polite" {}
                }
                section aria-label="Moves" { (list) }
            }
            (scores(game, names))
            (faults(game, names))
            @for side in 0..2 { (stderr(names[side], &game.stderr[side])) }
            script #game type="application/json" { (PreEscaped(json)) }
        },
    )
}

fn move_list(game: &GameLog, moves: &[Shown<'_>]) -> Markup {
    html! {
        ol.moves {
            @for (i, shown) in moves.iter().enumerate() {
                li { button type="button" {
                    span.n { (i + 1) "." } span { (shown.text) }
                    @if let Some(m) = i.checked_sub(game.opening.len()).and_then(|i| game.moves.get(i)) {
                        @if m.replaced { span.bad title=(shown.note) { "random" } }
                        @if let Some(score) = m.score { span.small title=(thought(m)) { (minus(&score.to_string())) } }
                        span.t.soft.small { (format!("{:.2} s", m.seconds)) }
                    } @else { span.t.soft.small { "opening" } }
                } }
            }
        }
    }
}

/// What a player has said of its search, beside the value.
fn thought(m: &MoveLog) -> String {
    let depth = m.depth.map(|depth| format!("depth {depth}"));
    let nodes = m.nodes.map(|nodes| format!("{nodes} positions"));
    let line = (!m.pv.is_empty()).then(|| m.pv.join(" "));
    [depth, nodes, line].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn faults(game: &GameLog, names: [&str; 2]) -> Markup {
    html! {
        @if !game.faults.is_empty() {
            h2 { "Faults" }
            ul { @for fault in &game.faults {
                li { (names[fault.side]) ", after " (fault.ply) " moves: " span.bad { (fault.kind) } ": " (fault.detail) }
            } }
        }
    }
}

fn stderr(name: &str, text: &str) -> Markup {
    html! { @if !text.trim().is_empty() { details { summary { "Standard error of " (name) } pre { (text) } } } }
}
