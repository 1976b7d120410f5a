//! The learned evaluation of Lines of Action: tables of the contents of lines, and a small network.
//!
//! Both are trained on games that the player played against itself (`docs/engine.md`). All numbers are integers, so
//! that every machine computes the same values.
//!
//! The tables know what stands on each line, and so how far every piece on it may go. The network sees on which squares
//! the pieces stand. It has two halves with the same weights, one for each side's view. Their units are clipped and
//! squared; the number of pieces selects one of several sets of output weights. (After Y. Nasu, "Efficiently updatable
//! neural-network-based evaluation functions for computer shogi", 2018, and its descendants in chess.)

use core::fmt;
use std::sync::LazyLock;

use game::{Position as _, Side};
use loa::{LineTable, Position};

use crate::evaluation::{Breakdown, TermValue};

/// Units of one half of the network.
pub const UNITS: usize = 64;
/// Inputs of one half: that side's pieces by [square](loa::Square::index), then the other side's.
pub const INPUTS: usize = 128;
/// Sets of output weights.
pub const SETS: usize = 4;
/// A unit that is fully active. Its square fits 16 bits with a sign.
pub const ACTIVE: i16 = 181;
/// An output weight of one piece.
pub const OUTPUT_SCALE: i32 = 128;
/// Values of the tables and offsets are stored in this part of a hundredth of a piece.
pub const TABLE_SCALE: i32 = 64;

/// The evaluation that was trained for 8×8.
static EIGHT: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_bytes!("../../data/loa8.evaluation");
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
});

/// One half of the network before its units are clipped.
type Half = [i16; UNITS];

/// A learned evaluation for boards of one size.
pub struct Learned {
    size: usize,
    lines: LineTable,
    rows: Box<[Half; INPUTS]>,
    bias: Half,
    /// For each set the weights of the own half and of the opponent's.
    outputs: [[Half; 2]; SETS],
    offsets: [i32; SETS],
}

/// Names the size, but does not print the numbers.
impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").field("size", &self.size).finish_non_exhaustive()
    }
}

/// The numbers of a learned evaluation, as its file has them after the first line: 16-bit numbers, the low byte first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LearnedNumbers {
    /// Squares a side.
    pub size: usize,
    /// A value for each canonical entry of [`LineTable`], in [`TABLE_SCALE`]s of a hundredth of a piece.
    pub table: Vec<i16>,
    /// For each of the [`INPUTS`] what it adds to the [`UNITS`]; [`ACTIVE`] is a whole unit.
    pub rows: Vec<i16>,
    /// What each unit begins with.
    pub bias: Vec<i16>,
    /// For each of the [`SETS`]: the weights of the own units and of the opponent's, in [`OUTPUT_SCALE`]s of a piece,
    /// and an offset, in [`TABLE_SCALE`]s of a hundredth of a piece.
    pub outputs: Vec<i16>,
}

/// A piece as a weighted sum of units.
const PIECE: i64 = ACTIVE as i64 * ACTIVE as i64 * OUTPUT_SCALE as i64;

/// The largest sum of the output weights of a set that cannot overflow.
const MOST_OUTPUT: i32 = i32::MAX / (ACTIVE as i32 * ACTIVE as i32);

impl LearnedNumbers {
    /// The file: a line with the format, the size and the hash of the recipe in hexadecimal digits, then the numbers.
    pub fn to_bytes(&self, recipe: &str) -> Vec<u8> {
        let mut bytes = format!("{MAGIC} {} {recipe}\n", self.size).into_bytes();
        let numbers = [&self.table, &self.rows, &self.bias, &self.outputs].into_iter().flatten();
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Reads the file. `None` if it is no such file.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let end = bytes.iter().position(|&byte| byte == b'\n')?;
        let head = core::str::from_utf8(&bytes[..end]).ok()?.strip_prefix(MAGIC)?;
        let size = head.split_whitespace().next()?.parse().ok().filter(|size| (4..=8).contains(size))?;
        let body = &bytes[end + 1..];
        if !body.len().is_multiple_of(2) {
            return None;
        }
        let mut numbers = body.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut take = |count: usize| {
            let taken: Vec<i16> = numbers.by_ref().take(count).collect();
            (taken.len() == count).then_some(taken)
        };
        let read = Self {
            size,
            table: take(LineTable::canonical(size).count())?,
            rows: take(INPUTS * UNITS)?,
            bias: take(UNITS)?,
            outputs: take(SETS * (2 * UNITS + 1))?,
        };
        numbers.next().is_none().then_some(read)
    }
}

const MAGIC: &str = "plyhouse-evaluation 1 loa";

impl Learned {
    /// The evaluation that was trained for 8×8.
    pub fn eight() -> &'static Self {
        &EIGHT
    }

    /// Squares a side of the boards that it is for.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The evaluation of a file. `None` if it is no such file, or its numbers could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(&LearnedNumbers::from_bytes(bytes)?)
    }

    /// The evaluation with these numbers. `None` if there are too many or too few, or they could overflow.
    pub fn new(numbers: &LearnedNumbers) -> Option<Self> {
        let half = |numbers: &[i16]| Half::try_from(numbers).ok();
        let rows: Option<Vec<Half>> = numbers.rows.chunks(UNITS).map(half).collect();
        let (mut outputs, mut offsets) = ([[[0; UNITS]; 2]; SETS], [0; SETS]);
        if numbers.outputs.len() != SETS * (2 * UNITS + 1) {
            return None;
        }
        for (set, given) in numbers.outputs.chunks(2 * UNITS + 1).enumerate() {
            let (weights, offset) = given.split_at(2 * UNITS);
            if weights.iter().map(|&weight| i32::from(weight).abs()).sum::<i32>() > MOST_OUTPUT {
                return None;
            }
            outputs[set] = [half(&weights[..UNITS])?, half(&weights[UNITS..])?];
            offsets[set] = i32::from(offset[0]);
        }
        let learned = Self {
            size: numbers.size,
            lines: LineTable::new(numbers.size, numbers.table.iter().copied())?,
            rows: rows?.into_boxed_slice().try_into().ok()?,
            bias: half(&numbers.bias)?,
            outputs,
            offsets,
        };
        learned.cannot_overflow().then_some(learned)
    }

    /// Whether no unit can leave 16 bits: no more than 64 pieces stand on the board, each on a square of its own.
    fn cannot_overflow(&self) -> bool {
        let most = |unit: usize| {
            let larger = |square: usize| {
                let of = |row: &Half| i32::from(row[unit]).abs();
                of(&self.rows[square]).max(of(&self.rows[64 + square]))
            };
            i32::from(self.bias[unit]).abs() + (0..64).map(larger).sum::<i32>()
        };
        (0..UNITS).all(|unit| most(unit) <= i32::from(i16::MAX))
    }

    /// The value of a position for the side to move, in hundredths of a piece.
    ///
    /// # Panics
    /// If the board has another size, in debug builds.
    #[inline]
    pub fn evaluate(&self, p: &Position) -> i32 {
        let us = p.side_to_move();
        let set = set_of(p);
        let seen: i32 = [us, !us].into_iter().enumerate().map(|(i, side)| self.seen(p, side, set, i)).sum();
        let tables = i64::from(self.lines.sum(p) + self.offsets[set]) * PIECE;
        ((tables + i64::from(seen) * 100 * i64::from(TABLE_SCALE)) / (PIECE * i64::from(TABLE_SCALE))) as i32
    }

    /// The same, part by part.
    pub(super) fn breakdown(&self, p: &Position, early_share: f64) -> Breakdown {
        let us = p.side_to_move();
        let set = set_of(p);
        let seen = |side, i| 100.0 * f64::from(self.seen(p, side, set, i)) / PIECE as f64;
        let table = |value: i32| f64::from(value) / f64::from(TABLE_SCALE);
        let term = |id, name, share: f64| TermValue { id, name, value: 1, early: share, late: share, weight: share };
        let terms = vec![
            term("SideToMove", "side to move", table(self.offsets[set])),
            term("Lines", "learned: what stands on each line", table(self.lines.sum(p))),
            term("OwnView", "learned: the network's view of the side to move", seen(us, 0)),
            term("EnemyView", "learned: the network's view of its opponent", seen(!us, 1)),
        ];
        Breakdown { early_share, terms, total: self.evaluate(p) }
    }

    /// The weighted sum of a side's view.
    #[inline]
    fn seen(&self, p: &Position, side: Side, set: usize, half: usize) -> i32 {
        activity(&self.half(p, side), &self.outputs[set][half])
    }

    /// A side's view of the position.
    #[inline]
    fn half(&self, p: &Position, side: Side) -> Half {
        debug_assert_eq!(p.size(), self.size, "invariant: the evaluation is for boards of this size");
        let mut half = self.bias;
        for square in p.pieces(side) {
            add(&mut half, &self.rows[square.index()]);
        }
        for square in p.pieces(!side) {
            add(&mut half, &self.rows[64 + square.index()]);
        }
        half
    }
}

/// The set of output weights for a position: by its number of pieces, which is 24 or less in a game on 8×8.
#[inline]
pub fn set_of(p: &Position) -> usize {
    ((p.occupied().count() as usize).saturating_sub(6) * SETS / 19).min(SETS - 1)
}

#[inline]
fn add(half: &mut Half, row: &Half) {
    for (sum, weight) in half.iter_mut().zip(row) {
        *sum += weight;
    }
}

/// The weighted sum of the clipped and squared units.
#[inline]
fn activity(half: &Half, weights: &Half) -> i32 {
    let weighted = |(&unit, &weight): (&i16, &i16)| {
        let clipped = unit.clamp(0, ACTIVE);
        i32::from(clipped * clipped) * i32::from(weight)
    };
    half.iter().zip(weights).map(weighted).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    fn numbers() -> LearnedNumbers {
        let mut rng = SplitMix64::new(3);
        let mut some = |count: usize, most: i32| -> Vec<i16> {
            (0..count).map(|_| (rng.below(2 * most as usize + 1) as i32 - most) as i16).collect()
        };
        LearnedNumbers {
            size: 8,
            table: some(LineTable::canonical(8).count(), 9_000),
            rows: some(INPUTS * UNITS, 250),
            bias: some(UNITS, 200),
            outputs: some(SETS * (2 * UNITS + 1), 400),
        }
    }

    /// The same sums in floating point, square by square.
    fn slowly(numbers: &LearnedNumbers, p: &Position) -> f64 {
        let us = p.side_to_move();
        let canonical: Vec<usize> = LineTable::canonical(8).collect();
        let value = |entry: &u16| {
            let place = canonical.binary_search(&usize::from(*entry)).expect("canonical");
            f64::from(numbers.table[place])
        };
        let mut sum: f64 = LineTable::of(p).iter().map(value).sum();
        let set = &numbers.outputs[set_of(p) * (2 * UNITS + 1)..][..=2 * UNITS];
        sum += f64::from(set[2 * UNITS]);
        for (half, side) in [us, !us].into_iter().enumerate() {
            for unit in 0..UNITS {
                let mut active = f64::from(numbers.bias[unit]);
                for square in p.board() {
                    let Some(owner) = p.at(square) else { continue };
                    let input = square.index() + if owner == side { 0 } else { 64 };
                    active += f64::from(numbers.rows[input * UNITS + unit]);
                }
                let active = (active / f64::from(ACTIVE)).clamp(0.0, 1.0);
                let weight = f64::from(set[half * UNITS + unit]) / f64::from(OUTPUT_SCALE);
                sum += active * active * weight * 100.0 * f64::from(TABLE_SCALE);
            }
        }
        sum / f64::from(TABLE_SCALE)
    }

    #[test]
    fn the_value_is_the_sum_of_tables_and_network() {
        let numbers = numbers();
        let learned = Learned::new(&numbers).expect("numbers that fit");
        for seed in 0..20 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(8).expect("a size");
            for _ in 0..60 {
                let (value, slow) = (f64::from(learned.evaluate(&p)), slowly(&numbers, &p));
                assert!((value - slow).abs() < 1.1, "{value} {slow}\n{p}");
                let moves = p.movable();
                let Some(&m) = rng.choose(&moves) else { break };
                p.play(m);
            }
        }
    }

    #[test]
    fn a_file_comes_back_as_it_was_written() {
        let numbers = numbers();
        let bytes = numbers.to_bytes("0123");
        assert_eq!(LearnedNumbers::from_bytes(&bytes).as_ref(), Some(&numbers));
        for wrong in [&bytes[1..], &bytes[..bytes.len() - 2], &bytes[..bytes.len() - 1], b"\n", b""] {
            assert_eq!(LearnedNumbers::from_bytes(wrong), None);
        }
        let longer = [&bytes[..], &[0, 0]].concat();
        assert_eq!(LearnedNumbers::from_bytes(&longer), None);
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let refused = |change: fn(&mut LearnedNumbers)| {
            let mut numbers = numbers();
            change(&mut numbers);
            Learned::new(&numbers).is_none()
        };
        assert!(refused(|numbers| numbers.rows.fill(600)));
        assert!(refused(|numbers| numbers.outputs.fill(i16::MIN)));
        assert!(refused(|numbers| numbers.table.truncate(9)));
        assert!(refused(|numbers| numbers.rows.truncate(UNITS)));
    }
}
