//! A game as plain data for a page, with everything that a board needs, so that the page does not implement any rules.

use game::{Diagram, Finish, Message, Outcome, Reason, Record, Side, Tone, message};
use serde::Serialize;

use crate::about::variant;
use crate::definition::Game;
use crate::highlight::Highlight;

/// The state of a game that a page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scene {
    /// Name of the game.
    pub game: String,
    /// Board size, in squares per side.
    pub size: usize,
    /// Names of the sides.
    pub sides: [&'static str; 2],
    /// Position text of the start.
    pub start: String,
    /// Name of the start and its rules, one of [`About::variants`](crate::about::About::variants). Empty for the usual
    /// rules and start. A start without a name has the name of its rules.
    pub variant: String,
    /// Position text of the current position.
    pub position: String,
    /// Side to move: 0 or 1.
    pub turn: usize,
    /// Number of moves made since the start.
    pub ply: u32,
    /// Number of moves of both sides after which the game is drawn.
    pub limit: Option<u32>,
    /// Moves made, in their usual notation.
    pub played: Vec<String>,
    /// Squares, by row from the top.
    pub rows: Vec<Vec<Spot>>,
    /// Labels of the rows, from the top.
    pub row_labels: Vec<String>,
    /// Labels of the columns, from the left.
    pub column_labels: Vec<String>,
    /// Legal moves; empty when the game is over.
    pub moves: Vec<Way>,
    /// Last move.
    pub last: Option<Way>,
    /// Boards after each step of the last move, if the move has several steps. The last board is the current one.
    pub frames: Vec<Vec<Vec<Spot>>>,
    /// For each frame, the pairs of squares between which spots fly just before the frame. The first frame has none.
    pub flights: Vec<Vec<[Place; 2]>>,
    /// End of the game, if it is over.
    pub end: Option<End>,
    /// Number of pieces, or squares, of each side.
    pub pieces: [usize; 2],
    /// Number of pieces that each side has lost, in games where moves remove pieces.
    pub lost: [usize; 2],
    /// Lines along which each movable piece can move.
    pub lines: Vec<MoveLine>,
    /// Groups of connected pieces, in games that are about connection.
    pub groups: Vec<Vec<Place>>,
}

/// The coordinates of a square: row from the top and column from the left, from 0.
pub type Place = [usize; 2];

/// The contents of a square: a text, and the side it belongs to.
pub type Spot = (String, Option<usize>);

/// A move and the squares it touches, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Way {
    /// Move in its usual notation.
    pub text: String,
    /// Source and target square, or one square.
    pub path: Vec<Place>,
}

/// A line along which a piece moves. In Lines of Action, the distance is the number of pieces on the line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveLine {
    /// Square of the piece.
    pub from: Place,
    /// Squares of the line, in order.
    pub squares: Vec<Place>,
    /// Number of pieces on the line.
    pub count: u32,
    /// Squares that the piece can move to along the line.
    pub to: Vec<Place>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// Winner: 0 or 1; `None` in a draw.
    pub winner: Option<usize>,
    /// Cause of the end, for files and for pages in other languages.
    pub cause: Cause,
    /// Sentence with the result and the rule that ended the game.
    pub message: Message,
    /// Squares that decided the game.
    pub highlight: Highlight,
}

/// The causes of the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// The board is won or drawn.
    Board,
    /// A side has no legal move.
    Stuck,
    /// The move limit was reached.
    Limit,
    /// The position was repeated.
    Repetition,
    /// Too many moves were made without progress.
    Quiet,
    /// A side has resigned.
    Resigned,
    /// A side's time has run out.
    Time,
    /// The sides have agreed to a draw.
    Agreed,
}

impl Cause {
    /// Returns the word for the cause.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Stuck => "stuck",
            Self::Limit => "limit",
            Self::Repetition => "repetition",
            Self::Quiet => "quiet",
            Self::Resigned => "resigned",
            Self::Time => "time",
            Self::Agreed => "agreed",
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
    let first = spots(&record.start_position().diagram(None));
    let pieces = [0, 1].map(|side| count(&rows, side));
    let lost = [0, 1].map(|side| if P::TAKES_OFF { count(&first, side).saturating_sub(pieces[side]) } else { 0 });
    let moves = if finished.is_some() { Vec::new() } else { p.legal_moves() };
    let end = finished.map(|finish| end::<P>(p, finish, record.move_limit(), highlight(record, finish, &rows)));
    Scene {
        game: P::NAME.to_owned(),
        size: P::size(p),
        sides: P::SIDE_NAMES,
        start: record.start_position().to_string(),
        variant: variant(record.start_position()),
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
        end,
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

/// Returns the message for a side that has won on the board.
fn won<P: Game>(p: &P, winner: &Message) -> Message {
    match P::won_because(p) {
        "" => message!("end.won", "{winner} wins.", winner),
        reason => message!("end.won_because", "{winner} wins: {reason}.", winner, reason = Message::name(reason)),
    }
}

/// Returns the squares that decided the game.
fn highlight<P: Game>(record: &Record<P>, finish: Finish, rows: &[Vec<Spot>]) -> Highlight {
    let p = record.position();
    match (finish.reason, finish.outcome) {
        (Reason::Board, Outcome::Win(side)) => {
            let last = record.last_move().and_then(|m| P::path(p, m).last().copied());
            P::highlight(p, side, last).unwrap_or_else(|| Highlight::of_side(rows, side.index()))
        }
        (Reason::Stuck, Outcome::Win(side)) => {
            let blocked = Highlight::of_side(rows, (!side).index());
            if blocked.steps.is_empty() { Highlight::of_side(rows, side.index()) } else { blocked }
        }
        _ => Highlight::default(),
    }
}

fn end<P: Game>(p: &P, finish: Finish, limit: Option<u32>, highlight: Highlight) -> End {
    let name = |side: Side| Message::name(P::side_name(side));
    let message = match (finish.reason, finish.outcome) {
        (Reason::Board, Outcome::Win(side)) => won(p, &name(side)),
        (Reason::Stuck, Outcome::Win(side)) => {
            let (winner, loser) = (name(side), name(!side));
            message!("end.stuck", "{winner} wins: {loser} has no legal move.", winner, loser)
        }
        (Reason::MoveLimit, _) => {
            let count = limit.unwrap_or(0);
            message!("end.limit", "No winner after {count} moves.", count)
        }
        (Reason::Repetition, _) => message!("end.repetition", "No winner: the position was repeated."),
        (Reason::QuietPlies, _) => message!("end.quiet", "No winner: too many moves without progress."),
        (_, Outcome::Draw) => message!("end.draw", "No winner."),
    };
    End { winner: finish.outcome.winner().map(Side::index), cause: finish.reason.into(), message, highlight }
}
