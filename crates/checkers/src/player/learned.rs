//! The learned evaluation of checkers: a network whose inputs are the cells of the men and towers. The number of pieces
//! selects its output weights.

use std::sync::LazyLock;

use game::{Position as _, Side};

use crate::position::Position;

use engine::learned::{Layout, Viewed, Views};

/// Number of units of one half of the network.
const UNITS: usize = 32;
/// Number of dark cells.
const CELLS: usize = 32;
/// Number of inputs of one half: one for each dark cell and each of four kinds of pieces (own men, own towers, enemy
/// men and enemy towers). Each side's view is oriented so that its own men move towards row 1.
const INPUTS: usize = 4 * CELLS;
/// Number of sets of output weights.
const SETS: usize = 8;

/// Returns the same input in the other side's view: the board is rotated by 180°, and own and enemy pieces are
/// exchanged.
#[inline]
const fn mirrored(input: usize) -> usize {
    input ^ (2 * CELLS) ^ (CELLS - 1)
}

/// Built-in evaluation.
static EIGHT: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_bytes!("../../data/checkers.evaluation");
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
});

/// The learned evaluation of checkers.
pub type Learned = Views<Position, INPUTS, UNITS, SETS>;

/// Returns the built-in evaluation.
pub fn built_in() -> &'static Learned {
    &EIGHT
}

impl Viewed for Position {
    const LAYOUT: Layout = Layout {
        game: "checkers",
        sizes: 8..=8,
        table: |_| 0,
        inputs: INPUTS,
        units: UNITS,
        sets: SETS,
        square: |input| input % CELLS,
        mirrored,
        // The only symmetry of the game is a rotation by 180° with the sides exchanged. Views already include it.
        turned: |input, _| input,
    };

    #[inline]
    fn inputs(&self) -> impl Iterator<Item = usize> {
        let us = self.side_to_move();
        let turn = if us == Side::First { 0 } else { CELLS - 1 };
        let kinds = [us, !us].into_iter().flat_map(move |side| {
            let towers = self.towers();
            [self.pieces(side) & !towers, self.pieces(side) & towers]
        });
        kinds.enumerate().flat_map(move |(kind, cells)| cells.indices().map(move |cell| kind * CELLS + (cell ^ turn)))
    }

    /// Selects the set by the number of pieces, which is 24 at the beginning.
    #[inline]
    fn set(&self) -> usize {
        let pieces = (self.pieces(Side::First) | self.pieces(Side::Second)).count() as usize;
        (pieces.saturating_sub(1) / 3).min(SETS - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Cell;
    use engine::learned::LearnedNumbers;
    use engine::learned::testing::{self, numbers};
    use game::SplitMix64;

    /// Computes the learned evaluation in floating point, cell by cell.
    fn slowly(numbers: &LearnedNumbers, p: &Position) -> f64 {
        let us = p.side_to_move();
        let cells = || (0..8).flat_map(|row| (0..8).filter_map(move |column| Cell::new(row, column)));
        let inputs = [us, !us].map(|side| {
            let input = |cell: Cell| {
                let piece = p.at(cell)?;
                let kind = usize::from(piece.tower) + if piece.side == side { 0 } else { 2 };
                let dark = cell.dark()?;
                Some(32 * kind + if side == Side::First { dark } else { 31 - dark })
            };
            cells().filter_map(input).collect()
        });
        testing::slowly(&Position::LAYOUT, numbers, p.set(), &inputs)
    }

    #[test]
    fn the_value_is_the_sum_of_both_views() {
        let numbers = numbers(&Position::LAYOUT, 8);
        let learned = Learned::new(&numbers).expect("numbers that fit");
        for seed in 0..20 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start();
            for _ in 0..100 {
                let (value, slow) = (f64::from(learned.evaluate(&p)), slowly(&numbers, &p));
                assert!((value - slow).abs() < 1.1, "{value} {slow}\n{p}");
                let moves = p.movable();
                let Some(&m) = rng.choose(&moves) else { break };
                p.play(m);
            }
        }
    }
}
