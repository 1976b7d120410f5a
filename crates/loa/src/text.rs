use core::fmt;
use core::str::FromStr;

use game::{Position as _, PositionError, Side, text};

use crate::{Position, Square};

const FORM: &str = "rows from the top joined by `/`, then the side to move, as in `-bb-/w--w/w--w/-bb- b`";

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size() as u8;
        for rank in (0..size).rev() {
            for file in 0..size {
                f.write_str(match self.at(Square::at(8 * rank + file)) {
                    Some(Side::First) => "b",
                    Some(Side::Second) => "w",
                    None => "-",
                })?;
            }
            f.write_str(if rank == 0 { " " } else { "/" })?;
        }
        f.write_str(["b", "w"][self.side_to_move().index()])
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(input: &str) -> Result<Self, PositionError> {
        let (board, side) = text::split_side(input);
        let rows = text::rows(board, Self::SIZES, |size| size, FORM)?;
        let side = text::parse_side(side, ["b", "w"], "`b` or `w`")?;
        let mut position = Self::empty(rows.len()).expect("invariant: the number of rows was checked");
        for (from_top, row) in rows.iter().enumerate() {
            let rank = rows.len() - 1 - from_top;
            for (file, &cell) in row.iter().enumerate() {
                let square = Square::at((8 * rank + file) as u8);
                match cell {
                    'b' => position.toggle(square, Side::First),
                    'w' => position.toggle(square, Side::Second),
                    '-' => (),
                    _ => {
                        return Err(PositionError::Cell {
                            row: from_top + 1,
                            column: file + 1,
                            found: text::excerpt(&cell.to_string()),
                            expected: "`b`, `w` or `-`".to_owned(),
                        });
                    }
                }
            }
        }
        if side == Side::Second {
            position.pass_turn();
        }
        Ok(position)
    }
}
