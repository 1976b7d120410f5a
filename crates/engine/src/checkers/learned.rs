//! The learned evaluation of checkers: a network that sees on which cells the men and towers stand. The number of
//! pieces selects its output weights.

use core::fmt;
use std::sync::LazyLock;

use checkers::{Cells, Position};
use game::{Position as _, Side};

use crate::evaluation::Breakdown;
use crate::learned::{Layout, LearnedNumbers, Network, value};

/// Units of one half of the network.
const UNITS: usize = 32;
/// Dark cells.
const CELLS: usize = 32;
/// Inputs of one half: by dark cell, a side's own men, its own towers, the other side's men, the other side's towers.
/// Each side sees the board as if its own men moved towards row 1.
const INPUTS: usize = 4 * CELLS;
/// Sets of output weights.
const SETS: usize = 8;

/// What the numbers are for.
pub const LAYOUT: Layout = Layout {
    game: "checkers",
    sizes: 8..=8,
    table: |_| 0,
    inputs: INPUTS,
    units: UNITS,
    sets: SETS,
    square: |input| input % CELLS,
    mirrored,
    // Only turning the board and exchanging the sides leaves the game as it is, and that is what a view does.
    turned: |input, _| input,
};

/// The same input in the other side's view: the board is turned, and own pieces are the opponent's.
#[inline]
const fn mirrored(input: usize) -> usize {
    input ^ (2 * CELLS) ^ (CELLS - 1)
}

/// The built-in evaluation.
static EIGHT: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_bytes!("../../data/checkers.evaluation");
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
});

/// A learned evaluation.
pub struct Learned {
    network: Network<INPUTS, UNITS, SETS>,
}

/// Does not print the numbers.
impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").finish_non_exhaustive()
    }
}

impl Learned {
    /// The built-in evaluation.
    pub fn built_in() -> &'static Self {
        &EIGHT
    }

    /// The evaluation of a file. `None` if it is no such file, or its numbers could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(&LearnedNumbers::from_bytes(&LAYOUT, bytes)?)
    }

    /// The evaluation with these numbers. `None` if there are too many or too few, or they could overflow.
    pub fn new(numbers: &LearnedNumbers) -> Option<Self> {
        Some(Self { network: Network::new(&LAYOUT, numbers)? })
    }

    /// The value of a position for the side to move, in hundredths of a man.
    #[inline]
    pub fn evaluate(&self, p: &Position) -> i32 {
        let set = set_of(p);
        let [own, enemy] = self.seen(p, set);
        value(self.network.offset(set), own + enemy)
    }

    /// The same, part by part.
    pub(super) fn breakdown(&self, p: &Position, early_share: f64) -> Breakdown {
        let set = set_of(p);
        self.network.breakdown(set, self.seen(p, set), early_share)
    }

    /// The weighted sums of both views, with one of the sets of output weights.
    #[inline]
    fn seen(&self, p: &Position, set: usize) -> [i32; 2] {
        self.network.both_seen(set, inputs(p), mirrored)
    }
}

/// The set of output weights for a position: by its number of pieces, 24 at the beginning.
#[inline]
pub fn set_of(p: &Position) -> usize {
    let pieces = (p.pieces(Side::First) | p.pieces(Side::Second)).count() as usize;
    (pieces.saturating_sub(1) / 3).min(SETS - 1)
}

/// The inputs of the view of the side to move.
#[inline]
pub fn inputs(p: &Position) -> impl Iterator<Item = usize> {
    let us = p.side_to_move();
    let turn = if us == Side::First { 0 } else { CELLS - 1 };
    let kinds = [us, !us].into_iter().flat_map(move |side| {
        let towers = p.towers();
        [p.pieces(side) & !towers, p.pieces(side) & towers]
    });
    kinds.enumerate().flat_map(move |(kind, cells)| indices(cells).map(move |cell| kind * CELLS + (cell ^ turn)))
}

/// The numbers of the dark cells in a set.
#[inline]
fn indices(Cells(mut rest): Cells) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let index = (rest != 0).then(|| rest.trailing_zeros() as usize);
        rest &= rest.wrapping_sub(1);
        index
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::testing::{self, numbers};
    use checkers::Cell;
    use game::SplitMix64;

    /// The same value in floating point, cell by cell.
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
        testing::slowly(&LAYOUT, numbers, set_of(p), &inputs)
    }

    #[test]
    fn the_value_is_the_sum_of_both_views() {
        let numbers = numbers(&LAYOUT, 8);
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
