//! Counts the moves in all positions after one move, without playing the moves.
//!
//! A move changes seven lines: four lines pass through each of its two squares, and the two squares share one. After a
//! move, the opponent has as many legal moves as on the current board, plus the differences on these lines. The
//! differences for lifting a piece from a square and for placing one on a square are the same for every such
//! move, so they are computed once. Only the shared line is looked up for each move.

use core::array;
use core::ops::ControlFlow;
use std::sync::LazyLock;

use board::{Bitboard, Square};
use game::Position as _;

use crate::connect::{fill, is_connected};
use crate::lines::{Counts, Line, counts, turned};
use crate::moves;
use crate::moves::Move;
use crate::position::Position;

/// Number of lines of the largest board, including lines of a single square.
const LINES: usize = 46;

/// A line through a square.
#[derive(Clone, Copy, Default)]
struct Crossing {
    /// Index of the line.
    line: u8,
    /// Amount that a digit 1 on the square adds to the line's content.
    unit: u16,
}

/// The lines of a board of one size.
struct Geometry {
    /// Lines, each with the index of the rotated board that contains it.
    lines: Vec<(usize, Line)>,
    /// Lines by square, in the order of directions: file, rising diagonal, rank, falling diagonal.
    through: [[Crossing; 4]; 64],
}

static GEOMETRIES: LazyLock<[Geometry; 9]> = LazyLock::new(|| array::from_fn(Geometry::new));

impl Geometry {
    fn new(size: usize) -> Self {
        let n = size as i32;
        let mut lines: Vec<(usize, Line)> = Vec::new();
        let mut through = [[Crossing::default(); 4]; 64];
        for square in Bitboard::board(size) {
            let (file, rank) = (i32::from(square.file()), i32::from(square.rank()));
            let (rising, falling) = (rank - file, rank + file);
            // For each line: index of its rotated board, byte, first bit, length, and bit of the square.
            let crossings = [
                (1, file, 0, n, rank),
                (2, rising, (-rising).max(0), n - rising.abs(), file),
                (0, rank, 0, n, file),
                (3, falling, (falling - n + 1).max(0), (falling + 1).min(2 * n - 1 - falling), file),
            ];
            through[square.index()] = crossings.map(|(board, byte, from, length, bit)| {
                let line = (board, Line::new(byte, from, length));
                let number = lines.iter().position(|&known| known == line).unwrap_or_else(|| {
                    lines.push(line);
                    lines.len() - 1
                });
                Crossing { line: number as u8, unit: 3_u16.pow((bit - from) as u32) }
            });
        }
        Self { lines, through }
    }
}

/// The change in the number of moves due to a change of one square.
#[derive(Clone, Copy, Default)]
struct Change {
    by_line: [i16; 4],
    sum: i16,
}

/// The lines from the point of view of the side that replies: digit 1 is one of its own pieces, digit 2 a piece of the
/// side to move.
struct Lookup {
    geometry: &'static Geometry,
    counts: &'static Counts,
    contents: [u16; LINES],
    before: [i16; LINES],
}

impl Lookup {
    fn new(p: &Position) -> Self {
        let geometry = &GEOMETRIES[p.size()];
        let counts = counts();
        let mover = p.side_to_move();
        let (own, enemy) = (turned(p.pieces(!mover).0), turned(p.pieces(mover).0));
        let (mut contents, mut before) = ([0; LINES], [0; LINES]);
        for (i, &(board, line)) in geometry.lines.iter().enumerate() {
            contents[i] = line.content(own[board], enemy[board]);
            before[i] = i16::from(counts.of(contents[i]));
        }
        Self { geometry, counts, contents, before }
    }

    /// Returns the change in the number of moves if a line's content grows by `growth`, which may be negative.
    #[inline]
    fn difference(&self, line: u8, growth: u16) -> i16 {
        let line = usize::from(line);
        i16::from(self.counts.of(self.contents[line].wrapping_add(growth))) - self.before[line]
    }

    /// Returns the change in the number of moves if the digit of a square grows by `digit`.
    #[inline]
    fn change(&self, square: Square, digit: u16) -> Change {
        let crossings = &self.geometry.through[square.index()];
        let by_line = crossings.map(|c| self.difference(c.line, c.unit.wrapping_mul(digit)));
        Change { by_line, sum: by_line.iter().sum() }
    }

    /// Returns the change in the number of moves on the line that contains both squares of a move.
    #[inline]
    fn shared(&self, m: Move, line: usize, placed: u16) -> i16 {
        let through = &self.geometry.through;
        let (from, to) = (through[m.from.index()][line], through[m.to.index()][line]);
        let growth = from.unit.wrapping_mul(LIFTED).wrapping_add(to.unit.wrapping_mul(placed));
        self.difference(from.line, growth)
    }
}

/// Growth of a square's digit if the side to move leaves the square, enters it while it is empty, or captures on it.
const LIFTED: u16 = 2_u16.wrapping_neg();
const PLACED: u16 = 2;
const CAPTURED: u16 = 1;

/// Two groups of the side to move, each with its neighbours. A group stays apart if the moving piece is not part of it
/// and the target square is not next to it.
struct Groups([(Bitboard, Bitboard); 2]);

impl Groups {
    fn new(pieces: Bitboard) -> Self {
        let group = |pieces: Bitboard| pieces.first().map_or(pieces, |seed| fill(Bitboard::of(seed), pieces));
        let first = group(pieces);
        Self([first, group(pieces & !first)].map(|group| (group, group.with_neighbours())))
    }

    /// Returns `true` if a move certainly does not connect the side's pieces.
    #[inline]
    fn stay_apart(&self, m: Move) -> bool {
        self.0.iter().any(|(group, around)| !group.is_empty() && !group.has(m.from) && !around.has(m.to))
    }
}

/// Returns the total number of moves in all positions after one move. A decided position counts as having no moves.
pub(crate) fn count(p: &Position) -> u64 {
    if let Some(pass) = moves::pass(p) {
        let child = p.child(pass);
        return if child.decided().is_some() { 0 } else { child.count_moves() };
    }
    let lookup = Lookup::new(p);
    let (own, enemy) = (p.pieces(p.side_to_move()), p.pieces(!p.side_to_move()));
    let groups = Groups::new(own);
    let enemy_connected = is_connected(enemy);
    let standing: i16 = lookup.before[..lookup.geometry.lines.len()].iter().sum();
    let (mut lifted, mut lifted_from) = (Change::default(), None);
    let (mut placed, mut placed_on) = ([Change::default(); 64], Bitboard::EMPTY);
    let mut count = 0;
    let _ = moves::visit_along(p, |m, line| {
        if lifted_from != Some(m.from) {
            (lifted, lifted_from) = (lookup.change(m.from, LIFTED), Some(m.from));
        }
        let captures = enemy.has(m.to);
        let digit = if captures { CAPTURED } else { PLACED };
        if !placed_on.has(m.to) {
            placed[m.to.index()] = lookup.change(m.to, digit);
            placed_on |= Bitboard::of(m.to);
        }
        let theirs = if captures { is_connected(enemy & !Bitboard::of(m.to)) } else { enemy_connected };
        let connects = || is_connected(own & !Bitboard::of(m.from) | Bitboard::of(m.to));
        if !theirs && (groups.stay_apart(m) || !connects()) {
            let placed = &placed[m.to.index()];
            let apart = lifted.sum - lifted.by_line[line] + placed.sum - placed.by_line[line];
            let moves = (standing + apart + lookup.shared(m, line, digit)) as u64;
            count += if moves == 0 { u64::from(moves::pass(&p.child(m)).is_some()) } else { moves };
        }
        ControlFlow::<()>::Continue(())
    });
    count
}
