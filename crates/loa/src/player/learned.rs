//! The learned evaluation of Lines of Action: tables of the contents of lines, and a small network.
//!
//! The tables have a value for the content of each line, which determines how far its pieces move. The inputs of the
//! network are the squares of the pieces; the number of pieces selects its output weights.

use core::fmt;
use std::sync::LazyLock;

use board::{Bitboard, Square};
use game::{Position as _, Side};

use crate::patterns::{LineSums, LineTable};
use crate::position::Position;

use engine::learned::{Layout, LearnedNumbers, Network, TABLE_SCALE, in_units, turned_square, value};
use engine::{Breakdown, TermValue};

/// Number of units of one half of the network.
const UNITS: usize = 64;
/// Number of inputs of one half: that side's pieces by [square](board::Square::index), then the other side's.
const INPUTS: usize = 128;
/// Number of sets of output weights.
const SETS: usize = 4;

/// Layout of the numbers: a value for each canonical entry of [`LineTable`], then the network.
pub const LAYOUT: Layout = Layout {
    game: "loa",
    sizes: 4..=8,
    table: |size| LineTable::canonical(size).count(),
    inputs: INPUTS,
    units: UNITS,
    sets: SETS,
    square: |input| input % 64,
    mirrored: |input| input ^ 64,
    turned,
};

/// Returns the image of an input under a symmetry of the 8×8 board. Squares have the same numbers on boards of every
/// size.
fn turned(input: usize, symmetry: usize) -> usize {
    input & 64 | turned_square(8, input % 64, symmetry)
}

/// Evaluation that was trained for 6×6.
static SIX: LazyLock<Learned> = LazyLock::new(|| parsed(include_bytes!("../../data/loa6.evaluation")));
/// Evaluation that was trained for 8×8.
static EIGHT: LazyLock<Learned> = LazyLock::new(|| parsed(include_bytes!("../../data/loa8.evaluation")));

fn parsed(file: &[u8]) -> Learned {
    Learned::from_bytes(file).expect("invariant: the file is part of the program")
}

/// A learned evaluation for boards of one size.
pub struct Learned {
    size: usize,
    lines: LineTable,
    network: Network<INPUTS, UNITS, SETS>,
}

/// The state of an incremental evaluation: the contents of a position's lines and both sides' views. Empty before the
/// first evaluation.
#[derive(Clone, Debug, Default)]
pub struct Accumulator(Option<Seen>);

#[derive(Clone, Debug)]
struct Seen {
    /// Pieces of each side.
    pieces: [Bitboard; 2],
    lines: LineSums,
    /// View of each side, before its units are clipped.
    views: [[i16; UNITS]; 2],
}

impl Accumulator {
    /// Returns the number of squares on which a position differs from the accumulator's.
    #[inline]
    fn distance(&self, p: &Position) -> u32 {
        let now = pieces(p);
        let was = self.0.as_ref().map_or([Bitboard::EMPTY; 2], |seen| seen.pieces);
        ((now[0] ^ was[0]) | (now[1] ^ was[1])).count()
    }
}

/// Returns the pieces of each side.
#[inline]
fn pieces(p: &Position) -> [Bitboard; 2] {
    Side::BOTH.map(|side| p.pieces(side))
}

/// Formats only the size, not the numbers.
impl fmt::Debug for Learned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learned").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Learned {
    /// Returns the built-in evaluation for boards of this size, if there is one. The first call for a size parses its
    /// file.
    #[inline]
    pub fn built_in(size: usize) -> Option<&'static Self> {
        match size {
            6 => Some(&SIX),
            8 => Some(&EIGHT),
            _ => None,
        }
    }

    /// Returns the supported board size, in squares per side.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Parses a file; `None` if it is invalid, or its numbers could overflow.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        Self::new(&LearnedNumbers::from_bytes(&LAYOUT, bytes)?)
    }

    /// Creates the evaluation with these numbers; `None` if their count is wrong, or if they could overflow.
    pub fn new(numbers: &LearnedNumbers) -> Option<Self> {
        let lines = LineTable::new(numbers.size, numbers.table.iter().copied())?;
        Some(Self { size: numbers.size, lines, network: Network::new(&LAYOUT, numbers)? })
    }

    /// Returns the value of a position for the side to move, in hundredths of a piece.
    ///
    /// # Panics
    /// If the board has another size, in debug builds.
    #[inline]
    pub fn evaluate(&self, p: &Position) -> i32 {
        let us = p.side_to_move();
        let set = set_of(p);
        let seen: i32 = [us, !us].into_iter().enumerate().map(|(i, side)| self.seen(p, side, set, i)).sum();
        value(self.lines.sum(p) + self.network.offset(set), seen)
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
        let us = p.side_to_move();
        let set = set_of(p);
        let view = |(i, side): (usize, Side)| self.network.seen(&seen.views[side.index()], set, i);
        let views: i32 = [us, !us].into_iter().enumerate().map(view).sum();
        value(seen.lines.sum(us) + self.network.offset(set), views)
    }

    /// Returns the accumulator's contents for an empty board.
    #[cold]
    fn empty(&self) -> Seen {
        Seen { pieces: [Bitboard::EMPTY; 2], lines: self.lines.empty(), views: [self.network.empty_view(); 2] }
    }

    /// Updates the contents of an accumulator for another position.
    #[inline]
    fn change(&self, seen: &mut Seen, p: &Position) {
        let now = pieces(p);
        let was = core::mem::replace(&mut seen.pieces, now);
        let on = |pieces: [Bitboard; 2], square| Side::BOTH.into_iter().find(|side| pieces[side.index()].has(square));
        for square in (now[0] ^ was[0]) | (now[1] ^ was[1]) {
            self.lines.change(&mut seen.lines, square, on(was, square), on(now, square));
        }
        let [gone, new] = [(was, now), (now, was)].map(|(has, lacks)| [has[0] & !lacks[0], has[1] & !lacks[1]]);
        for side in Side::BOTH {
            let inputs = |pieces: [Bitboard; 2]| numbers(pieces[side.index()], pieces[(!side).index()]);
            self.network.change(&mut seen.views[side.index()], inputs(gone), inputs(new));
        }
    }

    /// Returns the value of [`evaluate`](Self::evaluate), part by part.
    pub(super) fn breakdown(&self, p: &Position, early_share: f64) -> Breakdown {
        let us = p.side_to_move();
        let set = set_of(p);
        let seen = |side, i| in_units(self.seen(p, side, set, i));
        let table = |value: i32| f64::from(value) / f64::from(TABLE_SCALE);
        let terms = vec![
            TermValue::whole("SideToMove", "side to move", table(self.network.offset(set))),
            TermValue::whole("Lines", "learned: contents of the lines", table(self.lines.sum(p))),
            TermValue::whole("OwnView", "learned: the network's view of the side to move", seen(us, 0)),
            TermValue::whole("EnemyView", "learned: the network's view of its opponent", seen(!us, 1)),
        ];
        Breakdown { early_share, terms, total: self.evaluate(p) }
    }

    /// Returns the weighted sum of a side's view.
    #[inline]
    fn seen(&self, p: &Position, side: Side, set: usize, number: usize) -> i32 {
        debug_assert_eq!(p.size(), self.size, "invariant: the evaluation is for boards of this size");
        self.network.seen(&self.network.view(inputs(p, side)), set, number)
    }
}

/// Returns the inputs of a side's view.
#[inline]
pub fn inputs(p: &Position, side: Side) -> impl Iterator<Item = usize> {
    numbers(p.pieces(side), p.pieces(!side))
}

/// Returns the indices of the inputs for a side's own pieces and its opponent's.
#[inline]
fn numbers(own: Bitboard, enemy: Bitboard) -> impl Iterator<Item = usize> {
    own.into_iter().map(Square::index).chain(enemy.into_iter().map(|square| 64 + square.index()))
}

/// Returns the index of the output weights for a position. It depends on the number of pieces, which is at most 24 in a
/// game on 8×8.
#[inline]
pub fn set_of(p: &Position) -> usize {
    ((p.occupied().count() as usize).saturating_sub(6) * SETS / 19).min(SETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::learned::testing::{self, numbers};
    use game::SplitMix64;

    /// Computes the same value in floating point, square by square.
    fn slowly(numbers: &LearnedNumbers, p: &Position) -> f64 {
        let us = p.side_to_move();
        let canonical: Vec<usize> = LineTable::canonical(numbers.size).collect();
        let value = |entry: &u16| {
            let place = canonical.binary_search(&usize::from(*entry)).expect("canonical");
            f64::from(numbers.table[place])
        };
        let tables: f64 = LineTable::of(p).iter().map(value).sum();
        let inputs = [us, !us].map(|side| {
            let input = |square: board::Square| Some(square.index() + if p.at(square)? == side { 0 } else { 64 });
            p.board().into_iter().filter_map(input).collect()
        });
        tables / f64::from(TABLE_SCALE) + testing::slowly(&LAYOUT, numbers, set_of(p), &inputs)
    }

    /// Evaluates each position with accumulators that belong to unrelated positions.
    #[test]
    fn the_value_does_not_depend_on_what_was_evaluated_before() {
        for size in [6, 8] {
            check_accumulators(size);
        }
    }

    fn check_accumulators(size: usize) {
        let learned = Learned::new(&numbers(&LAYOUT, size)).expect("numbers that fit");
        let mut rng = SplitMix64::new(5);
        let mut accumulators = [Accumulator::default(), Accumulator::default(), Accumulator::default()];
        for _ in 0..30 {
            let mut p = Position::start(size).expect("a size");
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
        for seed in 0..20 {
            let size = [6, 8][seed as usize % 2];
            let numbers = numbers(&LAYOUT, size);
            let learned = Learned::new(&numbers).expect("numbers that fit");
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(size).expect("a size");
            for _ in 0..60 {
                let (value, slow) = (f64::from(learned.evaluate(&p)), slowly(&numbers, &p));
                assert!((value - slow).abs() < 1.1, "{value} {slow}\n{p}");
                let moves = p.movable();
                let Some(&m) = rng.choose(&moves) else { break };
                p.play(m);
            }
        }
    }
}
