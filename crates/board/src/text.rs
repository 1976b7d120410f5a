use core::fmt;
use core::str::FromStr;

use game::{Message, PositionError, Side, text};

use crate::men::{Colour, Kind, Men};
use crate::square::Square;

impl Colour {
    /// Returns the letters of the first and of the second side, if the first side has this colour.
    pub(crate) const fn letters(self) -> [&'static str; 2] {
        match self {
            Self::Black => ["b", "w"],
            Self::White => ["w", "b"],
        }
    }

    /// Returns the letters of both sides for error messages.
    const fn quoted_letters(self) -> &'static str {
        match self {
            Self::Black => "`b` or `w`",
            Self::White => "`w` or `b`",
        }
    }
}

impl<K: Kind> fmt::Display for Men<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = K::FIRST.letters();
        let size = self.size() as u8;
        for rank in (0..size).rev() {
            for file in 0..size {
                f.write_str(self.at(Square::at(8 * rank + file)).map_or("-", |side| letters[side.index()]))?;
            }
            f.write_str(if rank == 0 { " " } else { "/" })?;
        }
        f.write_str(letters[self.side_to_move().index()])?;
        match K::VARIANTS.iter().find(|(_, variant)| *variant == self.variant()) {
            Some((word, _)) => write!(f, " {word}"),
            None => Ok(()),
        }
    }
}

impl<K: Kind> FromStr for Men<K> {
    type Err = PositionError;

    fn from_str(input: &str) -> Result<Self, PositionError> {
        let letters = K::FIRST.letters();
        let (board, side) = text::split_side(input);
        let (side, variant) = split_variant::<K>(side);
        let rows = text::rows(board, Self::SIZES, |size| size, K::FORM)?;
        let side_to_move = text::parse_side(side, letters, K::FIRST.quoted_letters())?;
        let mut men = Self::empty(rows.len()).expect("invariant: the number of rows was checked");
        for (from_top, row) in rows.iter().enumerate() {
            let rank = rows.len() - 1 - from_top;
            for (file, &cell) in row.iter().enumerate() {
                match Side::BOTH.into_iter().find(|side| letters[side.index()].starts_with(cell)) {
                    Some(side) => men.toggle(Square::at((8 * rank + file) as u8), side),
                    None if cell == '-' => (),
                    None => {
                        return Err(PositionError::Cell {
                            row: from_top + 1,
                            column: file + 1,
                            found: text::excerpt(&cell.to_string()),
                            expected: Box::new(Message::name("`b`, `w` or `-`")),
                        });
                    }
                }
            }
        }
        Ok(men.with_turn(side_to_move).with_variant(variant))
    }
}

/// Splits the text after the board into the side to move and the variant. Without the word of a variant, the whole text
/// is the side to move.
fn split_variant<K: Kind>(side: Option<&str>) -> (Option<&str>, K) {
    let split = side.and_then(|side| side.rsplit_once(|c: char| c.is_ascii_whitespace()));
    let known = |word| K::VARIANTS.iter().find(|(known, _)| *known == word);
    match split.and_then(|(side, word)| Some((side.trim_end(), known(word)?))) {
        Some((side, &(_, variant))) => (Some(side), variant),
        None => (side, K::default()),
    }
}
