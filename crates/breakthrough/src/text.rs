use core::fmt;
use core::str::FromStr;

use game::{MoveError, Position as _, PositionError, Side, text};

use crate::{Move, Position, Refusal, Square};

const FORM: &str = "rows from the top joined by `/`, then the side to move, as in `bbbb/bbbb/wwww/wwww w`";

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.size() as u8;
        for rank in (0..size).rev() {
            for file in 0..size {
                f.write_str(match self.at(Square::at(8 * rank + file)) {
                    Some(Side::First) => "w",
                    Some(Side::Second) => "b",
                    None => "-",
                })?;
            }
            f.write_str(if rank == 0 { " " } else { "/" })?;
        }
        f.write_str(["w", "b"][self.side_to_move().index()])
    }
}

impl FromStr for Position {
    type Err = PositionError;

    fn from_str(input: &str) -> Result<Self, PositionError> {
        let (board, side) = text::split_side(input);
        let rows = text::rows(board, Self::SIZES, |size| size, FORM)?;
        let side = text::parse_side(side, ["w", "b"], "`w` or `b`")?;
        let mut position = Self::empty(rows.len()).expect("invariant: the number of rows was checked");
        for (from_top, row) in rows.iter().enumerate() {
            let rank = rows.len() - 1 - from_top;
            for (file, &cell) in row.iter().enumerate() {
                let square = Square::at((8 * rank + file) as u8);
                match cell {
                    'w' => position.toggle(square, Side::First),
                    'b' => position.toggle(square, Side::Second),
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

/// A move as it was written: two squares, and whether the text says that it captures.
struct Written {
    from: Square,
    to: Square,
    as_capture: bool,
}

impl Written {
    /// Reads two squares with `-`, `x` or nothing between them, and `*` or nothing behind them.
    fn parse(text: &str) -> Option<Self> {
        let (squares, star) = text.strip_suffix('*').map_or((text, false), |squares| (squares, true));
        let (from, rest) = squares.split_at_checked(2)?;
        let (to, cross) = match rest.strip_prefix('x') {
            Some(to) => (to, true),
            None => (rest.strip_prefix('-').unwrap_or(rest), false),
        };
        Some(Self { from: Square::parse(from)?, to: Square::parse(to)?, as_capture: star || cross })
    }
}

/// Reads a move and checks it against the rules.
pub(crate) fn parse_move(p: &Position, text: &str) -> Result<Move, MoveError<Refusal>> {
    let Some(Written { from, to, as_capture }) = Written::parse(text) else {
        return Err(MoveError::unreadable(text, "two squares joined by `-`, or by `x` for a capture, as in `a2-a3`"));
    };
    let refused = |reason| MoveError::Illegal { text: text.to_owned(), reason };
    let m = p.check(from, to).map_err(refused)?;
    if as_capture && !m.is_capture() { Err(refused(Refusal::NothingToCapture(to))) } else { Ok(m) }
}
