use game::{Key, Side};
use thiserror::Error;

use crate::cell::Cell;
use crate::cells::Cells;

/// A position: bitboards of the 32 dark cells (bit 0 is B1, row-major) and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Men and towers of Black and of White.
    sides: [u32; 2],
    /// Towers of both sides.
    towers: u32,
    pub(crate) side: Side,
    /// Hash of all other fields. Only [`Position::toggle`] and [`Position::pass_turn`] update it.
    pub(crate) key: Key,
}

/// A man or a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Side that owns the piece.
    pub side: Side,
    /// `true` for a tower, `false` for a man.
    pub tower: bool,
}

/// The error of an invalid change of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The cell is a light cell.
    #[error("{0} is a light cell: pieces stand on dark ones")]
    LightCell(Cell),
}

impl Position {
    /// Returns the start position (rule 1).
    pub fn start() -> Self {
        let mut start = Self::empty();
        for index in 0..12 {
            start.toggle(index, Piece { side: Side::Second, tower: false });
            start.toggle(31 - index, Piece { side: Side::First, tower: false });
        }
        start
    }

    /// Returns a board without pieces and with Black to move.
    pub const fn empty() -> Self {
        Self { sides: [0; 2], towers: 0, side: Side::First, key: Key::mix(0xc4ec) }
    }

    /// Returns the position with these pieces: Black's and White's, and the towers among them. Black is to move.
    ///
    /// # Panics
    /// If both sides have a piece on one cell, or a tower is on a cell without a piece.
    pub fn of_pieces(sides: [Cells; 2], towers: Cells) -> Self {
        let [black, white] = sides;
        assert!((black & white).is_empty() && (towers & !(black | white)).is_empty(), "invariant: one piece on a cell");
        let mut p = Self::empty();
        for side in Side::BOTH {
            for index in sides[side.index()].indices() {
                p.toggle(index, Piece { side, tower: towers.0 >> index & 1 != 0 });
            }
        }
        p
    }

    /// Returns the position with a piece on a cell, or with the cell empty.
    ///
    /// # Errors
    /// If the cell is a light cell.
    pub fn with(&self, cell: Cell, content: Option<Piece>) -> Result<Self, SetupError> {
        let index = cell.dark().ok_or(SetupError::LightCell(cell))?;
        let mut changed = *self;
        for piece in [self.at_dark(index), content].into_iter().flatten() {
            changed.toggle(index, piece);
        }
        Ok(changed)
    }

    /// Returns the board with this side to move.
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        if self.side == side { *self } else { self.passed() }
    }

    /// Returns the piece on a cell; `None` if the cell is empty or light.
    pub fn at(&self, cell: Cell) -> Option<Piece> {
        self.at_dark(cell.dark()?)
    }

    #[inline]
    pub(crate) fn at_dark(&self, index: usize) -> Option<Piece> {
        let side = Side::BOTH.into_iter().find(|side| self.sides[side.index()] >> index & 1 != 0)?;
        Some(Piece { side, tower: self.towers >> index & 1 != 0 })
    }

    /// Returns the numbers of men and of towers of a side.
    pub const fn count(&self, side: Side) -> (u32, u32) {
        let all = self.sides[side.index()];
        ((all & !self.towers).count_ones(), (all & self.towers).count_ones())
    }

    /// Returns the men and towers of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Cells {
        Cells(self.sides[side.index()])
    }

    /// Returns the towers of both sides.
    #[inline]
    pub const fn towers(&self) -> Cells {
        Cells(self.towers)
    }

    /// Returns the same board with the other side to move. The game has no pass, but searches use this function.
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = *self;
        passed.pass_turn();
        passed
    }

    /// Returns the course's cost of a board, b + 3B − w − 3W: Black's lead, in men.
    #[inline]
    pub const fn cost(&self) -> i32 {
        let [black, white] = self.sides;
        let men = black.count_ones() as i32 - white.count_ones() as i32;
        let towers = (black & self.towers).count_ones() as i32 - (white & self.towers).count_ones() as i32;
        men + 2 * towers
    }

    /// Adds a piece to an empty cell or removes it. Only this function changes pieces, so the key is always updated.
    #[inline]
    pub(crate) fn toggle(&mut self, index: usize, piece: Piece) {
        self.sides[piece.side.index()] ^= 1 << index;
        self.towers ^= u32::from(piece.tower) << index;
        self.key ^= PIECE_KEYS[usize::from(piece.tower)][piece.side.index()][index];
    }

    /// Passes the turn. Only this function changes the side to move.
    #[inline]
    pub(crate) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= WHITE_TO_MOVE;
    }
}

static PIECE_KEYS: [[[Key; 32]; 2]; 2] = {
    let mut keys = [[[Key(0); 32]; 2]; 2];
    let mut i = 0;
    while i < 128 {
        keys[i / 64][i / 32 % 2][i % 32] = Key::mix(0xc4ec_0000 + i as u64);
        i += 1;
    }
    keys
};
const WHITE_TO_MOVE: Key = Key::mix(0xc4ec_1000);
