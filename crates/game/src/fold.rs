//! Canonical position texts of boards that are equal up to symmetry.

use core::cmp::Ordering;

/// The board symmetries that preserve the rules of a game. The side to move stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetries {
    /// No symmetry.
    None,
    /// Reflection that exchanges left and right.
    Mirror,
    /// All eight symmetries of the square.
    Square,
}

impl Symmetries {
    /// Returns the number of images of a board, including the board itself.
    pub fn images(self) -> usize {
        match self {
            Self::None => 1,
            Self::Mirror => 2,
            Self::Square => 8,
        }
    }

    /// Returns the symmetries that give a board this number of images, including the board itself.
    pub fn with_images(images: usize) -> Option<Self> {
        [Self::None, Self::Mirror, Self::Square].into_iter().find(|symmetries| symmetries.images() == images)
    }
}

/// Returns the canonical image of a position text: the smallest of its images under the symmetries, compared byte by
/// byte. A position text has rows of cells of equal width, joined by `/` and optionally followed by a blank and the
/// side to move. Any other text is returned unchanged.
///
/// ```
/// use game::{Symmetries, fold};
///
/// assert_eq!(fold("--b-/----/w---/---- b", Symmetries::Square), "----/---b/----/-w-- b");
/// ```
pub fn fold(text: &str, symmetries: Symmetries) -> String {
    folded(text, symmetries).0
}

/// Returns the number of symmetries that map a board to itself, including the identity.
pub fn self_images(text: &str, symmetries: Symmetries) -> usize {
    folded(text, symmetries).1
}

/// Returns the smallest image, and the number of symmetries that produce it.
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
        // Bit 0 exchanges left and right, bit 1 top and bottom, bit 2 rows and columns.
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
