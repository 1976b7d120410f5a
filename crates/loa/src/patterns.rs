//! Sums over the contents of lines, as the side to move sees them: the pattern tables of an evaluation.
//!
//! (M. Buro, "Experiments with multi-ProbCut and a new high-quality evaluation function for Othello", 1997, sums tables
//! over lines of the board. In Lines of Action the lines are also what moves depend on.)

use std::sync::LazyLock;

use game::Position as _;

use crate::Position;
use crate::lines::{Line, turned};

/// A number for each content of each class of lines; [`sum`](Self::sum) adds up those of a position.
///
/// A content is a number in base three: a digit for each square of the line, 1 for a piece of the side to move, 2 for
/// one of its opponent. Lines that a symmetry of the board maps onto each other are one class. A content and its
/// reverse are one entry.
pub struct LineTable {
    size: usize,
    values: Box<[i16; ROOM]>,
}

/// Every offset and content together is below this.
const ROOM: usize = 1 << 16;

/// The lines of a board, with the first entry of their class.
struct Layout {
    /// By the turned board that they lie in.
    lines: [Vec<Line>; 4],
    entries: usize,
    /// For each entry the one that stands for it and its reverse.
    canonical: Vec<u16>,
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
        Self { lines, entries: canonical.len(), canonical }
    }

    /// The number of each line's content.
    fn contents(&self, p: &Position) -> impl Iterator<Item = u16> {
        let us = p.side_to_move();
        let (own, enemy) = (turned(p.pieces(us).0), turned(p.pieces(!us).0));
        (0..4).flat_map(move |i| self.lines[i].iter().map(move |line| line.content(own[i], enemy[i])))
    }
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
        layout.contents(p).map(|content| layout.canonical[usize::from(content)]).collect()
    }

    /// The table for boards of this size with a value for each canonical entry, in order. `None` if there are more or
    /// fewer values than canonical entries.
    ///
    /// # Panics
    /// If the size is not 4 to 8.
    pub fn new(size: usize, canonical: impl IntoIterator<Item = i16>) -> Option<Self> {
        let layout = &LAYOUTS[size];
        let mut given = canonical.into_iter();
        let mut values: Box<[i16; ROOM]> = vec![0; ROOM].try_into().expect("invariant: the room is the room");
        for entry in 0..layout.entries {
            let first = usize::from(layout.canonical[entry]);
            // The canonical entry of a pair comes first.
            values[entry] = if first == entry { given.next()? } else { values[first] };
        }
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
        layout.contents(p).map(|content| i32::from(self.values[usize::from(content)])).sum()
    }
}
