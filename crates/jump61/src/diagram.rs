use game::{Diagram, Mark, Side, Tone};

use crate::moves::Move;
use crate::position::Position;
use crate::squares::Square;

/// Returns the board as shown to players, with the last move marked.
pub(crate) fn diagram(p: &Position, last: Option<Move>) -> Diagram {
    let size = p.size();
    let cell = |row, column| {
        let square = Square::new(row, column)?;
        let (letter, tone) = match p.at(square).map(|pile| pile.side) {
            Some(Side::First) => ('r', Tone::First),
            Some(Side::Second) => ('b', Tone::Second),
            None => ('-', Tone::Empty),
        };
        let mark = last.filter(|m| m.0 == square).map(|_| Mark::To);
        Some((format!("{}{letter}", p.spots(square)), tone, mark))
    };
    Diagram {
        cells: (0..size).map(|row| (0..size).filter_map(|column| cell(row, column)).collect()).collect(),
        row_labels: (1..=size).map(|row| row.to_string()).collect(),
        column_labels: (1..=size).map(|column| column.to_string()).collect(),
    }
}
