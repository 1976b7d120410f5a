use core::fmt;
use core::str::FromStr;

use game::{Message, Position as _, PositionError, Side, text};

use crate::cell::Cell;
use crate::position::{Piece, Position};

const FORM: &str = "8 rows from the top joined by `/`, then the side to move, as in `.w.w.w.w/w.w.w.w./…/b.b.b.b. b`";

impl Piece {
    /// Returns the letter of the piece: `b` or `w`, in upper case for a tower.
    pub const fn letter(self) -> char {
        match (self.side, self.tower) {
            (Side::First, false) => 'b',
            (Side::First, true) => 'B',
            (Side::Second, false) => 'w',
            (Side::Second, true) => 'W',
        }
    }

    const fn of_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'b' => Self { side: Side::First, tower: false },
            'B' => Self { side: Side::First, tower: true },
            'w' => Self { side: Side::Second, tower: false },
            'W' => Self { side: Side::Second, tower: true },
            _ => return None,
        })
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..8 {
            for column in 0..8 {
                let man = Cell::new(row, column).and_then(|cell| self.at(cell));
                write!(f, "{}", man.map_or('.', Piece::letter))?;
            }
            f.write_str(if row == 7 { " " } else { "/" })?;
        }
        f.write_str(["b", "w"][self.side_to_move().index()])
    }
}

/// Accepts men on every dark cell. A man on its far row cannot occur in play and has no move.
impl FromStr for Position {
    type Err = PositionError;

    fn from_str(input: &str) -> Result<Self, PositionError> {
        let (board, side) = text::split_side(input);
        let rows = text::rows(board, 8..=8, |_| 8, FORM)?;
        let side = text::parse_side(side, ["b", "w"], "`b` or `w`")?;
        let mut position = Self::empty();
        for (row, cells) in rows.iter().enumerate() {
            for (column, &letter) in cells.iter().enumerate() {
                let dark = Cell::new(row as u8, column as u8).and_then(Cell::dark);
                let expected = match (letter, Piece::of_letter(letter), dark) {
                    ('.', ..) => continue,
                    (_, Some(man), Some(index)) => {
                        position.toggle(index, man);
                        continue;
                    }
                    (_, Some(_), None) => "`.` on a light cell",
                    (_, None, _) => "`.`, `b`, `w`, `B` or `W`",
                };
                return Err(PositionError::Cell {
                    row: row + 1,
                    column: column + 1,
                    found: text::excerpt(&letter.to_string()),
                    expected: Box::new(Message::name(expected)),
                });
            }
        }
        if side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }
}
