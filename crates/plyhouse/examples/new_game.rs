//! A game in one file: Konane, the checkers of Hawaii. `cargo run --release -p plyhouse --example new_game -- page`
//! opens the page with this game. The other commands of `plyhouse` support it, too, such as `perft konane --depth 6`.
//!
//! The board is full at the start. Black removes one of its stones on the main diagonal, in a corner or in the middle.
//! White removes one beside the gap. From then on, a stone jumps over a neighbour of the other side onto an empty
//! square and captures it. It may continue to jump in the same direction. A side that has no jump has lost.

use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::str::FromStr;

use plyhouse::engine::{BasicPolicy, Playable};
use plyhouse::game::{Diagram, Key, NoSuchMove, Stuck, text};
use plyhouse::prelude::*;
use plyhouse_cli::games::{Game, GameId, OwnRules};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Konane {
    rows: text::Rows,
    side: Side,
}

/// Row and column, from the top left.
type Square = [usize; 2];

/// A jump, written `c3-c5`, or the removal of a stone: the same square twice, written `c3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Move(Square, Square);

/// Letters of Black's stones, of White's stones and of empty squares.
const LETTERS: [char; 3] = ['b', 'w', '-'];
/// Steps to the neighbours of a square. Steps beyond the edge wrap to squares that no board has.
const STEPS: [Square; 4] = [[usize::MAX, 0], [0, usize::MAX], [0, 1], [1, 0]];

impl Konane {
    fn has(&self, [row, column]: Square, content: Option<Side>) -> bool {
        self.rows.get(row).and_then(|row| row.get(column)) == Some(&content)
    }

    fn moves(&self, side: Side) -> Vec<Move> {
        let step = |at: Square, by: Square| [0, 1].map(|i| at[i].wrapping_add(by[i]));
        let n = self.rows.len();
        let gaps = self.rows.iter().flatten().filter(|content| content.is_none()).count();
        let mut moves = Vec::new();
        for from in (0..n * n).map(|i| [i / n, i % n]).filter(|&square| self.has(square, Some(side))) {
            let is_first = from[0] == from[1] && [0, (n - 1) / 2, n / 2, n - 1].contains(&from[0]);
            let is_second = STEPS.iter().any(|&by| self.has(step(from, by), None));
            moves.extend(((gaps == 0 && is_first) || (gaps == 1 && is_second)).then_some(Move(from, from)));
            for by in STEPS {
                let takes = |over| self.has(over, Some(!side)) && self.has(step(over, by), None);
                let jump = |&at: &Square| Some(step(at, by)).filter(|&over| takes(over)).map(|over| step(over, by));
                moves.extend(std::iter::successors(Some(from), jump).skip(1).map(|to| Move(from, to)));
            }
        }
        moves
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [from, to] = [self.0, self.1].map(text::square);
        if from == to { f.write_str(&from) } else { write!(f, "{from}-{to}") }
    }
}

impl fmt::Display for Konane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.diagram(None).rows(), LETTERS[self.side.index()])
    }
}

impl FromStr for Konane {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        text::board(text, Self::SIZES, LETTERS).map(|(rows, side)| Self { rows, side })
    }
}

impl Position for Konane {
    type Move = Move;
    type Refusal = NoSuchMove;
    const STUCK: Stuck = Stuck::Loses;
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["Black", "White"];

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        self.moves(self.side).into_iter().try_for_each(visit)
    }

    fn refusal(&self, m: Move) -> Option<NoSuchMove> {
        (!self.moves(self.side).contains(&m)).then_some(NoSuchMove)
    }

    fn play(&mut self, Move(from, to): Move) {
        let [rows, columns] = [0, 1].map(|i| from[i].min(to[i])..=from[i].max(to[i]));
        self.rows[rows].iter_mut().for_each(|row| row[columns.clone()].fill(None));
        self.rows[to[0]][to[1]] = (from != to).then_some(self.side);
        self.side = !self.side;
    }

    fn key(&self) -> Key {
        let contents = self.rows.iter().flatten().map(|content| content.map_or(2, Side::index));
        contents.fold(Key::mix(self.side.index() as u64), |key, content| Key::mix(key.0 ^ content as u64))
    }

    fn pack(Move(from, to): Move) -> u16 {
        [from, to].as_flattened().iter().fold(1, |code, i| 8 * code + *i as u16)
    }

    fn diagram(&self, last: Option<Move>) -> Diagram {
        Diagram::of_board(&self.rows, LETTERS, last.map(|Move(from, to)| [from, to]))
    }
}

impl Playable for Konane {
    type Policy = BasicPolicy;

    fn squares_of(Move(from, to): Move) -> [(u8, u8); 2] {
        [from, to].map(|[row, column]| (column as u8, row as u8))
    }

    /// Counts the moves of both sides. Without this function, the engine counts the stones.
    fn liking(&self, side: Side) -> i32 {
        20 * (self.moves(side).len() as i32 - self.moves(!side).len() as i32)
    }
}

impl Game for Konane {
    type Model = OwnRules<Self>;
    const NAME: &'static str = "konane";
    const TITLE: &'static str = "Konane";
    const SUMMARY: &'static str = "Jump until the other side cannot.";
    const SIZES: RangeInclusive<usize> = 4..=8;
    const TAKES_OFF: bool = true;
    const PICTURE: &'static str = "bwbwbwbw/wbwbwbwb/bwbwbwbw/wbw--bwb/bwb-bwbw/wbwbwbwb/bwbwbwbw/wbwbwbwb b";

    fn start_on(size: usize) -> Self {
        let row = |row| (0..size).map(|column| Some(Side::BOTH[(row + column) % 2])).collect();
        Self { rows: (0..size).map(row).collect(), side: Side::First }
    }
}

fn main() -> std::process::ExitCode {
    plyhouse_cli::run_with(&[GameId::of::<Konane>()])
}
