//! Sums over the contents of lines, as the side to move sees them: the pattern tables of an evaluation.
//!
//! (M. Buro, "Experiments with multi-ProbCut and a new high-quality evaluation function for Othello", 1997, sums tables
//! over lines of the board. In Lines of Action the lines are also what moves depend on.)

use std::sync::LazyLock;

use game::{Position as _, Side};

use crate::lines::{Line, turned};
use crate::{Position, Square};

/// A number for each content of each class of lines; [`sum`](Self::sum) adds up those of a position.
///
/// A content is a number in base three: a digit for each square of the line, 1 for a piece of the side to move, 2 for
/// one of its opponent. Lines that a symmetry of the board maps onto each other are one class. A content and its
/// reverse are one entry.
pub struct LineTable {
    size: usize,
    /// By a content as the first side sees it: its value for the first side, and for the second.
    values: Box<[[i16; 2]; ROOM]>,
}

/// What stands on the lines of a position and what it is worth, changed square by square:
/// [`change`](LineTable::change).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSums {
    /// As the first side sees them.
    contents: [u16; LINES],
    /// For each side.
    sums: [i32; 2],
}

impl LineSums {
    /// The sum of the values of the lines as this side sees them when it is to move.
    #[inline]
    pub fn sum(&self, side: Side) -> i32 {
        self.sums[side.index()]
    }
}

/// Lines on 8×8, and one that no square lies on.
const LINES: usize = 43;

/// Every offset and content together is below this.
const ROOM: usize = 1 << 16;

/// The lines of a board, with the first entry of their class.
struct Layout {
    /// By the turned board that they lie in.
    lines: [Vec<Line>; 4],
    entries: usize,
    /// For each entry the one that stands for it and its reverse.
    canonical: Vec<u16>,
    /// For each square the numbers of its lines, in the order of `lines`, and what a piece of the first side on the
    /// square adds to their contents. A corner lies on three lines, a square off the board on none.
    through: [[(u8, u16); 4]; 64],
}

static LAYOUTS: LazyLock<[Layout; 9]> = LazyLock::new(|| core::array::from_fn(Layout::new));

impl Layout {
    /// Classes in order: ranks and files from the edge to the middle, then diagonals from length 2 to the longest.
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

    /// The contents of an empty board's lines, in order.
    fn empty(&self) -> impl Iterator<Item = u16> {
        self.lines.iter().flatten().map(|line| line.content(0, 0))
    }

    /// The number of each line's content, as a side sees it.
    fn contents(&self, p: &Position, side: Side) -> impl Iterator<Item = u16> {
        let (own, enemy) = (turned(p.pieces(side).0), turned(p.pieces(!side).0));
        (0..4).flat_map(move |i| self.lines[i].iter().map(move |line| line.content(own[i], enemy[i])))
    }

    /// Each content as the other side sees it: ones for twos and twos for ones.
    fn exchanged(&self) -> Vec<u16> {
        let mut exchanged = vec![0; self.entries];
        // Classes follow each other; the first entry of each is its empty line.
        let mut firsts: Vec<u16> = self.empty().collect();
        firsts.sort_unstable();
        firsts.dedup();
        let ends = firsts[1..].iter().copied().chain([self.entries as u16]);
        for (first, end) in firsts.iter().copied().zip(ends) {
            exchanged[usize::from(first)] = first;
            for content in 1..end - first {
                // The last digit, after those before it, which are a smaller content.
                let others = exchanged[usize::from(first + content / 3)] - first;
                exchanged[usize::from(first + content)] = first + 3 * others + [0, 2, 1][usize::from(content % 3)];
            }
        }
        exchanged
    }
}

/// The lines through a square; the last number stands for none.
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

/// A content read from the other end of the line.
fn reversed(content: usize, length: i32) -> usize {
    (0..length as u32).fold(0, |reversed, i| 3 * reversed + content / 3_usize.pow(i) % 3)
}

impl LineTable {
    /// How many entries a table for a board of this size has.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn entries(size: usize) -> usize {
        LAYOUTS[size].entries
    }

    /// The entries whose values count, in order: one of each content and its reverse.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn canonical(size: usize) -> impl Iterator<Item = usize> {
        let canonical = LAYOUTS[size].canonical.iter().enumerate();
        canonical.filter(|&(entry, &first)| usize::from(first) == entry).map(|(entry, _)| entry)
    }

    /// The entries of a position, one for each of its lines: 42 on 8×8.
    pub fn of(p: &Position) -> Vec<u16> {
        let layout = &LAYOUTS[p.size()];
        layout.contents(p, p.side_to_move()).map(|content| layout.canonical[usize::from(content)]).collect()
    }

    /// The table for boards of this size with a value for each canonical entry, in order. `None` if there are more or
    /// fewer values than canonical entries.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn new(size: usize, canonical: impl IntoIterator<Item = i16>) -> Option<Self> {
        let layout = &LAYOUTS[size];
        let mut given = canonical.into_iter();
        let mut own = vec![0; layout.entries];
        for entry in 0..layout.entries {
            let first = usize::from(layout.canonical[entry]);
            // The canonical entry of a pair comes first.
            own[entry] = if first == entry { given.next()? } else { own[first] };
        }
        let mut values = vec![[0; 2]; ROOM];
        for (entry, other) in layout.exchanged().into_iter().enumerate() {
            values[entry] = [own[entry], own[usize::from(other)]];
        }
        let values = values.try_into().expect("invariant: the room is the room");
        given.next().is_none().then_some(Self { size, values })
    }

    /// The sum of the values of a position's lines.
    ///
    /// # Panics
    /// If the position's board has another size, in debug builds.
    #[inline]
    pub fn sum(&self, p: &Position) -> i32 {
        debug_assert_eq!(p.size(), self.size, "invariant: the table is for boards of this size");
        let layout = &LAYOUTS[self.size];
        let us = p.side_to_move().index();
        layout.contents(p, Side::First).map(|content| i32::from(self.values[usize::from(content)][us])).sum()
    }

    /// The sums of an empty board.
    pub fn empty(&self) -> LineSums {
        let mut empty = LineSums { contents: [0; LINES], sums: [0; 2] };
        for (content, entry) in empty.contents.iter_mut().zip(LAYOUTS[self.size].empty()) {
            *content = entry;
            (0..2).for_each(|i| empty.sums[i] += i32::from(self.values[usize::from(entry)][i]));
        }
        empty
    }

    /// Changes the sums to those of a board on which something else stands on a square. A square off the board changes
    /// nothing.
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
