//! Counts the moves of both sides line by line with tables: the content of a line determines the moves along it.
//!
//! The board is rotated so that the lines of each of the four directions are runs of bits within bytes ("rotated
//! bitboards"; the diagonals by the pseudo-rotation of G. Isenberg, Chess Programming Wiki, "Flipping, mirroring and
//! rotating"). The content of a line is then a number in base three.

use std::sync::LazyLock;

use board::Bitboard;
use game::Side;

use crate::position::Position;

/// The weights of moves: quiet moves and captures, inside the board and to its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveWeights {
    /// Weight of a move to an empty square that is not on the edge.
    pub quiet: u8,
    /// Weight of a move to an empty square on the edge.
    pub quiet_to_edge: u8,
    /// Weight of a capture on a square that is not on the edge.
    pub capture: u8,
    /// Weight of a capture on the edge.
    pub capture_to_edge: u8,
}

impl MoveWeights {
    /// Weight 1 for every move.
    pub const ONE: Self = Self { quiet: 1, quiet_to_edge: 1, capture: 1, capture_to_edge: 1 };
}

/// A table with the sums of the moves' weights for each content of a line. Black's sum is in the low byte of an entry,
/// White's in the high byte.
pub struct MoveTable {
    /// Lines that touch the edge only at their ends, by length and content.
    inner: Box<Contents>,
    /// Lines along an edge, by length and content.
    edge: Box<Contents>,
}

/// A table indexed by [`OFFSETS`] plus content. The remaining entries are padding, so that every masked index is valid.
type Contents = [u16; ROOM];
const ROOM: usize = 1 << 14;

/// Table index of the first content of each length of a line.
const OFFSETS: [u16; 9] = {
    let mut offsets = [0; 9];
    let mut length = 1;
    while length < 9 {
        offsets[length] = offsets[length - 1] + if length == 1 { 1 } else { 3_u16.pow(length as u32 - 1) };
        length += 1;
    }
    offsets
};

/// For each byte, the base-three number whose digits are the bits of the byte.
const TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut i = 0;
        while i < 8 {
            if bits >> i & 1 != 0 {
                table[bits] += 3_u16.pow(i as u32);
            }
            i += 1;
        }
        bits += 1;
    }
    table
};

/// A run of bits in a rotated board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line {
    shift: u8,
    mask: u8,
    /// Table index of the first content of this length.
    offset: u16,
}

impl Line {
    /// Returns the line of `length` bits that begins at bit `from` of this byte of a rotated board. `byte` is taken
    /// modulo eight.
    pub(crate) fn new(byte: i32, from: i32, length: i32) -> Self {
        Self::at(byte, from, length, OFFSETS[length as usize])
    }

    /// Like [`new`](Self::new), with `offset` as the table index of the first content.
    pub(crate) fn at(byte: i32, from: i32, length: i32, offset: u16) -> Self {
        Self { shift: (8 * (byte & 7) + from) as u8, mask: ((1_u32 << length) - 1) as u8, offset }
    }

    /// Returns the table index of the line's content: digits 1 come from the first board, digits 2 from the second.
    #[inline]
    pub(crate) fn content(self, ones: u64, twos: u64) -> u16 {
        let bits = |board: u64| usize::from((board >> (self.shift & 63)) as u8 & self.mask);
        self.offset + TERNARY[bits(ones)] + 2 * TERNARY[bits(twos)]
    }
}

/// The lines of a board of one size, grouped by the rotated board that contains them.
struct Lines {
    /// Ranks and files inside the board. They are the same runs of bits in the first two rotated boards.
    inner: Vec<Line>,
    /// First and last rank or file.
    edge: [Line; 2],
    diagonals: Vec<Line>,
    antidiagonals: Vec<Line>,
}

static LINES_BY_SIZE: LazyLock<[Lines; 9]> = LazyLock::new(|| core::array::from_fn(Lines::new));

impl Lines {
    fn new(size: usize) -> Self {
        let n = size as i32;
        let diagonals = (2 - n..n - 1).map(|d| Line::new(d, (-d).max(0), n - d.abs()));
        let antidiagonals = (1..2 * n - 2).map(|s| Line::new(s, (s - n + 1).max(0), (s + 1).min(2 * n - 1 - s)));
        Self {
            inner: (1..n - 1).map(|i| Line::new(i, 0, n)).collect(),
            edge: [Line::new(0, 0, n), Line::new(n - 1, 0, n)],
            diagonals: diagonals.collect(),
            antidiagonals: antidiagonals.collect(),
        }
    }
}

/// Returns the four rotated boards: the board itself, and the boards with files, diagonals and antidiagonals as bytes.
/// A square's bit number within its byte is its file; in the second board, it is its rank.
#[inline]
pub(crate) const fn turned(board: u64) -> [u64; 4] {
    [
        board,
        Bitboard(board).transposed().0,
        turned_diagonally(board),
        turned_diagonally(board.swap_bytes()).swap_bytes(),
    ]
}

/// Rotates file f down by f ranks, with wraparound.
const fn turned_diagonally(mut x: u64) -> u64 {
    x ^= 0xaaaa_aaaa_aaaa_aaaa & (x ^ x.rotate_right(8));
    x ^= 0xcccc_cccc_cccc_cccc & (x ^ x.rotate_right(16));
    x ^ (0xf0f0_f0f0_f0f0_f0f0 & (x ^ x.rotate_right(32)))
}

impl MoveTable {
    /// Builds the table for these weights. This takes one or two milliseconds.
    pub fn new(weights: MoveWeights) -> Self {
        let build = |is_edge| {
            let mut contents = no_contents();
            for length in 2..=8 {
                let first = usize::from(OFFSETS[length as usize]);
                for content in 0..3_u32.pow(length) {
                    contents[first + content as usize] = line_weight(length, content, is_edge, weights);
                }
            }
            contents
        };
        Self { inner: build(false), edge: build(true) }
    }

    /// Returns the sums of the weights of Black's moves and of White's moves, regardless of the side to move.
    #[inline]
    pub fn sums(&self, p: &Position) -> [u32; 2] {
        let black = turned(p.pieces(Side::First).0);
        let white = turned(p.pieces(Side::Second).0);
        let lines = &LINES_BY_SIZE[p.size()];
        let mut sum = Sum::default();
        for i in 0..4 {
            let (black, white) = (black[i], white[i]);
            let inner = [&lines.inner, &lines.inner, &lines.diagonals, &lines.antidiagonals][i];
            for line in inner {
                sum.add(&self.inner, *line, black, white);
            }
            if i < 2 {
                for line in lines.edge {
                    sum.add(&self.edge, line, black, white);
                }
            }
        }
        [sum.low, (sum.both - sum.low) >> 8]
    }
}

fn no_contents() -> Box<Contents> {
    vec![0; ROOM].try_into().expect("invariant: the vector has `ROOM` entries")
}

/// Sums of table entries. An entry packs two bytes; the sum of each may exceed a byte.
#[derive(Default)]
struct Sum {
    both: u32,
    low: u32,
}

impl Sum {
    #[inline]
    fn add(&mut self, contents: &Contents, line: Line, black: u64, white: u64) {
        let entry = u32::from(contents[usize::from(line.content(black, white)) & (ROOM - 1)]);
        self.both += entry;
        self.low += entry & 0xff;
    }
}

/// Applies rule 2 to one line. Returns the weights of both sides.
fn line_weight(length: u32, content: u32, is_edge: bool, weights: MoveWeights) -> u16 {
    let at = |i: i32| content / 3_u32.pow(i as u32) % 3;
    let pieces = (0..length as i32).filter(|&i| at(i) != 0).count() as i32;
    let mut sums = [0, 0];
    for from in (0..length as i32).filter(|&i| at(i) != 0) {
        let own = at(from);
        for step in [-1, 1] {
            let to = from + step * pieces;
            let inside = (0..length as i32).contains(&to);
            let passes_enemy = || (1..pieces).any(|i| !matches!(at(from + step * i), 0) && at(from + step * i) != own);
            if !inside || at(to) == own || passes_enemy() {
                continue;
            }
            let on_edge = is_edge || to == 0 || to == length as i32 - 1;
            let weight = match (at(to) != 0, on_edge) {
                (false, false) => weights.quiet,
                (false, true) => weights.quiet_to_edge,
                (true, false) => weights.capture,
                (true, true) => weights.capture_to_edge,
            };
            sums[own as usize - 1] += u16::from(weight);
        }
    }
    sums[0] | sums[1] << 8
}

/// A table of the number of moves for each content of a line, for the side whose pieces are the digits 1; the digits 2
/// are enemy pieces. It is half the size of a [`MoveTable`], because it covers one side only and does not distinguish
/// edges.
pub(crate) struct Counts(Box<[u8; ROOM]>);

impl Counts {
    fn new(weights: MoveWeights) -> Self {
        let mut counts: Box<[u8; ROOM]> = vec![0; ROOM].try_into().expect("invariant: the vector has `ROOM` entries");
        for length in 2..=8 {
            let first = usize::from(OFFSETS[length as usize]);
            for content in 0..3_u32.pow(length) {
                counts[first + content as usize] = line_weight(length, content, false, weights) as u8;
            }
        }
        Self(counts)
    }

    /// Returns the entry of a [`Line::content`].
    #[inline]
    pub(crate) fn of(&self, content: u16) -> u8 {
        self.0[usize::from(content) & (ROOM - 1)]
    }
}

pub(crate) fn counts() -> &'static Counts {
    static COUNTS: LazyLock<Counts> = LazyLock::new(|| Counts::new(MoveWeights::ONE));
    &COUNTS
}

/// Returns the number of legal moves of the side to move.
#[inline]
pub(crate) fn count(p: &Position) -> u64 {
    let side = game::Position::side_to_move(p);
    let own = turned(p.pieces(side).0);
    let enemy = turned(p.pieces(!side).0);
    let lines = &LINES_BY_SIZE[p.size()];
    let counts = counts();
    let along = |lines: &[Line], i: usize| -> u32 {
        lines.iter().map(|line| u32::from(counts.of(line.content(own[i], enemy[i])))).sum()
    };
    let ranks_and_files = [0, 1].map(|i| along(&lines.inner, i) + along(&lines.edge, i));
    u64::from(ranks_and_files[0] + ranks_and_files[1] + along(&lines.diagonals, 2) + along(&lines.antidiagonals, 3))
}

/// Returns `true` if there is a direction in which a side has moves along at least `any` lines, and quiet moves along
/// at least `quiet` of them.
#[inline]
pub(crate) fn has_moves(p: &Position, side: Side, any: u8, quiet: u8) -> bool {
    let (own, enemy) = (turned(p.pieces(side).0), turned(p.pieces(!side).0));
    let lines = &LINES_BY_SIZE[p.size()];
    let kinds = kinds();
    let along =
        |lines: &[Line], i: usize| -> u8 { lines.iter().map(|line| kinds.of(line.content(own[i], enemy[i]))).sum() };
    (0..4).any(|i| {
        let kinds = match i {
            3 => along(&lines.antidiagonals, 3),
            2 => along(&lines.diagonals, 2),
            _ => along(&lines.inner, i) + along(&lines.edge, i),
        };
        kinds & 15 >= any && kinds >> 4 >= quiet
    })
}

/// Returns a table of the kinds of moves for each content of a line, for the side whose pieces are the digits 1: 1 if
/// there is a move along the line, plus 16 if there is a quiet move. In the sum over the lines of a direction, the low
/// four bits count the lines with a move, and the high four bits those with a quiet move.
fn kinds() -> &'static Counts {
    static KINDS: LazyLock<Counts> = LazyLock::new(|| {
        let any = Counts::new(MoveWeights::ONE);
        let quiet = Counts::new(MoveWeights { capture: 0, capture_to_edge: 0, ..MoveWeights::ONE });
        let both = any.0.iter().zip(&*quiet.0).map(|(&any, &quiet)| any.min(1) + 16 * quiet.min(1));
        Counts(both.collect::<Vec<u8>>().try_into().expect("invariant: the vector has `ROOM` entries"))
    });
    &KINDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;
    use game::{Position as _, SplitMix64};

    /// Adds up the weights move by move.
    fn by_moves(p: &Position, side: Side, weights: MoveWeights) -> u32 {
        let p = if p.side_to_move() == side { *p } else { p.passed() };
        let last = p.size() as u8 - 1;
        let weight = |m: Move| {
            let on_edge = [m.to.file(), m.to.rank()].iter().any(|&i| i == 0 || i == last);
            u32::from(match (p.at(m.to).is_some(), on_edge) {
                (false, false) => weights.quiet,
                (false, true) => weights.quiet_to_edge,
                (true, false) => weights.capture,
                (true, true) => weights.capture_to_edge,
            })
        };
        p.movable().into_iter().map(weight).sum()
    }

    #[test]
    fn sums_are_those_of_the_moves() {
        let weights = MoveWeights { quiet: 2, quiet_to_edge: 1, capture: 5, capture_to_edge: 3 };
        let table = MoveTable::new(weights);
        for seed in 0..60 {
            let mut rng = SplitMix64::new(seed);
            let mut p = Position::start(4 + seed as usize % 5).expect("a size");
            for _ in 0..60 {
                let moves = p.movable();
                assert_eq!(table.sums(&p), Side::BOTH.map(|side| by_moves(&p, side, weights)), "{p}");
                assert_eq!(p.count_moves(), moves.len() as u64, "{p}");
                let Some(&m) = rng.choose(&moves) else { break };
                p.play(m);
            }
        }
    }

    #[test]
    fn turned_boards_have_their_squares_where_they_should_be() {
        for square in Bitboard(u64::MAX) {
            let (file, rank) = (square.file(), square.rank());
            let at = |byte: u8, bit: u8| 1_u64 << (8 * (byte & 7) + bit);
            let boards = turned(Bitboard::of(square).0);
            let expected = [at(rank, file), at(file, rank), at(rank.wrapping_sub(file), file), at(rank + file, file)];
            assert_eq!(boards, expected, "{square}");
        }
    }
}
