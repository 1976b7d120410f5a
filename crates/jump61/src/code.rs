//! Boards of at most 4×4 squares as one number.

use crate::Position;

/// Squares a side of the largest board that has a code.
const LARGEST: usize = 4;
/// The lowest bit of each of the sixteen cells of a code.
const LOWEST: u64 = 0x1111_1111_1111_1111;

impl Position {
    /// The board as one number: four bits a cell, from the top left, four cells a row. The lower two bits are the spots
    /// beyond the first, the next is set on Red's squares, the last on Blue's. Different boards of the same size have
    /// different codes, and the start has the code 0. `None` on boards larger than 4×4, and if a square has more than
    /// four spots, as can happen on a won board.
    ///
    /// A corner has at most two spots on a board that is not won. So bit 1 of the four outermost cells is never set
    /// there.
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

    /// The smallest [`code`](Self::code) of the eight images of the board: the same for boards that a symmetry of the
    /// square turns into each other, and for no others.
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

/// The squares of a 4×4 corner, each as the lowest bit of its cell.
#[inline]
fn spread(plane: u128) -> u64 {
    let row = |row: usize| plane as u64 >> (12 * row) & 0xf;
    let mut x = row(0) | row(1) << 16 | row(2) << 32 | row(3) << 48;
    x = (x | x << 6) & 0x0303_0303_0303_0303;
    x = (x | x << 3) & LOWEST;
    x
}

/// Rows and columns exchanged.
#[inline]
fn transpose(mut code: u64) -> u64 {
    let swapped = (code ^ code >> 12) & 0x0000_f0f0_0000_f0f0;
    code ^= swapped | swapped << 12;
    let swapped = (code ^ code >> 24) & 0x0000_0000_ff00_ff00;
    code ^ (swapped | swapped << 24)
}
