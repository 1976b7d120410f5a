//! Sums over the contents of lines, from the point of view of the side to move: the pattern tables of an evaluation.
//!
//! M. Buro sums tables over lines of the board in Othello ("Experiments with multi-ProbCut and a new high-quality
//! evaluation function for Othello", 1997). In Lines of Action the moves depend on the lines, too.

use std::sync::LazyLock;

use board::Square;
use game::{Position as _, Side};

use crate::lines::{Line, turned};
use crate::position::Position;

/// A table of values for each content of each class of lines. [`sum`](Self::sum) adds up the values of a position's
/// lines.
///
/// A content is a number in base three with a digit for each square of the line: 1 for a piece of the side to move, 2
/// for a piece of the opponent. Lines that a symmetry of the board maps to each other form one class. A content and its
/// reverse share one entry.
pub struct LineTable {
    size: usize,
    /// Values with the first side to move and with the second side to move, indexed by the content from the first
    /// side's view.
    values: Box<[[i16; 2]; ROOM]>,
}

/// The contents of the lines of a position and the sums of their values, updated square by square with
/// [`change`](LineTable::change).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSums {
    /// Contents from the first side's view.
    contents: [u16; LINES],
    /// Sums with the first side to move and with the second side to move.
    sums: [i32; 2],
}

impl LineSums {
    /// Returns the sum of the values of the lines if this side is to move.
    #[inline]
    pub fn sum(&self, side: Side) -> i32 {
        self.sums[side.index()]
    }
}

/// Number of lines on an 8×8 board, plus one for a placeholder that contains no square.
const LINES: usize = 43;

/// Upper bound of every sum of offset and content.
const ROOM: usize = 1 << 16;

/// The lines of a board, and the table entries of their contents.
struct Layout {
    /// Lines, grouped by the rotated board that contains them.
    lines: [Vec<Line>; 4],
    entries: usize,
    /// Canonical entry of each entry: the same for a content and its reverse.
    canonical: Vec<u16>,
    /// For each square, the indices of its lines in the order of `lines`, and the amount that a piece of the first side
    /// on the square adds to their contents. A corner is on three lines, a square outside the board on none.
    through: [[(u8, u16); 4]; 64],
}

static LAYOUTS: LazyLock<[Layout; 9]> = LazyLock::new(|| core::array::from_fn(Layout::new));

impl Layout {
    /// Creates the classes in this order: ranks and files from the edge to the middle, then diagonals from length 2 to
    /// the longest.
    fn new(size: usize) -> Self {
        let n = size as i32;
        let mut classes: Vec<(i32, u16)> = Vec::new();
        let mut canonical = Vec::new();
        let mut class = |length: i32| {
            let first = canonical.len();
            canonical.extend(
                (0..3_usize.pow(length as u32)).map(|content| (first + content.min(reversed(content, length))) as u16),
            );
            classes.push((length, first as u16));
        };
        (0..(n + 1) / 2).for_each(|_| class(n));
        (2..=n).for_each(&mut class);
        let straight = |i: i32| classes[i.min(n - 1 - i) as usize].1;
        let diagonal = |length: i32| classes[((n + 1) / 2 + length - 2) as usize].1;
        let ranks = || (0..n).map(|i| Line::at(i, 0, n, straight(i))).collect();
        let falling = |s: i32| (s + 1).min(2 * n - 1 - s);
        let lines = [
            ranks(),
            ranks(),
            (2 - n..n - 1).map(|d| Line::at(d, (-d).max(0), n - d.abs(), diagonal(n - d.abs()))).collect(),
            (1..2 * n - 2).map(|s| Line::at(s, (s - n + 1).max(0), falling(s), diagonal(falling(s)))).collect(),
        ];
        let through = core::array::from_fn(|square| through(&lines, square));
        Self { lines, entries: canonical.len(), canonical, through }
    }

    /// Returns the contents of an empty board's lines, in order.
    fn empty(&self) -> impl Iterator<Item = u16> {
        self.lines.iter().flatten().map(|line| line.content(0, 0))
    }

    /// Returns the content of each line from a side's view.
    fn contents(&self, p: &Position, side: Side) -> impl Iterator<Item = u16> {
        let (own, enemy) = (turned(p.pieces(side).0), turned(p.pieces(!side).0));
        (0..4).flat_map(move |i| self.lines[i].iter().map(move |line| line.content(own[i], enemy[i])))
    }

    /// Returns each content from the other side's view: with the digits 1 and 2 exchanged.
    fn exchanged(&self) -> Vec<u16> {
        let mut exchanged = vec![0; self.entries];
        // The classes are stored one after the other. The first entry of each class is its empty line.
        let mut firsts: Vec<u16> = self.empty().collect();
        firsts.sort_unstable();
        firsts.dedup();
        let ends = firsts[1..].iter().copied().chain([self.entries as u16]);
        for (first, end) in firsts.iter().copied().zip(ends) {
            exchanged[usize::from(first)] = first;
            for content in 1..end - first {
                // The content without its last digit is smaller, so its entry is already known.
                let others = exchanged[usize::from(first + content / 3)] - first;
                exchanged[usize::from(first + content)] = first + 3 * others + [0, 2, 1][usize::from(content % 3)];
            }
        }
        exchanged
    }
}

/// Returns the lines through a square. A missing line has the index of the placeholder.
fn through(lines: &[Vec<Line>; 4], square: usize) -> [(u8, u16); 4] {
    let boards = turned(1 << square);
    let mut first = 0;
    core::array::from_fn(|i| {
        let adds = |line: &Line| line.content(boards[i], 0) - line.content(0, 0);
        let number = lines[i].iter().position(|line| adds(line) > 0);
        let found = number.map(|number| ((first + number) as u8, adds(&lines[i][number])));
        first += lines[i].len();
        found.unwrap_or((LINES as u8 - 1, 0))
    })
}

/// Returns the content read from the other end of the line.
fn reversed(content: usize, length: i32) -> usize {
    (0..length as u32).fold(0, |reversed, i| 3 * reversed + content / 3_usize.pow(i) % 3)
}

impl LineTable {
    /// Returns the number of entries of a table for a board of this size.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn entries(size: usize) -> usize {
        LAYOUTS[size].entries
    }

    /// Returns the canonical entries in order: one for each pair of a content and its reverse.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn canonical(size: usize) -> impl Iterator<Item = usize> {
        let canonical = LAYOUTS[size].canonical.iter().enumerate();
        canonical.filter(|&(entry, &first)| usize::from(first) == entry).map(|(entry, _)| entry)
    }

    /// Returns the canonical entries of a position, one for each of its lines: 42 on 8×8.
    pub fn of(p: &Position) -> Vec<u16> {
        let layout = &LAYOUTS[p.size()];
        layout.contents(p, p.side_to_move()).map(|content| layout.canonical[usize::from(content)]).collect()
    }

    /// Creates the table for boards of this size from the values of the canonical entries, in order. Returns `None` if
    /// the number of values differs from the number of canonical entries.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn new(size: usize, canonical: impl IntoIterator<Item = i16>) -> Option<Self> {
        let layout = &LAYOUTS[size];
        let mut given = canonical.into_iter();
        let mut own = vec![0; layout.entries];
        for entry in 0..layout.entries {
            let first = usize::from(layout.canonical[entry]);
            // The canonical entry of a pair is the smaller one, so its value is already set.
            own[entry] = if first == entry { given.next()? } else { own[first] };
        }
        let mut values = vec![[0; 2]; ROOM];
        for (entry, other) in layout.exchanged().into_iter().enumerate() {
            values[entry] = [own[entry], own[usize::from(other)]];
        }
        let values = values.try_into().expect("invariant: the vector has `ROOM` entries");
        given.next().is_none().then_some(Self { size, values })
    }

    /// Returns the sum of the values of a position's lines.
    ///
    /// # Panics
    /// In debug builds, if the position's board has another size.
    #[inline]
    pub fn sum(&self, p: &Position) -> i32 {
        debug_assert_eq!(p.size(), self.size, "invariant: the table is for boards of this size");
        let layout = &LAYOUTS[self.size];
        let us = p.side_to_move().index();
        layout.contents(p, Side::First).map(|content| i32::from(self.values[usize::from(content)][us])).sum()
    }

    /// Returns the sums of an empty board.
    pub fn empty(&self) -> LineSums {
        let mut empty = LineSums { contents: [0; LINES], sums: [0; 2] };
        for (content, entry) in empty.contents.iter_mut().zip(LAYOUTS[self.size].empty()) {
            *content = entry;
            (0..2).for_each(|i| empty.sums[i] += i32::from(self.values[usize::from(entry)][i]));
        }
        empty
    }

    /// Updates the sums for a new content of a square. A square outside the board has no effect.
    #[inline]
    pub fn change(&self, sums: &mut LineSums, square: Square, was: Option<Side>, is: Option<Side>) {
        let digit = |side: Option<Side>| side.map_or(0, |side| side.index() as u16 + 1);
        let step = digit(is).wrapping_sub(digit(was));
        for (line, power) in LAYOUTS[self.size].through[square.index()] {
            let content = &mut sums.contents[usize::from(line)];
            let before = self.values[usize::from(*content)];
            *content = content.wrapping_add(step.wrapping_mul(power));
            let after = self.values[usize::from(*content)];
            (0..2).for_each(|i| sums.sums[i] += i32::from(after[i]) - i32::from(before[i]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    #[test]
    fn sums_that_are_changed_square_by_square_are_those_of_the_position() {
        let mut rng = SplitMix64::new(9);
        for size in 4..=8 {
            let some = |rng: &mut SplitMix64| rng.below(2_001) as i16 - 1_000;
            let values: Vec<i16> = LineTable::canonical(size).map(|_| some(&mut rng)).collect();
            let table = LineTable::new(size, values).expect("as many values as canonical entries");
            let mut p = Position::start(size).expect("a size");
            let (mut before, mut sums) = ([None; 64], table.empty());
            for _ in 0..50 {
                for square in p.board() {
                    let is = p.at(square);
                    table.change(&mut sums, square, before[square.index()], is);
                    before[square.index()] = is;
                }
                for side in Side::BOTH {
                    let seen = if p.side_to_move() == side { p } else { p.passed() };
                    assert_eq!(sums.sum(side), table.sum(&seen), "{seen}");
                }
                let Some(m) = p.random_move(&mut rng) else { break };
                p.play(m);
            }
        }
    }
}
