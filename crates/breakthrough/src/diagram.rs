use game::{Diagram, Mark, Side, Tone};

use crate::{Move, Position, Square};

/// The board as it is shown to players, with the last move marked.
pub(crate) fn diagram(p: &Position, last: Option<Move>) -> Diagram {
    let size = p.size() as u8;
    let cell = |file, rank| {
        let square = Square::new(file, rank)?;
        let (text, tone) = match p.at(square) {
            Some(Side::First) => ("w", Tone::First),
            Some(Side::Second) => ("b", Tone::Second),
            None => (".", Tone::Empty),
        };
        let mark = match last {
            Some(m) if m.from() == square => Some(Mark::From),
            Some(m) if m.to() == square => Some(Mark::To),
            _ => None,
        };
        Some((text.to_owned(), tone, mark))
    };
    Diagram {
        cells: (0..size).rev().map(|rank| (0..size).filter_map(|file| cell(file, rank)).collect()).collect(),
        row_labels: (1..=size).rev().map(|rank| rank.to_string()).collect(),
        column_labels: (0..size).map(|file| char::from(b'a' + file).to_string()).collect(),
    }
}
