//! Checkers, the Melbourne variant, by the same rule page as crate `checkers`.
//!
//! The page does not number its rules; they are numbered here in its order:
//!
//! 1. White pieces on the dark squares of rows 1 to 3, black ones on those of rows 6 to 8.
//! 2. Black moves first, and moves up.
//! 3. A piece moves or jumps diagonally forward.
//! 4. A tower also moves and jumps backward.
//! 5. An action is a move by one square, or one jump over an enemy piece or tower onto an empty cell, which removes the
//!    enemy.
//! 6. A turn has at most one jump; capturing is never compulsory.
//! 7. A piece that reaches the far row, by a move or a jump, becomes a tower immediately.
//! 8. A side that cannot act on its turn has lost.

use crate::{Direction, Model, Side, Square, squares, step};

/// Number of rows and columns of the board.
const SIZE: usize = 8;

/// Letters of the columns, from the left.
const COLUMNS: [char; SIZE] = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/// The two diagonal directions up and the two down.
const UP: [Direction; 2] = [(-1, 1), (-1, -1)];
const DOWN: [Direction; 2] = [(1, 1), (1, -1)];

/// The contents of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Cell {
    Empty,
    Piece(Side),
    Tower(Side),
}

impl Cell {
    fn owner(self) -> Option<Side> {
        match self {
            Cell::Empty => None,
            Cell::Piece(owner) | Cell::Tower(owner) => Some(owner),
        }
    }

    /// Returns the directions in which the piece or tower moves: Black up and White down (rule 2), a piece forward only
    /// (rule 3), a tower both ways (rule 4).
    fn directions(self) -> Vec<Direction> {
        match self {
            Cell::Empty => Vec::new(),
            Cell::Piece(Side::First) => UP.to_vec(),
            Cell::Piece(Side::Second) => DOWN.to_vec(),
            Cell::Tower(_) => [UP, DOWN].concat(),
        }
    }
}

/// An action: origin, target, and the square of the captured enemy if it is a jump.
struct Action {
    from: Square,
    to: Square,
    captured: Option<Square>,
}

impl Action {
    fn name(&self) -> String {
        format!("{}-{}", name(self.from), name(self.to))
    }
}

/// Returns the name of a square: the column from the left, then the row from the top.
fn name((row, column): Square) -> String {
    format!("{}{}", COLUMNS[column], row + 1)
}

/// Returns `true` for a dark square: B1, D1, F1, H1, A2, C2, …
fn dark((row, column): Square) -> bool {
    row % 2 != column % 2
}

/// A position of checkers: the board and the side to move. Black is [`Side::First`].
///
/// Its text consists of the characters `.bwBW`, with capitals for towers. A move looks like `G6-F5`: columns A to H
/// from the left, rows 1 to 8 from the top. A text may place a black piece on row 1 or a white one on row 8 without
/// making it a tower. This piece does not become a tower and has no move.
///
/// ```
/// use reference::checkers::Checkers;
/// use reference::{Model, Side};
///
/// // The white piece jumps over the black one and becomes a tower; Black has nothing left.
/// let before = Checkers::parse("......../......../......../......../......../..w...../.b....../........ w").expect("a position");
/// let after = before.play("C6-A8").expect("a jump");
/// assert_eq!(after.text(), "......../......../......../......../......../......../......../W....... b");
/// assert_eq!(after.winner(), Some(Side::Second));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Checkers {
    /// Contents of the squares: `rows[row][column]`, row 0 on top.
    rows: Vec<Vec<Cell>>,
    to_move: Side,
}

impl Checkers {
    fn at(&self, (row, column): Square) -> Cell {
        self.rows[row][column]
    }

    fn put(&mut self, (row, column): Square, cell: Cell) {
        self.rows[row][column] = cell;
    }

    /// Returns the action of the piece on `from` in one direction, if there is one (rule 5).
    fn action(&self, from: Square, direction: Direction) -> Option<Action> {
        let neighbour = step(SIZE, from, direction)?;
        match self.at(neighbour).owner() {
            None => Some(Action { from, to: neighbour, captured: None }),
            Some(owner) if owner == self.to_move => None,
            Some(_enemy) => {
                let landing = step(SIZE, neighbour, direction)?;
                let free = self.at(landing) == Cell::Empty;
                free.then_some(Action { from, to: landing, captured: Some(neighbour) })
            }
        }
    }

    /// Returns all moves and jumps, even moves without a capture when a capture is possible (rule 6).
    fn actions(&self) -> Vec<Action> {
        let mut actions = Vec::new();
        for from in squares(SIZE) {
            if self.at(from).owner() != Some(self.to_move) {
                continue;
            }
            for direction in self.at(from).directions() {
                actions.extend(self.action(from, direction));
            }
        }
        actions
    }
}

impl Model for Checkers {
    fn start(_size: usize) -> Self {
        let mut start = Checkers { rows: vec![vec![Cell::Empty; SIZE]; SIZE], to_move: Side::First };
        for square in squares(SIZE) {
            // Rule 1.
            if dark(square) && square.0 < 3 {
                start.put(square, Cell::Piece(Side::Second));
            }
            if dark(square) && square.0 >= 5 {
                start.put(square, Cell::Piece(Side::First));
            }
        }
        start
    }

    fn parse(text: &str) -> Option<Self> {
        let (board, turn) = text.split_once(' ')?;
        let to_move = match turn {
            "b" => Side::First,
            "w" => Side::Second,
            _ => return None,
        };
        let mut rows = Vec::new();
        for line in board.split('/') {
            let mut row = Vec::new();
            for cell in line.chars() {
                row.push(match cell {
                    '.' => Cell::Empty,
                    'b' => Cell::Piece(Side::First),
                    'w' => Cell::Piece(Side::Second),
                    'B' => Cell::Tower(Side::First),
                    'W' => Cell::Tower(Side::Second),
                    _ => return None,
                });
            }
            rows.push(row);
        }
        if rows.len() != SIZE || rows.iter().any(|row| row.len() != SIZE) {
            return None;
        }
        let position = Checkers { rows, to_move };
        for square in squares(SIZE) {
            if !dark(square) && position.at(square) != Cell::Empty {
                return None;
            }
        }
        Some(position)
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for row in &self.rows {
            let mut line = String::new();
            for cell in row {
                line.push(match cell {
                    Cell::Empty => '.',
                    Cell::Piece(Side::First) => 'b',
                    Cell::Piece(Side::Second) => 'w',
                    Cell::Tower(Side::First) => 'B',
                    Cell::Tower(Side::Second) => 'W',
                });
            }
            lines.push(line);
        }
        let turn = match self.to_move {
            Side::First => "b",
            Side::Second => "w",
        };
        format!("{} {turn}", lines.join("/"))
    }

    fn to_move(&self) -> Side {
        self.to_move
    }

    fn moves(&self) -> Vec<String> {
        let mut names: Vec<String> = self.actions().iter().map(Action::name).collect();
        names.sort();
        names
    }

    fn play(&self, mv: &str) -> Option<Self> {
        let action = self.actions().into_iter().find(|action| action.name() == mv)?;
        let mut next = self.clone();
        next.put(action.from, Cell::Empty);
        if let Some(captured) = action.captured {
            next.put(captured, Cell::Empty); // rule 5
        }
        let far_row = match self.to_move {
            Side::First => 0,
            Side::Second => SIZE - 1,
        };
        if action.to.0 == far_row {
            next.put(action.to, Cell::Tower(self.to_move)); // rule 7; a tower stays one
        } else {
            next.put(action.to, self.at(action.from));
        }
        next.to_move = self.to_move.other(); // rule 6: one jump a turn
        Some(next)
    }

    fn winner(&self) -> Option<Side> {
        // Rule 8.
        if self.actions().is_empty() { Some(self.to_move.other()) } else { None }
    }
}
