//! Position texts of boards that a symmetry turns into each other.

use core::cmp::Ordering;

/// The symmetries of a board under which the rules of a game stay the same, for the same side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// Every board is different.
    None,
    /// Left and right can be exchanged.
    Mirror,
    /// All eight of the square.
    Square,
}

impl Symmetries {
    /// How many images a board has, itself included.
    pub fn images(self) -> usize {
        match self {
            Self::None => 1,
            Self::Mirror => 2,
            Self::Square => 8,
        }
    }

    /// Those with which a board has so many images, itself included.
    pub fn with_images(images: usize) -> Option<Self> {
        [Self::None, Self::Mirror, Self::Square].into_iter().find(|symmetries| symmetries.images() == images)
    }
}

/// The smallest of the position texts, byte by byte, that symmetries turn a position text into. A position text has
/// rows of equal cells, joined by `/`, and perhaps a blank and the side to move; any other text stays as it is.
///
/// ```
/// use game::{Symmetries, fold};
///
/// assert_eq!(fold("--b-/----/w---/---- b", Symmetries::Square), "----/---b/----/-w-- b");
/// ```
pub fn fold(text: &str, symmetries: Symmetries) -> String {
    folded(text, symmetries).0
}

/// How many symmetries turn a board into itself, the one that changes nothing included.
pub fn self_images(text: &str, symmetries: Symmetries) -> usize {
    folded(text, symmetries).1
}

/// The smallest image, and how many symmetries lead to it.
fn folded(text: &str, symmetries: Symmetries) -> (String, usize) {
    let (board, rest) = text.split_at(text.find(' ').unwrap_or(text.len()));
    let rows: Vec<&[u8]> = board.split('/').map(str::as_bytes).collect();
    let size = rows.len();
    let width = rows[0].len() / size;
    if !text.is_ascii() || width == 0 || rows.iter().any(|row| row.len() != width * size) {
        return (text.to_owned(), 1);
    }
    let mut best: Option<Vec<u8>> = None;
    let mut count = 0;
    for image in 0..symmetries.images() {
        // The first bit exchanges left and right, the second top and bottom, the third rows and columns.
        let mut image_text = Vec::with_capacity(board.len());
        for row in 0..size {
            if row > 0 {
                image_text.push(b'/');
            }
            for column in 0..size {
                let column = if image & 1 == 0 { column } else { size - 1 - column };
                let row = if image & 2 == 0 { row } else { size - 1 - row };
                let (row, column) = if image & 4 == 0 { (row, column) } else { (column, row) };
                image_text.extend_from_slice(&rows[row][width * column..width * (column + 1)]);
            }
        }
        match best.as_ref().map_or(Ordering::Less, |best| image_text.cmp(best)) {
            Ordering::Less => (best, count) = (Some(image_text), 1),
            Ordering::Equal => count += 1,
            Ordering::Greater => (),
        }
    }
    let board = best.map_or_else(|| board.to_owned(), |best| String::from_utf8_lossy(&best).into_owned());
    (board + rest, count)
}
