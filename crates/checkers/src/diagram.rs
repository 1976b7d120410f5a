use game::{Diagram, Mark, Side, Tone};

use crate::cell::Cell;
use crate::moves::Move;
use crate::position::{Piece, Position};

/// Returns the board as shown to players, with the last move marked.
pub(crate) fn diagram(p: &Position, last: Option<Move>) -> Diagram {
    let cell = |row, column| {
        let cell = Cell::new(row, column)?;
        let piece = p.at(cell);
        let tone = match piece.map(|piece| piece.side) {
            Some(Side::First) => Tone::First,
            Some(Side::Second) => Tone::Second,
            None => Tone::Empty,
        };
        let mark = match last {
            Some(m) if m.from() == cell => Some(Mark::From),
            Some(m) if m.to() == cell => Some(Mark::To),
            _ => None,
        };
        Some((piece.map_or('.', Piece::letter).to_string(), tone, mark))
    };
    Diagram {
        cells: (0..8).map(|row| (0..8).filter_map(|column| cell(row, column)).collect()).collect(),
        row_labels: (1..=8).map(|row| row.to_string()).collect(),
        column_labels: ('A'..='H').map(String::from).collect(),
    }
}
