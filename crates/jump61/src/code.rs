//! Encodes boards of at most 4×4 squares as a single number.

use crate::position::Position;

/// Size of the largest board that has a code, in squares per side.
const LARGEST: usize = 4;
/// Lowest bit of each of the sixteen cells of a code.
const LOWEST: u64 = 0x1111_1111_1111_1111;

impl Position {
    /// Returns the board as a single number: four bits per cell and four cells per row, from the top left. The lower
    /// two bits are the number of spots minus one. The next bit is set on Red's squares, and the last bit on Blue's.
    /// Different boards of the same size have different codes, and the start has the code 0. Returns `None` on boards
    /// larger than 4×4, and if a square has more than four spots, which can happen on a won board.
    ///
    /// On a board that is not won, a corner has at most two spots, so bit 1 of the four corner cells is not set.
    pub fn code(&self) -> Option<u64> {
        let [a, b, c, d] = *self.spots_planes();
        if self.size() > LARGEST || d != 0 || c & (a | b) != 0 {
            return None;
        }
        let board = spread(self.board().0);
        let [a, b, c] = [a, b, c].map(spread);
        let [red, blue] = game::Side::BOTH.map(|side| spread(self.pieces(side).0));
        Some(board & !a | (a & b | c) << 1 | red << 2 | blue << 3)
    }

    /// Returns the smallest [`code`](Self::code) of the eight images of the board. Two boards of the same size have the
    /// same result if and only if a symmetry of the square maps one to the other.
    pub fn folded_code(&self) -> Option<u64> {
        let code = self.code()?;
        let missing = 4 * (LARGEST - self.size());
        let mirrored = |code: u64| {
            let code = code >> 4 & 0x0f0f_0f0f_0f0f_0f0f | (code & 0x0f0f_0f0f_0f0f_0f0f) << 4;
            (code >> 8 & 0x00ff_00ff_00ff_00ff | (code & 0x00ff_00ff_00ff_00ff) << 8) >> missing
        };
        let upside_down = |code: u64| {
            let code = code >> 16 & 0x0000_ffff_0000_ffff | (code & 0x0000_ffff_0000_ffff) << 16;
            code.rotate_left(32) >> (4 * missing)
        };
        let transposed = transpose(code);
        let half = [code, mirrored(code), transposed, mirrored(transposed)];
        half.into_iter().map(|code| code.min(upside_down(code))).min()
    }
}

/// Returns the squares of the 4×4 corner, each as the lowest bit of its cell.
#[inline]
fn spread(plane: u128) -> u64 {
    let row = |row: usize| plane as u64 >> (12 * row) & 0xf;
    let mut x = row(0) | row(1) << 16 | row(2) << 32 | row(3) << 48;
    x = (x | x << 6) & 0x0303_0303_0303_0303;
    x = (x | x << 3) & LOWEST;
    x
}

/// Exchanges rows and columns.
#[inline]
fn transpose(mut code: u64) -> u64 {
    let swapped = (code ^ code >> 12) & 0x0000_f0f0_0000_f0f0;
    code ^= swapped | swapped << 12;
    let swapped = (code ^ code >> 24) & 0x0000_0000_ff00_ff00;
    code ^ (swapped | swapped << 24)
}
