//! Numbering of the positions of an endgame.

use game::{Position as _, Side};

use crate::cells::Cells;
use crate::position::Position;

/// Maximum number of pieces of both sides in tables.
pub(super) const MOST_PIECES: usize = 5;

/// The numbers of men and towers of both sides: men and towers of the side to move, men and towers of the enemy. All
/// positions of one material form a slice of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Material(pub(super) [u8; 4]);

impl Material {
    /// Returns every material with up to this many pieces in which both sides have a piece.
    pub(super) fn all(pieces: usize) -> Vec<Self> {
        let most = pieces as u8;
        let mut all = Vec::new();
        for code in 0..(usize::from(most) + 1).pow(4) {
            let material = Self([0, 1, 2, 3].map(|i| (code / (pieces + 1).pow(i) % (pieces + 1)) as u8));
            let [a, b, c, d] = material.0;
            if a + b > 0 && c + d > 0 && material.pieces() <= pieces {
                all.push(material);
            }
        }
        all
    }

    /// Exclusive upper bound of [`code`](Self::code).
    pub(super) const CODES: usize = (MOST_PIECES + 1).pow(4);

    pub(super) fn code(self) -> usize {
        self.0.iter().fold(0, |code, &n| code * (MOST_PIECES + 1) + usize::from(n))
    }

    pub(super) fn pieces(self) -> usize {
        self.0.iter().map(|&n| usize::from(n)).sum()
    }

    /// Returns the number of men of both sides.
    pub(super) fn men(self) -> u8 {
        self.0[0] + self.0[2]
    }

    /// Returns the material from the point of view of the other side.
    pub(super) fn turned(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([c, d, a, b])
    }

    /// Returns the number of indices. Indices that would put two pieces on one cell are unused.
    pub(super) fn len(self) -> usize {
        (0..4).map(|i| CHOOSE[CELLS[i]][usize::from(self.0[i])] as usize).product()
    }
}

/// Number of cells on which pieces of each kind can stand. On its last row a man becomes a tower.
const CELLS: [usize; 4] = [28, 32, 28, 32];

/// Binomial coefficients: the number of ways to choose k of n.
static CHOOSE: [[u32; MOST_PIECES + 1]; 33] = {
    let mut table = [[0; MOST_PIECES + 1]; 33];
    let mut n = 0;
    while n <= 32 {
        table[n][0] = 1;
        let mut k = 1;
        while n > 0 && k <= MOST_PIECES {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The pieces from the point of view of the side to move, which moves up the board: the four kinds in the order of
/// [`Material`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board(pub(super) [u32; 4]);

impl Board {
    pub(super) fn of(p: &Position) -> Self {
        let us = p.side_to_move();
        let seen = |cells: u32| if us == Side::First { cells } else { cells.reverse_bits() };
        let ([own, enemy], towers) = ([us, !us].map(|side| p.pieces(side).0), p.towers().0);
        Self([own & !towers, own & towers, enemy & !towers, enemy & towers].map(seen))
    }

    /// Returns the position with Black to move.
    pub(super) fn position(self) -> Position {
        let [a, b, c, d] = self.0;
        Position::of_pieces([Cells(a | b), Cells(c | d)], Cells(b | d))
    }

    /// Returns the board from the point of view of the other side.
    pub(super) fn turned(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([c, d, a, b].map(u32::reverse_bits))
    }

    pub(super) fn material(self) -> Material {
        Material(self.0.map(|cells| cells.count_ones() as u8))
    }

    /// Returns the board's index in the slice of its material.
    #[inline]
    pub(super) fn index(self) -> usize {
        let [own_men, own_towers, enemy_men, enemy_towers] = self.0;
        // Men of the side to move cannot stand on the first four cells, enemy men cannot stand on the last four.
        let ranked = [own_men >> 4, own_towers, enemy_men, enemy_towers];
        let mut index = 0;
        for i in 0..4 {
            let (number, count) = rank(ranked[i]);
            index = index * CHOOSE[CELLS[i]][count] as usize + number as usize;
        }
        index
    }

    /// Returns the board with this index; `None` if two pieces would stand on one cell.
    pub(super) fn at(material: Material, mut index: usize) -> Option<Self> {
        let mut cells = [0; 4];
        for i in (0..4).rev() {
            let count = usize::from(material.0[i]);
            let ways = CHOOSE[CELLS[i]][count] as usize;
            cells[i] = unrank(count, (index % ways) as u32, CELLS[i]);
            index /= ways;
        }
        cells[0] <<= 4;
        let board = Self(cells);
        let all = cells.iter().fold(0, |all, &cells| all | cells);
        (all.count_ones() as usize == material.pieces()).then_some(board)
    }
}

/// Returns the index of a set of cells among all sets of the same size (combinatorial number system), and this size.
#[inline]
fn rank(mut cells: u32) -> (u32, usize) {
    let (mut number, mut count) = (0, 0);
    while cells != 0 {
        count += 1;
        number += CHOOSE[cells.trailing_zeros() as usize][count];
        cells &= cells - 1;
    }
    (number, count)
}

fn unrank(count: usize, mut number: u32, cells: usize) -> u32 {
    let (mut set, mut cell) = (0, cells);
    for k in (1..=count).rev() {
        loop {
            cell -= 1;
            if CHOOSE[cell][k] <= number {
                break;
            }
        }
        number -= CHOOSE[cell][k];
        set |= 1 << cell;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_that_of_its_board() {
        for material in Material::all(3) {
            for index in 0..material.len() {
                if let Some(board) = Board::at(material, index) {
                    assert_eq!((board.material(), board.index()), (material, index));
                    assert_eq!(Board::of(&board.position()), board);
                    assert_eq!(board.turned().turned(), board);
                }
            }
        }
    }

    #[test]
    fn there_are_as_many_numbers_as_calculated() {
        // These numbers were computed independently of this program.
        let numbers = |pieces| Material::all(pieces).into_iter().map(Material::len).sum::<usize>();
        assert_eq!([2, 3, 4, 5].map(numbers), [3_600, 216_000, 7_455_300, 187_110_300]);
    }
}
