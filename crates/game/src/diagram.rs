use core::fmt;

/// The side that a cell belongs to, which decides its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Neither side's.
    Empty,
    /// The first side's.
    First,
    /// The second side's.
    Second,
}

/// What the last move did to a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The piece came from here.
    From,
    /// The piece or spot went here.
    To,
}

/// A board as players see it: a text for each cell, labels for rows and columns, and marks for the last move.
///
/// `Display` draws it in plain text, without anything that the courses' harnesses interpret: no `*`, no `>`, and no
/// line that begins with `===`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagram {
    /// Rows from the top; every cell has a text of the same width.
    pub cells: Vec<Vec<(String, Tone, Option<Mark>)>>,
    /// Labels of the rows, from the top.
    pub row_labels: Vec<String>,
    /// Labels of the columns.
    pub column_labels: Vec<String>,
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
