//! The learned evaluation of Jump61 on 6×6: a network whose inputs are the owner and the number of spots of each
//! square. The number of spots on the board selects its output weights.

use std::sync::LazyLock;

use game::Position as _;

use crate::position::Position;
use crate::squares::Square;

use engine::learned::{Layout, Viewed, Views, turned_square};

/// Board size, in squares per side.
pub(super) const SIZE: usize = 6;
/// Number of units of one half of the network.
const UNITS: usize = 32;
/// Number of inputs of a square: one for each owner and each number of spots from one to four. All are off for a
/// neutral square.
const CONTENTS: usize = 8;
/// Number of inputs of one half: [`CONTENTS`] for each square, row by row. The first four inputs of each square stand
/// for the side's own spots.
const INPUTS: usize = SIZE * SIZE * CONTENTS;
/// Number of sets of output weights.
const SETS: usize = 8;

/// Returns the same input from the other side's point of view.
#[inline]
const fn mirrored(input: usize) -> usize {
    input ^ (CONTENTS / 2)
}

/// Built-in evaluation.
static SIX: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_bytes!("../../data/jump61-6.evaluation");
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
});

/// The learned evaluation for 6×6.
pub type Learned = Views<Position, INPUTS, UNITS, SETS>;

/// Returns the built-in evaluation.
pub fn six() -> &'static Learned {
    &SIX
}

impl Viewed for Position {
    const LAYOUT: Layout = Layout {
        game: "jump61",
        sizes: SIZE..=SIZE,
        table: |_| 0,
        inputs: INPUTS,
        units: UNITS,
        sets: SETS,
        square: |input| input / CONTENTS,
        mirrored,
        turned: |input, symmetry| turned_square(SIZE, input / CONTENTS, symmetry) * CONTENTS + input % CONTENTS,
    };

    #[inline]
    fn inputs(&self) -> impl Iterator<Item = usize> {
        debug_assert_eq!(self.size(), SIZE, "invariant: the evaluation is for boards of this size");
        let us = self.side_to_move();
        let owners = [self.pieces(us), self.pieces(!us)];
        (0..CONTENTS / 2).flat_map(move |spots| {
            let squares = self.with_spots(spots as u8 + 1);
            (0..).zip(owners).flat_map(move |(owner, owned)| {
                let content = owner * CONTENTS / 2 + spots;
                (squares & owned).into_iter().map(move |square| FIRST[square.index()] as usize + content)
            })
        })
    }

    /// Selects the set by the number of spots, which is 36 at the start of a game and about 110 at its end.
    #[inline]
    fn set(&self) -> usize {
        let added = self.total_spots() as usize - SIZE * SIZE;
        (added * SETS / 80).min(SETS - 1)
    }
}

/// First input of each square.
const FIRST: [u16; 128] = {
    let mut first = [0; 128];
    let mut number = 0;
    while number < SIZE * SIZE {
        if let Some(square) = Square::new(number / SIZE, number % SIZE) {
            first[square.index()] = (number * CONTENTS) as u16;
        }
        number += 1;
    }
    first
};

#[cfg(test)]
mod tests {
    use super::*;
    use engine::learned::LearnedNumbers;
    use engine::learned::testing::{self, numbers};
    use game::SplitMix64;

    /// Computes the same value in floating point, square by square.
    fn slowly(numbers: &LearnedNumbers, p: &Position) -> f64 {
        let us = p.side_to_move();
        let squares = || (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)));
        let inputs = [us, !us].map(|side| {
            let input = |(row, column)| {
                let pile = p.at(p.square(row + 1, column + 1).expect("a square"))?;
                let content = usize::from(pile.spots) - 1 + if pile.side == side { 0 } else { 4 };
                Some((row * SIZE + column) * CONTENTS + content)
            };
            squares().filter_map(input).collect()
        });
        testing::slowly(&Position::LAYOUT, numbers, p.set(), &inputs)
    }

    #[test]
    fn the_value_is_the_sum_of_both_views() {
        let numbers = numbers(&Position::LAYOUT, SIZE);
        let learned = Learned::new(&numbers).expect("numbers that fit");
        for seed in 0..20 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(SIZE).expect("a size");
            while p.decided().is_none() {
                let (value, slow) = (f64::from(learned.evaluate(&p)), slowly(&numbers, &p));
                assert!((value - slow).abs() < 1.1, "{value} {slow}\n{p}");
                p.play(*rng.choose(&p.legal_moves()).expect("a move"));
            }
        }
    }
}
