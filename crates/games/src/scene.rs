//! A game as a page shows it: plain data with everything that a board needs, so that no page knows rules.

use game::{Diagram, Finish, Outcome, Position, Reason, Record, Side, Tone};
use serde::Serialize;

use crate::{Entry, Setting, SettingError, Visitor, dispatch};

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

impl Setting {
    /// The game after these moves. It begins with the usual start if none is given.
    ///
    /// # Errors
    /// If the start is invalid or a move is not legal.
    pub fn scene(self, start: Option<&str>, moves: &[&str]) -> Result<Scene, SettingError> {
        dispatch(self.game, Show { setting: self, start, moves })
    }
}

struct Show<'a> {
    setting: Setting,
    start: Option<&'a str>,
    moves: &'a [&'a str],
}

impl Visitor for Show<'_> {
    type Output = Result<Scene, SettingError>;

    fn visit<E: Entry>(self) -> Self::Output {
        Ok(scene::<E>(&self.setting.record::<E>(self.start, self.moves)?))
    }
}

pub(crate) fn scene<E: Entry>(record: &Record<E::Position>) -> Scene {
    let p = record.position();
    let diagram = record.diagram();
    let rows = spots(&diagram);
    let way = |m: <E::Position as Position>::Move| Way { text: m.to_string(), path: E::path(p, m) };
    let finished = record.finish();
    let before = record.steps().iter().rev().nth(1);
    let frames = match (before, record.last_move()) {
        (Some(step), Some(m)) => E::frames(&step.position, m),
        _ => Vec::new(),
    };
    let flights = frames.iter().map(E::flights);
    let flights = core::iter::once(Vec::new()).chain(flights).take(frames.len()).collect();
    let count =
        |rows: &[Vec<Spot>], side: usize| rows.iter().flatten().filter(|(_, whose)| *whose == Some(side)).count();
    let first = spots(&record.steps()[0].position.diagram(None));
    let pieces = [0, 1].map(|side| count(&rows, side));
    let lost = [0, 1].map(|side| if E::TAKES_OFF { count(&first, side).saturating_sub(pieces[side]) } else { 0 });
    let moves = if finished.is_some() { Vec::new() } else { p.legal_moves() };
    Scene {
        game: E::ID.to_string(),
        size: E::size(p),
        sides: E::Position::SIDE_NAMES,
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
        end: finished.map(|finish| end::<E>(p, finish, record.move_limit())),
        lines: if finished.is_some() { Vec::new() } else { E::lines(p) },
        groups: E::groups(p),
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

fn end<E: Entry>(p: &E::Position, finish: Finish, limit: Option<u32>) -> End {
    let name = |side: Side| E::Position::side_name(side);
    let text = match (finish.reason, finish.outcome) {
        (Reason::Board, Outcome::Win(side)) => format!("{} wins: {}.", name(side), E::won_because(p)),
        (Reason::Stuck, Outcome::Win(side)) => format!("{} wins: {} has no legal move.", name(side), name(!side)),
        (Reason::MoveLimit, _) => format!("A draw: {} moves were made and no side has won.", limit.unwrap_or(0)),
        (Reason::Repetition, _) => "A draw: the position was repeated.".to_owned(),
        (Reason::QuietPlies, _) => "A draw: no progress for too many moves.".to_owned(),
        (_, Outcome::Draw) => "A draw.".to_owned(),
    };
    End { winner: finish.outcome.winner().map(Side::index), cause: finish.reason.into(), text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameId;

    fn scene(game: GameId, start: Option<&str>, moves: &[&str]) -> Scene {
        Setting { game, size: None, move_limit: 60, repetitions: None }.scene(start, moves).expect("legal")
    }

    #[test]
    fn a_scene_says_what_a_board_needs() {
        let loa = scene(GameId::Loa, None, &["b1-d3"]);
        assert_eq!((loa.turn, loa.ply, loa.pieces, loa.lost), (1, 1, [12, 12], [0, 0]));
        let taken = scene(
            GameId::Loa,
            Some("--------/--b-w---/--------/--------/--b-----/--------/--------/-w----b- b"),
            &["c7-e7"],
        );
        assert_eq!((taken.pieces, taken.lost), ([3, 1], [0, 1]));
        assert_eq!(loa.last, Some(Way { text: "b1-d3".into(), path: vec![[7, 1], [5, 3]] }));
        assert_eq!(loa.rows[5][3], ("b".into(), Some(0)));
        // The white piece on a3: three pieces on its rank, one move along it.
        let rank = loa.lines.iter().find(|line| line.from == [5, 0] && line.squares.contains(&[5, 7])).expect("a line");
        assert_eq!((rank.count, rank.squares.len(), rank.to.as_slice()), (3, 8, &[[5, 3]][..]));
        assert_eq!(loa.groups.iter().map(Vec::len).sum::<usize>(), 24);
        let checkers = scene(GameId::Checkers, None, &["G6-H5"]);
        assert_eq!(checkers.last.map(|way| way.path), Some(vec![[5, 6], [4, 7]]));
        assert!(checkers.lines.is_empty() && checkers.groups.is_empty());
    }

    #[test]
    fn cascades_come_wave_by_wave() {
        let full = "2r3r1-1-1-1-/2r1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-/1-1-1-1-1-1-";
        let start = scene(GameId::Jump61, Some(full), &[]);
        let text = &start.moves.iter().find(|way| way.path == [[0, 0]]).expect("a move").text.clone();
        let after = scene(GameId::Jump61, Some(full), &[text]);
        assert!(after.frames.len() >= 2, "{:?}", after.frames.len());
        assert_eq!(after.frames[0][0][0], ("3r".into(), Some(0)), "first the spot is added");
        assert_eq!(after.frames.last(), Some(&after.rows));
        assert_eq!(after.flights.len(), after.frames.len());
        assert!(after.flights[0].is_empty());
        assert_eq!(after.flights[1], [[[0, 0], [1, 0]], [[0, 0], [0, 1]]], "the corner topples first");
        let spots = |frame: &[Vec<Spot>]| frame.iter().flatten().map(|(text, _)| text.clone()).collect::<Vec<_>>();
        for (i, flights) in after.flights.iter().enumerate().skip(1) {
            assert!(!flights.is_empty(), "something flies in wave {i}");
            for [_, [row, column]] in flights {
                assert_eq!(after.frames[i][*row][*column].1, Some(0), "what is reached changes its colour");
            }
            assert_ne!(spots(&after.frames[i - 1]), spots(&after.frames[i]));
        }
    }

    #[test]
    fn an_end_is_said_in_words() {
        let p = "--------/--------/--------/---b----/--------/----b---/w------w/-------- b";
        let start = scene(GameId::Loa, Some(p), &[]);
        let ends = start.moves.iter().filter_map(|way| scene(GameId::Loa, Some(p), &[&way.text]).end);
        let ends: Vec<End> = ends.collect();
        assert!(
            ends.contains(&End {
                winner: Some(0),
                cause: Cause::Board,
                text: "Black wins: all its pieces are connected.".into()
            }),
            "{ends:?}"
        );
    }
}
