use game::{Diagram, Mark, Side, Tone};

use crate::men::{Kind, Men};
use crate::square::Square;

impl<K: Kind> Men<K> {
    /// Returns the board as shown to players, with both squares of the last move marked.
    pub fn diagram(&self, last: Option<(Square, Square)>) -> Diagram {
        let size = self.size() as u8;
        let letters = K::FIRST.letters();
        let cell = |file, rank| {
            let square = Square::new(file, rank)?;
            let (text, tone) = match self.at(square) {
                Some(Side::First) => (letters[0], Tone::First),
                Some(Side::Second) => (letters[1], Tone::Second),
                None => (".", Tone::Empty),
            };
            let mark = match last {
                Some((from, _)) if from == square => Some(Mark::From),
                Some((_, to)) if to == square => Some(Mark::To),
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
}
