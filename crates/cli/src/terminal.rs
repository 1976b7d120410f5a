//! Boards in a terminal.

use std::fmt::Write as _;
use std::io::IsTerminal;

use anstyle::{Ansi256Color, Color, Style};
use game::{Diagram, Mark, Tone};

/// The setting that determines when and how boards are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Boards {
    /// Only on request, without colour.
    OnRequest,
    /// After every move, without colour.
    Plain,
    /// After every move, in colour.
    Coloured,
}

impl Boards {
    /// Returns the setting for standard output. On a terminal, boards are shown after every move, in colour unless
    /// `NO_COLOR` is set (<https://no-color.org>) or the terminal is dumb. Elsewhere they are shown after every move if
    /// `always` is set, and on request otherwise.
    pub(crate) fn for_stdout(always: bool) -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        match std::io::stdout().is_terminal() {
            true if set("NO_COLOR") || dumb => Self::Plain,
            true => Self::Coloured,
            false if always => Self::Plain,
            false => Self::OnRequest,
        }
    }
}

const LIGHT: u8 = 180;
const DARK: u8 = 137;
const FROM: u8 = 186;
const TO: u8 = 149;
const BLACK: u8 = 16;
const WHITE: u8 = 231;
const RED: u8 = 160;
const BLUE: u8 = 25;

/// Returns a board for standard output, in colour on a terminal.
pub(crate) fn for_stdout(diagram: &Diagram) -> String {
    if Boards::for_stdout(false) == Boards::Coloured { paint(diagram) } else { diagram.to_string() }
}

/// Draws a diagram with wooden squares and coloured pieces. If every cell has one character, pieces are drawn as discs;
/// otherwise each cell shows its text in the colour of its side.
pub(crate) fn paint(diagram: &Diagram) -> String {
    let pieces = diagram.cells.iter().flatten().all(|(text, ..)| text.len() == 1);
    let mut picture = String::new();
    for (y, (label, row)) in diagram.row_labels.iter().zip(&diagram.cells).enumerate() {
        let _ = write!(picture, "{label:>4} ");
        for (x, (text, tone, mark)) in row.iter().enumerate() {
            let (style, text) = cell(text, *tone, *mark, pieces, (x + y) % 2 == 0);
            let _ = write!(picture, "{style} {text} {style:#}");
        }
        picture.push('\n');
    }
    picture.push_str("     ");
    let width = if pieces { 1 } else { 2 };
    for label in &diagram.column_labels {
        let _ = write!(picture, " {label:width$} ");
    }
    picture
}

fn cell(text: &str, tone: Tone, mark: Option<Mark>, pieces: bool, light: bool) -> (Style, String) {
    let background = match mark {
        Some(Mark::To) => TO,
        Some(Mark::From) => FROM,
        None if light => LIGHT,
        None => DARK,
    };
    let colour = |code| Some(Color::Ansi256(Ansi256Color(code)));
    let style = |front, back| Style::new().fg_color(colour(front)).bg_color(colour(back)).bold();
    match (pieces, tone) {
        (_, Tone::Empty) if pieces => (style(BLACK, background), " ".to_owned()),
        (true, Tone::First) => (style(BLACK, background), disc(text)),
        (true, _) => (style(WHITE, background), disc(text)),
        (false, Tone::First) => {
            (style(if mark.is_some() { 228 } else { WHITE }, RED), text[..1].to_owned() + dot(mark))
        }
        (false, Tone::Second) => {
            (style(if mark.is_some() { 228 } else { WHITE }, BLUE), text[..1].to_owned() + dot(mark))
        }
        (false, Tone::Empty) => (style(BLACK, if light { 252 } else { 250 }), text[..1].to_owned() + " "),
    }
}

/// Returns the mark of a square of the last move, for boards on which colour alone would not show it.
const fn dot(mark: Option<Mark>) -> &'static str {
    if mark.is_some() { "•" } else { " " }
}

/// Returns the disc of a piece. Upper-case letters are towers.
fn disc(text: &str) -> String {
    if text.chars().all(char::is_uppercase) { "◉" } else { "●" }.to_owned()
}
