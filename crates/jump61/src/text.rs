use core::fmt;
use core::str::FromStr;

use game::{Message, Position as _, PositionError, Side, message, text};

use crate::position::Position;
use crate::squares::Square;

const FORM: &str = "rows from the top joined by `/`, two characters a cell, as in `2r1-/1-1-`";

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.size() {
            if row > 0 {
                f.write_str("/")?;
            }
            for square in (0..self.size()).filter_map(|column| Square::new(row, column)) {
                write!(f, "{}{}", self.spots(square), letter(self.at(square).map(|pile| pile.side)))?;
            }
        }
        Ok(())
    }
}

const fn letter(side: Option<Side>) -> char {
    match side {
        Some(Side::First) => 'r',
        Some(Side::Second) => 'b',
        None => '-',
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(input: &str) -> Result<Self, PositionError> {
        let (board, rest) = text::split_side(input);
        let rows = text::rows(board, Self::SIZES, |size| 2 * size, FORM)?;
        if let Some(word) = rest {
            let expected = "nothing, since it follows from the spots";
            return Err(PositionError::SideToMove { found: Some(text::excerpt(word)), expected });
        }
        let mut position = Self::start(rows.len()).expect("invariant: the number of rows was checked");
        for (row, cells) in rows.iter().enumerate() {
            for (column, cell) in cells.chunks_exact(2).enumerate() {
                let square = Square::new(row, column).expect("invariant: the number of cells was checked");
                let (spots, side) =
                    read_cell(cell).map_err(|expected| cell_error([row, column], cell, Message::name(expected)))?;
                position.put(square, spots, side);
            }
        }
        position.set_side_by_spots();
        check_overfull(&position, &rows)?;
        Ok(position)
    }
}

fn read_cell(cell: &[char]) -> Result<(u8, Option<Side>), &'static str> {
    const EXPECTED: &str = "spots 1 to 9 and then `r`, `b` or `-`";
    let spots = cell[0].to_digit(10).filter(|&spots| spots > 0).ok_or(EXPECTED)?;
    let side = match cell[1] {
        'r' => Some(Side::First),
        'b' => Some(Side::Second),
        '-' if spots == 1 => None,
        '-' => return Err("`1-`, since a neutral square has one spot"),
        _ => return Err(EXPECTED),
    };
    Ok((spots as u8, side))
}

fn cell_error([row, column]: [usize; 2], cell: &[char], expected: Message) -> PositionError {
    let found = text::excerpt(&cell.iter().collect::<String>());
    PositionError::Cell { row: row + 1, column: column + 1, found, expected: Box::new(expected) }
}

/// Checks rule 2: a square stays overfull only on a board with a single colour.
fn check_overfull(position: &Position, rows: &[Vec<char>]) -> Result<(), PositionError> {
    match position.overfull().into_iter().next() {
        Some(square) if position.decided().is_none() => {
            let (row, column) = (square.row(), square.column());
            let most = position.neighbours(square);
            let expected = message!(
                "jump61.overfull",
                "at most {most} spots, its number of neighbours, unless one side has every square",
                most
            );
            Err(cell_error([row, column], &rows[row][2 * column..2 * column + 2], expected))
        }
        _ => Ok(()),
    }
}
