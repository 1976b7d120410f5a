//! Learned evaluations: their file format, and the network that each contains.
//!
//! They are trained on games that the player played against itself (`docs/engine.md`). All numbers are integers, so
//! that every machine computes the same values.
//!
//! The network has two halves with the same weights, one for each side's view. The units of both halves are clipped and
//! squared; the phase of the game selects one of several sets of output weights. (After Y. Nasu, "Efficiently updatable
//! neural-network-based evaluation functions for computer shogi", 2018, and its descendants in chess.)

mod views;

use core::ops::RangeInclusive;

pub use views::{Viewed, Views};

/// Value of a fully active unit. Its square fits a signed 16-bit number.
pub const ACTIVE: i16 = 181;
/// Output weight with which a fully active unit is worth one piece.
pub const OUTPUT_SCALE: i32 = 128;
/// Table value or offset that is worth a hundredth of a piece.
pub const TABLE_SCALE: i32 = 64;

/// Value of a piece as a weighted sum of units.
const PIECE: i64 = ACTIVE as i64 * ACTIVE as i64 * OUTPUT_SCALE as i64;
/// Maximum sum of the absolute output weights of a set. A larger sum could overflow.
const MOST_OUTPUT: i32 = i32::MAX / (ACTIVE as i32 * ACTIVE as i32);

/// The numbers of a learned evaluation, in the order in which they follow the first line of its file: 16-bit numbers,
/// the low byte first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedNumbers {
    /// Length of a side of the board, in squares.
    pub size: usize,
    /// Values of a table; [`TABLE_SCALE`] is a hundredth of a piece. Empty if the evaluation has no table.
    pub table: Vec<i16>,
    /// Weights from each input to each unit. A weight of [`ACTIVE`] fully activates a unit.
    pub rows: Vec<i16>,
    /// Initial value of each unit.
    pub bias: Vec<i16>,
    /// For each set: the weights of the own units, the weights of the opponent's units, and an offset. A weight of
    /// [`OUTPUT_SCALE`] is worth a piece; an offset of [`TABLE_SCALE`] is worth a hundredth of a piece.
    pub outputs: Vec<i16>,
}

/// The layout of the numbers of a game's learned evaluation.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Name of the game in the file.
    pub game: &'static str,
    /// Supported board sizes, in squares per side.
    pub sizes: RangeInclusive<usize>,
    /// Number of values of the table, by board size.
    pub table: fn(usize) -> usize,
    /// Number of inputs of one half of the network.
    pub inputs: usize,
    /// Number of units of one half.
    pub units: usize,
    /// Number of sets of output weights.
    pub sets: usize,
    /// Group of an input. A position has at most one input of each group.
    pub square: fn(usize) -> usize,
    /// Corresponding input in the other side's view.
    pub mirrored: fn(usize) -> usize,
    /// Input after one of the eight symmetries of the board: bit 0 flips rows, bit 1 flips columns, and bit 2 exchanges
    /// rows and columns afterwards.
    pub turned: fn(usize, usize) -> usize,
}

impl Layout {
    /// Returns the number of values of one set of outputs: the weights of both halves and the offset.
    pub const fn set(&self) -> usize {
        2 * self.units + 1
    }
}

/// Returns the image of a square, numbered row by row, under one of the eight symmetries of a board.
pub const fn turned_square(size: usize, square: usize, symmetry: usize) -> usize {
    let (row, column) = (square / size, square % size);
    let row = if symmetry & 1 != 0 { size - 1 - row } else { row };
    let column = if symmetry & 2 != 0 { size - 1 - column } else { column };
    if symmetry & 4 != 0 { column * size + row } else { row * size + column }
}

const MAGIC: &str = "plyhouse-evaluation 1";

/// Returns the game and the board size in the first line of an evaluation's file; `None` if it is not such a file.
pub fn game_and_size(bytes: &[u8]) -> Option<(&str, usize)> {
    let line = bytes.split(|&byte| byte == b'\n').next()?;
    let mut head = core::str::from_utf8(line).ok()?.strip_prefix(MAGIC)?.split_whitespace();
    Some((head.next()?, head.next()?.parse().ok()?))
}

impl LearnedNumbers {
    /// Returns the bytes of the file: a line with the format, the game, the size and the hash of the recipe in
    /// hexadecimal digits, then the numbers.
    pub fn to_bytes(&self, layout: &Layout, recipe: &str) -> Vec<u8> {
        let mut bytes = format!("{MAGIC} {} {} {recipe}\n", layout.game, self.size).into_bytes();
        let numbers = [&self.table, &self.rows, &self.bias, &self.outputs].into_iter().flatten();
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Parses the bytes of a file; `None` if they are not a file of this game.
    pub fn from_bytes(layout: &Layout, bytes: &[u8]) -> Option<Self> {
        let (game, size) = game_and_size(bytes)?;
        let body = bytes.splitn(2, |&byte| byte == b'\n').nth(1)?;
        if game != layout.game || !layout.sizes.contains(&size) || !body.len().is_multiple_of(2) {
            return None;
        }
        let mut numbers = body.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut take = |count: usize| {
            let taken: Vec<i16> = numbers.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let read = Self {
            size,
            table: take((layout.table)(size))?,
            rows: take(layout.inputs * layout.units)?,
            bias: take(layout.units)?,
            outputs: take(layout.sets * layout.set())?,
        };
        numbers.next().is_none().then_some(read)
    }
}

/// The network of a learned evaluation.
///
/// Sums of units use wrapping arithmetic. [`new`](Self::new) rejects numbers that could overflow, and the compiler does
/// not vectorize checked sums: in builds with overflow checks, these sums took three fifths of a game's time.
pub struct Network<const INPUTS: usize, const UNITS: usize, const SETS: usize> {
    rows: Box<[[i16; UNITS]; INPUTS]>,
    bias: [i16; UNITS],
    /// For each set, the weights of the own half, then those of the opponent's half.
    outputs: [[[i16; UNITS]; 2]; SETS],
    offsets: [i32; SETS],
}

impl<const INPUTS: usize, const UNITS: usize, const SETS: usize> Network<INPUTS, UNITS, SETS> {
    /// Creates the network with these numbers; `None` if there are too many or too few, or they could overflow.
    pub fn new(layout: &Layout, numbers: &LearnedNumbers) -> Option<Self> {
        let half = |numbers: &[i16]| <[i16; UNITS]>::try_from(numbers).ok();
        let rows: Option<Vec<_>> = numbers.rows.chunks(UNITS).map(half).collect();
        let (mut outputs, mut offsets) = ([[[0; UNITS]; 2]; SETS], [0; SETS]);
        if numbers.outputs.len() != SETS * layout.set() {
            return None;
        }
        for (set, given) in numbers.outputs.chunks(layout.set()).enumerate() {
            let (weights, offset) = given.split_at(2 * UNITS);
            if weights.iter().map(|&weight| i32::from(weight).abs()).sum::<i32>() > MOST_OUTPUT {
                return None;
            }
            outputs[set] = [half(&weights[..UNITS])?, half(&weights[UNITS..])?];
            offsets[set] = i32::from(offset[0]);
        }
        let rows = rows?.into_boxed_slice().try_into().ok()?;
        let network = Self { rows, bias: half(&numbers.bias)?, outputs, offsets };
        network.cannot_overflow(layout).then_some(network)
    }

    /// Returns `true` if no unit can exceed 16 bits.
    fn cannot_overflow(&self, layout: &Layout) -> bool {
        let squares = (0..INPUTS).map(layout.square).max().map_or(0, |most| most + 1);
        let most = |unit: usize| {
            let mut by_square = vec![0; squares];
            for (input, row) in self.rows.iter().enumerate() {
                let largest = &mut by_square[(layout.square)(input)];
                *largest = i32::from(row[unit]).abs().max(*largest);
            }
            i32::from(self.bias[unit]).abs() + by_square.iter().sum::<i32>()
        };
        (0..UNITS).all(|unit| most(unit) <= i32::from(i16::MAX))
    }

    /// Returns a side's view of a position with these inputs: the units before they are clipped.
    #[inline]
    pub fn view(&self, inputs: impl Iterator<Item = usize>) -> [i16; UNITS] {
        let mut view = self.bias;
        inputs.for_each(|input| add(&mut view, &self.rows[input]));
        view
    }

    /// Updates a view from one position to another. Removed inputs are subtracted first, so that no intermediate sum
    /// overflows.
    #[inline]
    pub fn change(&self, view: &mut [i16; UNITS], gone: impl Iterator<Item = usize>, new: impl Iterator<Item = usize>) {
        gone.for_each(|input| {
            view.iter_mut().zip(&self.rows[input]).for_each(|(sum, weight)| *sum = sum.wrapping_sub(*weight));
        });
        new.for_each(|input| add(view, &self.rows[input]));
    }

    /// Returns the view of an empty board.
    pub fn empty_view(&self) -> [i16; UNITS] {
        self.bias
    }

    /// Returns both sides' views in one pass. `mirrored` maps an input of the first view to the corresponding input of
    /// the second view.
    ///
    /// Measured: this is faster than two calls of [`view`](Self::view) if inputs are costly to find (Jump61). It is
    /// slower if both views do not fit the processor's registers (Lines of Action).
    #[inline]
    pub fn views(&self, inputs: impl Iterator<Item = usize>, mirrored: impl Fn(usize) -> usize) -> [[i16; UNITS]; 2] {
        let [mut own, mut enemy] = [self.bias; 2];
        inputs.for_each(|input| {
            add(&mut own, &self.rows[input]);
            add(&mut enemy, &self.rows[mirrored(input)]);
        });
        [own, enemy]
    }

    /// Returns the weighted sum of the active units of a view. `number` is 0 for the own view and 1 for the opponent's.
    #[inline]
    pub fn seen(&self, view: &[i16; UNITS], set: usize, number: usize) -> i32 {
        let weighted = |(&unit, &weight): (&i16, &i16)| {
            let clipped = unit.clamp(0, ACTIVE);
            i32::from(clipped.wrapping_mul(clipped)).wrapping_mul(i32::from(weight))
        };
        view.iter().zip(&self.outputs[set][number]).map(weighted).fold(0, i32::wrapping_add)
    }

    /// Returns the offset of the evaluation; [`TABLE_SCALE`] is a hundredth of a piece.
    #[inline]
    pub fn offset(&self, set: usize) -> i32 {
        self.offsets[set]
    }
}

/// Returns a value in hundredths of a piece: the sum of tables and offset, plus the weighted sum of the units.
#[inline]
pub fn value(tables: i32, seen: i32) -> i32 {
    let sum = i64::from(tables) * PIECE + i64::from(seen) * 100 * i64::from(TABLE_SCALE);
    (sum / (PIECE * i64::from(TABLE_SCALE))) as i32
}

/// Converts a weighted sum of units to hundredths of a piece.
pub fn in_units(seen: i32) -> f64 {
    100.0 * f64::from(seen) / PIECE as f64
}

#[inline]
fn add<const UNITS: usize>(view: &mut [i16; UNITS], row: &[i16; UNITS]) {
    for (sum, weight) in view.iter_mut().zip(row) {
        *sum = sum.wrapping_add(*weight);
    }
}

/// Helpers for the tests of the games.
pub mod testing {
    use super::{ACTIVE, Layout, LearnedNumbers, OUTPUT_SCALE, TABLE_SCALE};
    use game::SplitMix64;

    /// Returns random numbers for a board of this size, small enough not to overflow.
    pub fn numbers(layout: &Layout, size: usize) -> LearnedNumbers {
        let mut rng = SplitMix64::new(3);
        let mut some = |count: usize, most: i32| -> Vec<i16> {
            (0..count).map(|_| (rng.below(2 * most as usize + 1) as i32 - most) as i16).collect()
        };
        LearnedNumbers {
            size,
            table: some((layout.table)(size), 9_000),
            rows: some(layout.inputs * layout.units, 250),
            bias: some(layout.units, 200),
            outputs: some(layout.sets * layout.set(), 400),
        }
    }

    /// Returns the network's contribution to a value, including the offset, in hundredths of a piece, computed in
    /// floating point. `inputs` has the inputs of the own view, then those of the opponent's view.
    pub fn slowly(layout: &Layout, numbers: &LearnedNumbers, set: usize, inputs: &[Vec<usize>; 2]) -> f64 {
        let outputs = &numbers.outputs[set * layout.set()..][..layout.set()];
        let mut sum = f64::from(outputs[2 * layout.units]) / f64::from(TABLE_SCALE);
        for (half, inputs) in inputs.iter().enumerate() {
            for unit in 0..layout.units {
                let row = |&input: &usize| f64::from(numbers.rows[input * layout.units + unit]);
                let units = f64::from(numbers.bias[unit]) + inputs.iter().map(row).sum::<f64>();
                let active = (units / f64::from(ACTIVE)).clamp(0.0, 1.0);
                let weight = f64::from(outputs[half * layout.units + unit]) / f64::from(OUTPUT_SCALE);
                sum += active * active * weight * 100.0;
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout {
        game: "nim",
        sizes: 4..=8,
        table: |size| size,
        inputs: 6,
        units: 2,
        sets: 1,
        square: |input| input % 3,
        mirrored: |input| (input + 3) % 6,
        turned: |input, _| input,
    };

    fn numbers() -> LearnedNumbers {
        let some = |count: usize| (0..count as i16).map(|i| 7 * i - 20).collect();
        LearnedNumbers { size: 5, table: some(5), rows: some(12), bias: some(2), outputs: some(5) }
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let numbers = numbers();
        let bytes = numbers.to_bytes(&LAYOUT, "0123");
        assert_eq!(LearnedNumbers::from_bytes(&LAYOUT, &bytes).as_ref(), Some(&numbers));
        let other = Layout { game: "loa", ..LAYOUT };
        assert_eq!(LearnedNumbers::from_bytes(&other, &bytes), None);
        for wrong in [&bytes[1..], &bytes[..bytes.len() - 2], &bytes[..bytes.len() - 1], b"\n", b""] {
            assert_eq!(LearnedNumbers::from_bytes(&LAYOUT, wrong), None);
        }
        let longer = [&bytes[..], &[0, 0]].concat();
        assert_eq!(LearnedNumbers::from_bytes(&LAYOUT, &longer), None);
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let network = |change: fn(&mut LearnedNumbers)| {
            let mut numbers = numbers();
            change(&mut numbers);
            Network::<6, 2, 1>::new(&LAYOUT, &numbers)
        };
        assert!(network(|_| ()).is_some());
        // The bias of a unit is at most 20, and each of three squares adds the weight of one input.
        assert!(network(|numbers| numbers.rows.fill(10_915)).is_some());
        assert!(network(|numbers| numbers.rows.fill(10_916)).is_none());
        assert!(network(|numbers| numbers.outputs.fill(i16::MIN)).is_none());
        assert!(network(|numbers| numbers.rows.truncate(2)).is_none());
    }
}
