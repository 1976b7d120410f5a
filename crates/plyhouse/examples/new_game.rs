//! A new game in one file, noughts and crosses: `cargo run --example new_game`. The conformance suite checks it, perft
//! counts its move sequences, and the library's search plays it.

#![allow(clippy::print_stdout)] // examples print

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use plyhouse::game::{Diagram, Key, Mark, Stuck, Tone, conformance, text};
use plyhouse::prelude::*;

/// A position with nine cells, row by row from the top. Text: `x.o/.x./..o x`, where the last letter is the side to
/// move.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Crosses {
    cells: [Option<Side>; 9],
    side: Side,
}

/// The index of a cell, 0 to 8. Written as column and row: `b3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell(usize);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} is taken")]
struct Taken(Cell);

const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const LETTERS: [&str; 2] = ["x", "o"];

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", ["a", "b", "c"][self.0 % 3], self.0 / 3 + 1)
    }
}

impl fmt::Display for Crosses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rows = self.cells.chunks(3).map(|row| row.iter().map(|cell| letter(*cell)).collect::<String>());
        write!(f, "{} {}", rows.collect::<Vec<_>>().join("/"), LETTERS[self.side.index()])
    }
}

fn letter(cell: Option<Side>) -> &'static str {
    cell.map_or(".", |side| LETTERS[side.index()])
}

impl FromStr for Crosses {
    type Err = PositionError;

    fn from_str(input: &str) -> Result<Self, PositionError> {
        let (board, side) = text::split_side(input);
        let mut p = Self { cells: [None; 9], side: text::parse_side(side, LETTERS, "`x` or `o`")? };
        for (row, cells) in text::rows(board, 3..=3, |_| 3, "three rows joined by `/`")?.into_iter().enumerate() {
            for (column, c) in cells.into_iter().enumerate() {
                p.cells[3 * row + column] = match c {
                    'x' => Some(Side::First),
                    'o' => Some(Side::Second),
                    '.' => None,
                    _ => {
                        let (row, column, found) = (row + 1, column + 1, text::excerpt(&c.to_string()));
                        return Err(PositionError::Cell { row, column, found, expected: "`x`, `o` or `.`".to_owned() });
                    }
                };
            }
        }
        Ok(p)
    }
}

impl Position for Crosses {
    type Move = Cell;
    type Refusal = Taken;
    const STUCK: Stuck = Stuck::Draws;
    const MAY_LOSE_BY_MOVING: bool = false;
    const SIDE_NAMES: [&'static str; 2] = ["Crosses", "Noughts"];

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn visit_moves<B>(&self, visit: impl FnMut(Cell) -> ControlFlow<B>) -> ControlFlow<B> {
        (0..9).filter(|&cell| self.cells[cell].is_none()).map(Cell).try_for_each(visit)
    }

    fn refusal(&self, m: Cell) -> Option<Taken> {
        self.cells[m.0].map(|_| Taken(m))
    }

    fn play(&mut self, m: Cell) {
        self.cells[m.0] = Some(self.side);
        self.side = !self.side;
    }

    fn decided(&self) -> Option<Outcome> {
        let has = |side, line: &[usize; 3]| line.iter().all(|&cell| self.cells[cell] == Some(side));
        // Only the side that has just moved can have a new line.
        [!self.side, self.side].into_iter().find(|&side| LINES.iter().any(|line| has(side, line))).map(Outcome::Win)
    }

    fn key(&self) -> Key {
        let digit = |cell: &Option<Side>| cell.map_or(0, |side| 1 + side.index() as u64);
        Key::mix(self.cells.iter().fold(self.side.index() as u64, |number, cell| 3 * number + digit(cell)))
    }

    fn pack(m: Cell) -> u16 {
        m.0 as u16 + 1
    }

    fn unpack(&self, code: u16) -> Option<Cell> {
        (1..=9).contains(&code).then(|| Cell(usize::from(code) - 1)).filter(|&m| self.is_legal(m))
    }

    fn parse_move(&self, text: &str) -> Result<Cell, MoveError<Taken>> {
        let found = (0..9).map(Cell).find(|m| m.to_string() == text);
        let m = found.ok_or_else(|| MoveError::unreadable(text, "a letter a to c and a digit 1 to 3, as in `b3`"))?;
        self.refusal(m).map_or(Ok(m), |reason| Err(MoveError::Illegal { text: text.to_owned(), reason }))
    }

    fn diagram(&self, last: Option<Cell>) -> Diagram {
        let cell = |number: usize| {
            let tone = [Tone::Empty, Tone::First, Tone::Second][self.cells[number].map_or(0, |side| 1 + side.index())];
            (letter(self.cells[number]).to_owned(), tone, last.filter(|m| m.0 == number).map(|_| Mark::To))
        };
        Diagram {
            cells: (0..3).map(|row| (0..3).map(|column| cell(3 * row + column)).collect()).collect(),
            row_labels: ["1", "2", "3"].map(str::to_owned).to_vec(),
            column_labels: ["a", "b", "c"].map(str::to_owned).to_vec(),
        }
    }
}

/// An evaluation: the number of lines that only one side can still complete.
struct OpenLines;

impl Policy<Crosses> for OpenLines {
    type Accumulator = ();

    const SLOTS: usize = 9;

    fn evaluate(&self, p: &Crosses) -> i32 {
        let open =
            |side: Side| LINES.iter().filter(|line| line.iter().all(|&cell| p.cells[cell] != Some(!side))).count();
        10 * (open(p.side) as i32 - open(!p.side) as i32)
    }

    fn slot(&self, _: &Crosses, m: Cell) -> usize {
        m.0
    }
}

/// Returns the position reflected from left to right.
fn mirrored(p: &Crosses) -> Crosses {
    Crosses { cells: std::array::from_fn(|cell| p.cells[cell / 3 * 3 + 2 - cell % 3]), side: p.side }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start: Crosses = ".../.../... x".parse()?;
    conformance::check(&start, 50, 1, &[mirrored]);

    // The expected numbers of games of nine moves, and of shorter sequences, are well known.
    let counts: Vec<u64> = (1..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]);

    let mut engine = AlphaBeta::new(OpenLines, Settings::default());
    let mut game = Record::new(start);
    while game.finish().is_none() {
        let choice = engine.choose(&game, &Limits::depth(9), &mut Control::unattended()).expect("a move");
        game.play(choice.best);
    }
    println!("{}\n{:?}", game.position().diagram(game.last_move()), game.finish());
    assert_eq!(game.finish().map(|finish| finish.outcome), Some(Outcome::Draw), "the best play of both sides");
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn std::error::Error>> {
    main()
}
