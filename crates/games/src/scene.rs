//! A game as a page shows it: plain data with everything that a board needs, so that no page knows rules.

use game::{Diagram, Finish, Outcome, Reason, Record, Side, Tone};
use serde::Serialize;

use crate::definition::Game;

/// A game after some moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    /// Name of the game.
    pub game: String,
    /// Squares a side.
    pub size: usize,
    /// The names of the sides.
    pub sides: [&'static str; 2],
    /// Position text of the beginning.
    pub start: String,
    /// Position text now.
    pub position: String,
    /// The side to move: 0 or 1.
    pub turn: usize,
    /// Moves made since the start.
    pub ply: u32,
    /// Moves of both sides after which the game is a draw.
    pub limit: Option<u32>,
    /// The moves made, in their usual notation.
    pub played: Vec<String>,
    /// Rows from the top.
    pub rows: Vec<Vec<Spot>>,
    /// From the top.
    pub row_labels: Vec<String>,
    /// From the left.
    pub column_labels: Vec<String>,
    /// Legal moves; none when the game is over.
    pub moves: Vec<Way>,
    /// The move that led here.
    pub last: Option<Way>,
    /// The boards after each step of the last move, if it has several steps. The last one is the current board.
    pub frames: Vec<Vec<Vec<Spot>>>,
    /// For each frame, the spots that fly to it: from which square to which. None fly to the first.
    pub flights: Vec<Vec<[Place; 2]>>,
    /// How the game ended, if it has.
    pub end: Option<End>,
    /// Each side's pieces, or squares.
    pub pieces: [usize; 2],
    /// How many pieces each side has lost, in games where pieces are taken off.
    pub lost: [usize; 2],
    /// For each piece that can move, the lines along which it can.
    pub lines: Vec<MoveLine>,
    /// Groups of connected pieces, in games that are about connection.
    pub groups: Vec<Vec<Place>>,
}

/// Row from the top and column from the left, from 0.
pub type Place = [usize; 2];

/// What is on a square: a text, and the side it belongs to.
pub type Spot = (String, Option<usize>);

/// A move and the squares it touches, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Way {
    /// Usual notation.
    pub text: String,
    /// From and to, or one square.
    pub path: Vec<Place>,
}

/// A line along which a piece moves, and what decides how far: in Lines of Action the number of pieces on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveLine {
    /// The piece.
    pub from: Place,
    /// The squares of the line, in order.
    pub squares: Vec<Place>,
    /// How many pieces stand on it.
    pub count: u32,
    /// Where the piece may go along it.
    pub to: Vec<Place>,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// 0 or 1; none in a draw.
    pub winner: Option<usize>,
    /// The reason in a word, for files and for pages in other languages.
    pub cause: Cause,
    /// A sentence that names the rule, for users.
    pub text: String,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// The board decides.
    Board,
    /// A side has no legal move.
    Stuck,
    /// The move limit.
    Limit,
    /// The position was repeated.
    Repetition,
    /// Too many moves without progress.
    Quiet,
    /// A side has resigned.
    Resigned,
    /// A side's time has run out.
    Time,
}

impl Cause {
    /// The word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Stuck => "stuck",
            Self::Limit => "limit",
            Self::Repetition => "repetition",
            Self::Quiet => "quiet",
            Self::Resigned => "resigned",
            Self::Time => "time",
        }
    }
}

impl From<Reason> for Cause {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Board => Self::Board,
            Reason::Stuck => Self::Stuck,
            Reason::MoveLimit => Self::Limit,
            Reason::Repetition => Self::Repetition,
            Reason::QuietPlies => Self::Quiet,
        }
    }
}

/// Returns a game as a page shows it.
pub(crate) fn scene<P: Game>(record: &Record<P>) -> Scene {
    let p = record.position();
    let diagram = record.diagram();
    let rows = spots(&diagram);
    let way = |m: P::Move| Way { text: m.to_string(), path: P::path(p, m) };
    let finished = record.finish();
    let before = record.steps().iter().rev().nth(1);
    let frames = match (before, record.last_move()) {
        (Some(step), Some(m)) => P::frames(&step.position, m),
        _ => Vec::new(),
    };
    let flights = frames.iter().map(P::flights);
    let flights = core::iter::once(Vec::new()).chain(flights).take(frames.len()).collect();
    let count =
        |rows: &[Vec<Spot>], side: usize| rows.iter().flatten().filter(|(_, whose)| *whose == Some(side)).count();
    let first = spots(&record.steps()[0].position.diagram(None));
    let pieces = [0, 1].map(|side| count(&rows, side));
    let lost = [0, 1].map(|side| if P::TAKES_OFF { count(&first, side).saturating_sub(pieces[side]) } else { 0 });
    let moves = if finished.is_some() { Vec::new() } else { p.legal_moves() };
    Scene {
        game: P::NAME.to_owned(),
        size: P::size(p),
        sides: P::SIDE_NAMES,
        start: record.steps()[0].position.to_string(),
        position: p.to_string(),
        turn: p.side_to_move().index(),
        ply: record.moves_made(),
        limit: record.move_limit().filter(|&limit| limit < u32::MAX),
        played: record.moves().map(|m| m.to_string()).collect(),
        pieces,
        lost,
        frames: frames.iter().map(|frame| spots(&frame.diagram(None))).collect(),
        flights,
        rows,
        row_labels: diagram.row_labels,
        column_labels: diagram.column_labels,
        moves: moves.into_iter().map(way).collect(),
        last: record.last_move().map(way),
        end: finished.map(|finish| end::<P>(p, finish, record.move_limit())),
        lines: if finished.is_some() { Vec::new() } else { P::lines(p) },
        groups: P::groups(p),
    }
}

fn spots(diagram: &Diagram) -> Vec<Vec<Spot>> {
    let spot = |(text, tone, _): &(String, Tone, Option<game::Mark>)| {
        let whose = match tone {
            Tone::Empty => None,
            Tone::First => Some(0),
            Tone::Second => Some(1),
        };
        (text.clone(), whose)
    };
    diagram.cells.iter().map(|row| row.iter().map(spot).collect()).collect()
}

fn end<P: Game>(p: &P, finish: Finish, limit: Option<u32>) -> End {
    let name = |side: Side| P::side_name(side);
    let text = match (finish.reason, finish.outcome) {
        (Reason::Board, Outcome::Win(side)) => format!("{} wins: {}.", name(side), P::won_because(p)),
        (Reason::Stuck, Outcome::Win(side)) => format!("{} wins: {} has no legal move.", name(side), name(!side)),
        (Reason::MoveLimit, _) => format!("A draw: {} moves were made and no side has won.", limit.unwrap_or(0)),
        (Reason::Repetition, _) => "A draw: the position was repeated.".to_owned(),
        (Reason::QuietPlies, _) => "A draw: no progress for too many moves.".to_owned(),
        (_, Outcome::Draw) => "A draw.".to_owned(),
    };
    End { winner: finish.outcome.winner().map(Side::index), cause: finish.reason.into(), text }
}
