//! The page that replays games: `game.html#NUMBER`, or `game.html#NUMBER/PLY` for a position of the game.

use game::text::capitalised;
use maud::{Markup, html};

use super::html::{needs_script, page};

use crate::log::{GameLog, ResultLog};

/// Buttons below the board: id, label and the path of the icon.
const BUTTONS: [(&str, &str, &str); 5] = [
    ("first", "First position", "M1 2h2v12H1zM9 2v12L3 8zM15 2v12L9 8z"),
    ("back", "Back", "M3 2h2v12H3zM13 2v12L5 8z"),
    ("play", "Play", "M4 2v12l10-6z"),
    ("on", "Forward", "M11 2h2v12h-2zM3 2v12l8-6z"),
    ("last", "Last position", "M13 2h2v12h-2zM7 2v12l6-6zM1 2v12l6-6z"),
];

/// Describes the end of a game in words.
pub(super) fn end(game: &GameLog, names: [&str; 2]) -> String {
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

/// Returns the page that replays games. Its script fills in the content.
pub(super) fn replay(tournament: &str) -> Markup {
    page(
        &format!("Games: {tournament}"),
        Some(tournament),
        &["data/tournament.js", "replay.js"],
        &html! {
            (needs_script("a game"))
            p #error .notice role="alert" hidden {}
            div #game hidden {
                h1 #title {}
                p { strong #end {} span #facts .soft {} }
                div.replay {
                    section aria-label="Board" {
                        div #players .players {}
                        div #board .board role="img" aria-describedby="says" {}
                        div.controls {
                            @for (id, label, path) in BUTTONS {
                                button id=(id) type="button" aria-label=(label) { svg viewBox="0 0 16 16" aria-hidden="true" { path d=(path); } }
                            }
                            input #ply type="range" min="0" value="0" aria-label="Move";
                        }
                        p #says .soft aria-live="polite" {}
                    }
                    section aria-label="Moves" { ol #moves .moves {} }
                }
                div #more {}
            }
        },
    )
}
