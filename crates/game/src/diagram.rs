use core::fmt;

use crate::side::Side;

/// The side that a cell belongs to. It determines the cell's colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Belongs to neither side.
    Empty,
    /// Belongs to the first side.
    First,
    /// Belongs to the second side.
    Second,
}

/// The effect of the last move on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The square that the piece left.
    From,
    /// The square that the piece moved to, or that the spot was added to.
    To,
}

/// A board as shown to players: a text for each cell, labels for rows and columns, and marks for the last move.
///
/// `Display` draws it in plain text and avoids everything that the courses' test harnesses interpret: it contains no
/// `*`, no `>`, and no line that begins with `===`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Rows from the top. The texts of all cells have the same width.
    pub cells: Vec<Vec<(String, Tone, Option<Mark>)>>,
    /// Labels of the rows, from top to bottom.
    pub row_labels: Vec<String>,
    /// Labels of the columns, from left to right.
    pub column_labels: Vec<String>,
}

impl Diagram {
    /// Creates the diagram of a square board with one kind of piece. Columns are `a`, `b`, … from the left, and rows
    /// are 1, 2, … from the top. `letters` are those of the first side, the second side and an empty square. `last`
    /// holds the rows and columns of the two squares of the last move.
    pub fn of_board(rows: &[Vec<Option<Side>>], letters: [char; 3], last: Option<[[usize; 2]; 2]>) -> Self {
        let mark = |square| match last? {
            [_, to] if to == square => Some(Mark::To),
            [from, _] => (from == square).then_some(Mark::From),
        };
        let cell = |row, (column, side): (usize, &Option<Side>)| {
            let content = side.map_or(2, Side::index);
            let tone = [Tone::First, Tone::Second, Tone::Empty][content];
            (letters[content].to_string(), tone, mark([row, column]))
        };
        let row = |(row, sides): (usize, &Vec<_>)| sides.iter().enumerate().map(|side| cell(row, side)).collect();
        Self {
            cells: rows.iter().enumerate().map(row).collect(),
            row_labels: (1..=rows.len()).map(|row| row.to_string()).collect(),
            column_labels: ('a'..).take(rows.len()).map(String::from).collect(),
        }
    }

    /// Returns the texts of the cells as in a position text: the rows from the top, joined by `/`.
    pub fn rows(&self) -> String {
        let row = |row: &Vec<(String, Tone, Option<Mark>)>| row.iter().map(|(text, ..)| text.as_str()).collect();
        self.cells.iter().map(row).collect::<Vec<String>>().join("/")
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.cells.iter().flatten().map(|(text, ..)| text.chars().count()).max().unwrap_or(1);
        for (label, row) in self.row_labels.iter().zip(&self.cells) {
            let cells: String = row.iter().map(|(text, _, mark)| framed(&format!("{text:width$}"), *mark)).collect();
            writeln!(f, "{label:>4} {}", cells.trim_end())?;
        }
        let labels: String = self.column_labels.iter().map(|label| framed(&format!("{label:width$}"), None)).collect();
        write!(f, "     {}", labels.trim_end())
    }
}

fn framed(text: &str, mark: Option<Mark>) -> String {
    match mark {
        Some(Mark::To) => format!("[{text}]"),
        Some(Mark::From) => format!("({text})"),
        None => format!(" {text} "),
    }
}
