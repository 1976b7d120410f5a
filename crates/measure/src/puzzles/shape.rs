//! The appearance of a board, regardless of its orientation and of the side to move.

/// Maximum number of differing squares of boards that look alike.
const NEAR: usize = 2;

/// A board in all its eight rotations and reflections, from the point of view of the side to move. The rules are
/// ignored: two boards of one shape may have different legal moves, but a set needs only one of them as a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape([Vec<u8>; 8]);

impl Shape {
    /// Returns the shape of a position text: rows joined by `/`, and the side to move if the text contains it.
    pub fn of(text: &str) -> Self {
        let (board, turn) = text.split_once(' ').unwrap_or((text, ""));
        let rows: Vec<Vec<u8>> = board.split('/').map(|row| cells(row, turn)).collect();
        let size = rows.len();
        let at = |row: usize, column: usize| rows[row].get(column).copied().unwrap_or_default();
        let last = size.saturating_sub(1);
        let seen = |turn: usize| {
            let square = move |i: usize| {
                let (row, column) = (i / size, i % size);
                let (row, column) = if turn & 1 == 0 { (row, column) } else { (column, row) };
                (if turn & 2 == 0 { row } else { last - row }, if turn & 4 == 0 { column } else { last - column })
            };
            (0..size * size).map(square).map(|(row, column)| at(row, column)).collect()
        };
        Self(core::array::from_fn(seen))
    }

    /// Returns `true` if the other board, in one of its orientations, is this one or almost this one.
    pub fn is_near(&self, other: &Self) -> bool {
        let one = &self.0[0];
        other.0.iter().any(|two| {
            one.len() == two.len() && one.iter().zip(two).filter(|(a, b)| a != b).take(NEAR + 1).count() <= NEAR
        })
    }
}

/// Returns a code for each square of a row. In the text, a square is a letter, or a number of spots and a letter.
/// Pieces of the side to move get small codes.
fn cells(row: &str, turn: &str) -> Vec<u8> {
    let mut cells = Vec::new();
    let mut spots = 0;
    for byte in row.bytes() {
        if byte.is_ascii_digit() {
            spots = byte - b'0';
            continue;
        }
        let letter = byte.to_ascii_lowercase();
        // The text of Jump61 has no side to move, because the board determines it. Red then counts as the side to move.
        let first = if turn.is_empty() { letter == b'r' } else { turn.bytes().eq([letter]) };
        let piece = u8::from(letter.is_ascii_alphabetic()) * if first { 1 } else { 2 };
        cells.push(16 * piece + 10 * u8::from(byte.is_ascii_uppercase()) + spots);
        spots = 0;
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_and_exchanged_boards_look_alike() {
        let one = Shape::of("b---/----/-w--/---w b");
        for same in ["---b/----/--w-/w--- b", "w---/----/-b--/---b w", "b---/--w-/----/---w b", "b---/----/-w--/---w b"]
        {
            assert!(one.is_near(&Shape::of(same)), "{same}");
        }
        for other in ["bbbb/----/-w--/---w b", "b--/-w-/--w b", "bbb-/----/-w--/--w- b"] {
            assert!(!one.is_near(&Shape::of(other)), "{other}");
        }
        assert!(Shape::of("1-2r/3b1-").is_near(&Shape::of("3b1-/1-2r")));
        assert!(!Shape::of("1-2r1-/3b1-4r/1-1-1-").is_near(&Shape::of("2b2b2b/1-1-1-/1-1-1-")));
    }
}
