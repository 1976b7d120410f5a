//! The learned evaluation of Jump61 on 6×6: a network that sees who owns each square and how many spots are there. The
//! number of spots on the board selects its output weights.

use core::fmt;
use std::sync::LazyLock;

use game::Position as _;
use jump61::Position;

use crate::evaluation::Breakdown;
use crate::learned::{Layout, LearnedNumbers, Network, turned_square, value};

/// Squares a side.
pub(super) const SIZE: usize = 6;
/// Units of one half of the network.
const UNITS: usize = 32;
/// Inputs of a square: its owner, and one to four spots. A neutral square has none.
const CONTENTS: usize = 8;
/// Inputs of one half: [`CONTENTS`] for each square, row by row. A side's own squares come first.
const INPUTS: usize = SIZE * SIZE * CONTENTS;
/// Sets of output weights.
const SETS: usize = 8;

/// What the numbers are for.
pub const LAYOUT: Layout = Layout {
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

/// The same input in the other side's view.
#[inline]
const fn mirrored(input: usize) -> usize {
    input ^ (CONTENTS / 2)
}

/// The built-in evaluation.
static SIX: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_bytes!("../../data/jump61-6.evaluation");
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
});

/// A learned evaluation for 6×6.
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
    pub fn six() -> &'static Self {
        &SIX
    }

    /// The evaluation of a file. `None` if it is no such file, or its numbers could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(&LearnedNumbers::from_bytes(&LAYOUT, bytes)?)
    }

    /// The evaluation with these numbers. `None` if there are too many or too few, or they could overflow.
    pub fn new(numbers: &LearnedNumbers) -> Option<Self> {
        Some(Self { network: Network::new(&LAYOUT, numbers)? })
    }

    /// The value of a position for the side to move, in hundredths of a square.
    ///
    /// # Panics
    /// If the board has another size, in debug builds.
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

/// The set of output weights for a position: by its number of spots, 36 at the beginning and about 110 in the end.
#[inline]
pub fn set_of(p: &Position) -> usize {
    let added = p.total_spots() as usize - SIZE * SIZE;
    (added * SETS / 80).min(SETS - 1)
}

/// The inputs of the view of the side to move.
#[inline]
pub fn inputs(p: &Position) -> impl Iterator<Item = usize> {
    debug_assert_eq!(p.size(), SIZE, "invariant: the evaluation is for boards of this size");
    let us = p.side_to_move();
    let owners = [p.pieces(us), p.pieces(!us)];
    (0..CONTENTS / 2).flat_map(move |spots| {
        let squares = p.with_spots(spots as u8 + 1);
        (0..).zip(owners).flat_map(move |(owner, owned)| {
            let content = owner * CONTENTS / 2 + spots;
            (squares & owned).into_iter().map(move |square| FIRST[square.index()] as usize + content)
        })
    })
}

/// The first input of each square.
const FIRST: [u16; 128] = {
    let mut first = [0; 128];
    let mut number = 0;
    while number < SIZE * SIZE {
        if let Some(square) = jump61::Square::new(number / SIZE, number % SIZE) {
            first[square.index()] = (number * CONTENTS) as u16;
        }
        number += 1;
    }
    first
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learned::testing::{self, numbers};
    use game::SplitMix64;

    /// The same value in floating point, square by square.
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
        testing::slowly(&LAYOUT, numbers, set_of(p), &inputs)
    }

    #[test]
    fn the_value_is_the_sum_of_both_views() {
        let numbers = numbers(&LAYOUT, SIZE);
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
