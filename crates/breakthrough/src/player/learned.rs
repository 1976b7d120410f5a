//! The learned evaluation of 8×8 Breakthrough: a table of the neighbourhoods of pieces, a table of the times of arrival
//! on the far rank, and a small network.
//!
//! The first table has a value for the pattern of each piece, which contains the pieces that attack and guard it. The
//! second one has a value for each pair of times of arrival, which estimate how soon each side can win. The inputs of
//! the network are the squares of the pieces; the number of pieces selects its output weights.

use core::fmt;
use std::sync::LazyLock;

use board::{Bitboard, Square};
use game::{Position as _, Side};

use crate::position::Position;

use engine::learned::{Layout, LearnedNumbers, Network, TABLE_SCALE, in_units, value};
use engine::{Breakdown, TermValue};

use super::arrival;
use super::patterns::{PatternTable, seen_by, with_patterns_of};

/// Board size, in squares per side.
pub(super) const SIZE: usize = 8;
/// Number of units of one half of the network.
const UNITS: usize = 64;
/// Number of inputs of one half: that side's pieces by square, then the other side's. Each side's view is oriented so
/// that its own pieces move up the board.
const INPUTS: usize = 128;
/// Number of sets of output weights.
const SETS: usize = 8;
/// Number of pieces below the first set's range. Few games are undecided with so few pieces.
const FEWEST: usize = 8;

/// Difference between the indices of a square and of its mirror image with top and bottom exchanged, as a bit mask.
const UPSIDE_DOWN: usize = 56;
/// Difference between the indices of a square and of its mirror image with left and right exchanged, as a bit mask.
const LEFT_RIGHT: usize = 7;

/// Layout of the numbers: a value for each canonical pattern and for each pair of times of arrival, then the network.
pub const LAYOUT: Layout = Layout {
    game: "breakthrough",
    sizes: SIZE..=SIZE,
    table: |_| kept_entries().count(),
    inputs: INPUTS,
    units: UNITS,
    sets: SETS,
    square: |input| input % 64,
    mirrored: |input| input ^ 64 ^ UPSIDE_DOWN,
    turned,
};

/// Returns the image of an input under a symmetry of the board. Only the mirror image with left and right exchanged
/// preserves the rules, so the other symmetries change nothing.
fn turned(input: usize, symmetry: usize) -> usize {
    if symmetry & 2 == 0 { input } else { input ^ LEFT_RIGHT }
}

/// Built-in evaluation.
static EIGHT: LazyLock<Learned> = LazyLock::new(|| {
    let file = include_bytes!("../../data/breakthrough8.evaluation");
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
});

/// A learned evaluation for 8×8.
pub struct Learned {
    patterns: PatternTable,
    /// Values of the times of arrival.
    arrivals: Box<[i16]>,
    network: Network<INPUTS, UNITS, SETS>,
}

/// The state of an incremental evaluation: both sides' sums of patterns and views of a position. Empty before the first
/// evaluation.
#[derive(Clone, Debug, Default)]
pub struct Accumulator(Option<Seen>);

#[derive(Clone, Debug)]
struct Seen {
    /// Pieces of each side.
    pieces: [Bitboard; 2],
    /// For each side, the sums of the values of its patterns if it is to move and if its opponent is.
    sums: [[i32; 2]; 2],
    /// View of each side, before its units are clipped.
    views: [[i16; UNITS]; 2],
}

impl Accumulator {
    /// Returns the number of squares on which a position differs from the accumulator's.
    #[inline]
    fn distance(&self, p: &Position) -> u32 {
        let now = p.sides();
        let was = self.0.as_ref().map_or([Bitboard::EMPTY; 2], |seen| seen.pieces);
        ((now[0] ^ was[0]) | (now[1] ^ was[1])).count()
    }
}

/// Formats without the numbers.
impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").finish_non_exhaustive()
    }
}

impl Learned {
    /// Returns the built-in evaluation.
    pub fn eight() -> &'static Self {
        &EIGHT
    }

    /// Parses a file; `None` if it is invalid, or its numbers could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(&LearnedNumbers::from_bytes(&LAYOUT, bytes)?)
    }

    /// Creates the evaluation with these numbers; `None` if their count is wrong, or if they could overflow.
    pub fn new(numbers: &LearnedNumbers) -> Option<Self> {
        let (patterns, arrivals) =
            numbers.table.split_at_checked(numbers.table.len().checked_sub(arrival::ENTRIES)?)?;
        let (patterns, network) = (PatternTable::new(patterns)?, Network::new(&LAYOUT, numbers)?);
        Some(Self { patterns, arrivals: arrivals.into(), network })
    }

    /// Returns the value of a position for the side to move, in hundredths of a piece.
    ///
    /// # Panics
    /// If the board has another size, in debug builds.
    #[inline]
    pub fn evaluate(&self, p: &Position) -> i32 {
        let set = set_of(p);
        let [own, enemy] = self.seen(p, set);
        value(self.patterns(p) + self.arrival(p) + self.network.offset(set), own + enemy)
    }

    /// Returns the value of [`evaluate`](Self::evaluate), but computes it from the accumulator of the parent or from
    /// `own`, the accumulator of this ply: from the accumulator that differs from the position on fewer squares.
    /// Afterwards, `own` is the accumulator of the position.
    #[inline]
    pub(super) fn evaluate_near(&self, p: &Position, parent: Option<&Accumulator>, own: &mut Accumulator) -> i32 {
        if let Some(parent) = parent.filter(|parent| parent.distance(p) < own.distance(p)) {
            own.clone_from(parent);
        }
        let seen = own.0.get_or_insert_with(|| self.empty());
        self.change(seen, p);
        let (us, set) = (p.side_to_move(), set_of(p));
        let view = |number, side: Side| self.network.seen(&seen.views[side.index()], set, number);
        let patterns = seen.sums[us.index()][0] + seen.sums[(!us).index()][1];
        value(patterns + self.arrival(p) + self.network.offset(set), view(0, us) + view(1, !us))
    }

    /// Returns the accumulator's contents for an empty board.
    #[cold]
    fn empty(&self) -> Seen {
        Seen { pieces: [Bitboard::EMPTY; 2], sums: [[0; 2]; 2], views: [self.network.empty_view(); 2] }
    }

    /// Updates the contents of an accumulator for another position.
    #[inline]
    fn change(&self, seen: &mut Seen, p: &Position) {
        let now = p.sides();
        let was = core::mem::replace(&mut seen.pieces, now);
        let [gone, new] = [(was, now), (now, was)].map(|(has, lacks)| [has[0] & !lacks[0], has[1] & !lacks[1]]);
        for side in Side::BOTH {
            self.network.change(&mut seen.views[side.index()], numbers(gone, side), numbers(new, side));
            let [before, after] = [was, now].map(|pieces| seen_by(side, pieces));
            let changed = with_patterns_of((before[0] ^ after[0]) | (before[1] ^ after[1]));
            let [lost, won] = [before, after].map(|[own, enemy]| self.patterns.sums(own, enemy, own & changed));
            for (sum, (lost, won)) in seen.sums[side.index()].iter_mut().zip(lost.into_iter().zip(won)) {
                *sum += won - lost;
            }
        }
    }

    /// Returns the value of [`evaluate`](Self::evaluate), part by part.
    pub(super) fn breakdown(&self, p: &Position, early_share: f64) -> Breakdown {
        let set = set_of(p);
        let [own, enemy] = self.seen(p, set);
        let table = |value: i32| f64::from(value) / f64::from(TABLE_SCALE);
        let terms = vec![
            TermValue::whole("SideToMove", "side to move", table(self.network.offset(set))),
            TermValue::whole("Patterns", "learned: neighbourhoods of the pieces", table(self.patterns(p))),
            TermValue::whole("Arrivals", "learned: times of arrival on the far rank", table(self.arrival(p))),
            TermValue::whole("OwnView", "learned: the network's view of the side to move", in_units(own)),
            TermValue::whole("EnemyView", "learned: the network's view of its opponent", in_units(enemy)),
        ];
        Breakdown { early_share, terms, total: self.evaluate(p) }
    }

    /// Returns the weighted sums of both views, that of the side to move first.
    #[inline]
    fn seen(&self, p: &Position, set: usize) -> [i32; 2] {
        debug_assert_eq!(p.size(), SIZE, "invariant: the evaluation is for boards of this size");
        let us = p.side_to_move();
        let view = |number, side| self.network.seen(&self.network.view(inputs(p, side)), set, number);
        [view(0, us), view(1, !us)]
    }

    /// Returns the value of the times of arrival for the side to move.
    #[inline]
    fn arrival(&self, p: &Position) -> i32 {
        i32::from(self.arrivals[arrival::entry(p)])
    }

    /// Returns the sum of the values of all patterns for the side to move.
    #[inline]
    fn patterns(&self, p: &Position) -> i32 {
        let (us, pieces) = (p.side_to_move(), p.sides());
        let sums = |side| {
            let [own, enemy] = seen_by(side, pieces);
            self.patterns.sums(own, enemy, own)
        };
        sums(us)[0] + sums(!us)[1]
    }
}

/// Number of table entries during training: those of the patterns, then those of the times of arrival.
pub const ENTRIES: usize = PatternTable::ENTRIES + arrival::ENTRIES;

/// Returns the table entries of a position, whose values are added up.
pub fn entries(p: &Position) -> impl Iterator<Item = u16> {
    PatternTable::of(p).chain([(PatternTable::ENTRIES + arrival::entry(p)) as u16])
}

/// Returns the table entries that are in the file, in order.
pub fn kept_entries() -> impl Iterator<Item = usize> {
    PatternTable::canonical().chain(PatternTable::ENTRIES..ENTRIES)
}

/// Returns the inputs of a side's view.
#[inline]
pub fn inputs(p: &Position, side: Side) -> impl Iterator<Item = usize> {
    numbers(p.sides(), side)
}

/// Returns the indices of the inputs of a side's view for the pieces of both sides.
#[inline]
fn numbers(pieces: [Bitboard; 2], side: Side) -> impl Iterator<Item = usize> {
    let turn = if side == Side::First { 0 } else { UPSIDE_DOWN };
    let [own, enemy] = [side, !side].map(|side| pieces[side.index()].into_iter().map(Square::index));
    own.map(move |square| square ^ turn).chain(enemy.map(move |square| 64 + (square ^ turn)))
}

/// Returns the index of the output weights for a position. It depends on the number of pieces, which is 32 at the
/// beginning.
#[inline]
pub fn set_of(p: &Position) -> usize {
    ((p.occupied().count() as usize).saturating_sub(FEWEST) / 3).min(SETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::learned::testing::{self, numbers};
    use game::SplitMix64;

    /// Computes the same value in floating point, square by square.
    fn slowly(numbers: &LearnedNumbers, p: &Position) -> f64 {
        let us = p.side_to_move();
        let inputs = [us, !us].map(|side| {
            let input = |square: Square| {
                let rank = if side == Side::First { square.rank() } else { 7 - square.rank() };
                let place = 8 * usize::from(rank) + usize::from(square.file());
                Some(place + if p.at(square)? == side { 0 } else { 64 })
            };
            p.board().into_iter().filter_map(input).collect()
        });
        let kept: Vec<usize> = kept_entries().collect();
        let value = |entry: u16| {
            let place = kept.binary_search(&usize::from(entry)).expect("an entry of the file");
            f64::from(numbers.table[place])
        };
        let tables: f64 = entries(p).map(value).sum();
        tables / f64::from(TABLE_SCALE) + testing::slowly(&LAYOUT, numbers, set_of(p), &inputs)
    }

    /// Evaluates each position with accumulators that belong to unrelated positions.
    #[test]
    fn the_value_does_not_depend_on_what_was_evaluated_before() {
        let learned = Learned::new(&numbers(&LAYOUT, SIZE)).expect("numbers that fit");
        let mut rng = SplitMix64::new(5);
        let mut accumulators = [Accumulator::default(), Accumulator::default(), Accumulator::default()];
        for _ in 0..30 {
            let mut p = Position::start(SIZE).expect("a size");
            while let Some(m) = p.random_move(&mut rng).filter(|_| p.decided().is_none()) {
                p.play(m);
                let next = rng.below(3);
                let (before, rest) = accumulators.split_at_mut(next);
                assert_eq!(learned.evaluate_near(&p, before.last(), &mut rest[0]), learned.evaluate(&p), "{p}");
                // Null moves.
                let passed = p.passed();
                assert_eq!(learned.evaluate_near(&passed, None, &mut rest[0]), learned.evaluate(&passed), "{p}");
            }
        }
    }

    #[test]
    fn the_value_is_the_sum_of_tables_and_network() {
        let numbers = numbers(&LAYOUT, SIZE);
        let learned = Learned::new(&numbers).expect("numbers that fit");
        let mut sets = [false; SETS];
        for seed in 0..40 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(SIZE).expect("a size");
            while let Some(m) = p.random_move(&mut rng).filter(|_| p.decided().is_none()) {
                p.play(m);
                let (value, slow) = (f64::from(learned.evaluate(&p)), slowly(&numbers, &p));
                assert!((value - slow).abs() < 1.1, "{value} {slow}\n{p}");
                sets[set_of(&p)] = true;
            }
        }
        assert!(sets.iter().filter(|&&is_used| is_used).count() >= SETS / 2, "{sets:?}");
    }
}
