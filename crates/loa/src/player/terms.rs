//! The terms of the evaluation of Lines of Action.
//!
//! The first terms are those of MIA IV as its authors list them, in nine groups (M. Winands and H. J. van den Herik,
//! "MIA: a world champion LOA program", 2006, section 3). The formulas, the weights and the other terms are Plyhouse's
//! own.

use std::sync::LazyLock;

use board::Bitboard;
use game::{Position as _, Side};

use crate::connect::{euler_number, fill};
use crate::lines::{MoveTable, MoveWeights};
use crate::position::Position;

use engine::terms;

terms! {
    /// The terms, in the order of the weights: first those of MIA IV.
    enum Term {
        SideToMove = "side to move",
        SurplusDistance = "concentration: mean surplus distance",
        InverseSurplus = "concentration: inverse of the mean surplus distance",
        /// Share of the pieces that stand in a corner: [`UNIT`] if all of them do.
        CornerShare = "centralisation: corners",
        /// Share on the edge without the corners.
        EdgeShare = "centralisation: edges",
        /// Share on the ring inside the edge.
        SecondRingShare = "centralisation: second ring",
        /// Share on the next ring.
        ThirdRingShare = "centralisation: third ring",
        OffCentre = "centre of mass: distance from the middle",
        NearThrees = "quads: threes near the centre of mass",
        NearFours = "quads: fours near the centre of mass",
        Quads = "quads: threes and fours anywhere",
        Mobility = "mobility",
        WallsOfTwo = "walls: two of three",
        WallsOfThree = "walls: three of three",
        Neighbours = "connectedness: neighbours a piece",
        Area = "uniformity: area of the smallest rectangle",
        Groups = "groups by Euler number",
        Alone = "pieces without a neighbour",
        Outside = "pieces outside the main group",
        StepsToGroup = "steps of the outside pieces to the main group",
        Pieces = "number of pieces",
    }
}

/// Number of terms of MIA IV. They come first.
pub(super) const MIA_TERMS: usize = Term::Groups as usize;

/// Mobility weights: captures count double, moves to the edge half, as in MIA.
static MOBILITY: LazyLock<MoveTable> =
    LazyLock::new(|| MoveTable::new(MoveWeights { quiet: 2, quiet_to_edge: 1, capture: 4, capture_to_edge: 2 }));

/// Returns the terms of a position: the value of the side to move minus the opponent's. The first term is always 1.
#[inline]
pub(super) fn terms(p: &Position) -> Terms {
    let us = p.side_to_move();
    let sides = [us, !us].map(|side| view(p, side));
    let mobility = MOBILITY.sums(p);
    let mut terms = Terms::ZERO;
    for i in 0..TERMS {
        terms.0[i] = sides[0].0[i] - sides[1].0[i];
    }
    terms[Term::SideToMove] = 1;
    terms[Term::Mobility] = mobility[us.index()] as i32 - mobility[(!us).index()] as i32;
    terms
}

/// Returns the phase of the game: 16 with 24 pieces, 0 with 8 or fewer.
#[inline]
pub(super) fn phase(p: &Position) -> i32 {
    (p.occupied().count() as i32 - 8).clamp(0, 16)
}

/// Scale of the terms that are averages over pieces.
const UNIT: i32 = 64;

/// Returns one side's terms, without mobility.
fn view(p: &Position, side: Side) -> Terms {
    let pieces = p.pieces(side);
    let enemy = p.pieces(!side);
    let n = pieces.count() as i32;
    if n == 0 {
        return Terms::ZERO;
    }
    let centre = centre_of_mass(pieces, n);
    let surplus = UNIT * (distances(pieces, centre) - least_distances(n)).max(0) / n;
    let rings = &RINGS[p.size()];
    let share = |ring: u64| UNIT * Bitboard(pieces.0 & ring).count() as i32 / n;
    let [threes, fours] = quads(pieces);
    let near = Bitboard(WITHIN[centre][2] & WITHIN[centre][2] >> 9); // the lower left squares of quads inside
    let walls = walls(pieces, enemy, rings);
    let pairs = pairs(pieces);
    let all_quads = (threes | fours).count() as i32;
    let group = main_group(pieces, centre);
    let outside = pieces & !group;
    let mut terms = Terms::ZERO;
    terms[Term::SurplusDistance] = surplus;
    terms[Term::InverseSurplus] = UNIT * UNIT / (UNIT + surplus);
    terms[Term::CornerShare] = share(rings.corners);
    terms[Term::EdgeShare] = share(rings.edges);
    terms[Term::SecondRingShare] = share(rings.second);
    terms[Term::ThirdRingShare] = share(rings.third);
    terms[Term::OffCentre] = off_centre(centre, p.size());
    terms[Term::NearThrees] = (threes & near).count() as i32;
    terms[Term::NearFours] = (fours & near).count() as i32;
    terms[Term::Quads] = all_quads;
    terms[Term::WallsOfTwo] = walls[0];
    terms[Term::WallsOfThree] = walls[1];
    terms[Term::Neighbours] = UNIT * pairs / n;
    terms[Term::Area] = area(pieces);
    terms[Term::Groups] = euler_number(pieces);
    terms[Term::Alone] = (pieces & !pieces.neighbours()).count() as i32;
    terms[Term::Outside] = outside.count() as i32;
    terms[Term::StepsToGroup] = steps_to(group, outside);
    terms[Term::Pieces] = n;
    terms
}

/// Returns the square nearest to the mean of the pieces' squares, as an index.
#[inline]
fn centre_of_mass(pieces: Bitboard, n: i32) -> usize {
    const FILES: [u64; 3] = [0xaaaa_aaaa_aaaa_aaaa, 0xcccc_cccc_cccc_cccc, 0xf0f0_f0f0_f0f0_f0f0];
    const RANKS: [u64; 3] = [0xff00_ff00_ff00_ff00, 0xffff_0000_ffff_0000, 0xffff_ffff_0000_0000];
    let sum = |planes: [u64; 3]| -> i32 { (0..3).map(|i| (Bitboard(pieces.0 & planes[i]).count() << i) as i32).sum() };
    let mean = |sum: i32| (2 * sum + n) / (2 * n);
    (8 * mean(sum(RANKS)) + mean(sum(FILES))) as usize
}

/// Returns the sum of the pieces' distances to a square, in king's steps.
#[inline]
fn distances(pieces: Bitboard, centre: usize) -> i32 {
    (0..7).map(|d| Bitboard(pieces.0 & !WITHIN[centre][d]).count() as i32).sum()
}

/// Returns the minimum sum of distances for `n` pieces: one at 0, eight at 1, sixteen at 2.
const fn least_distances(n: i32) -> i32 {
    let beyond = if n > 9 { n - 9 } else { 0 };
    n - 1 + beyond
}

/// Returns the sum of the pieces' distances to their centre of mass minus the minimum possible sum, in king's steps
/// ("concentration" before averaging).
#[inline]
pub fn surplus_distance(pieces: Bitboard) -> u32 {
    let n = pieces.count() as i32;
    if n == 0 {
        return 0;
    }
    (distances(pieces, centre_of_mass(pieces, n)) - least_distances(n)).max(0) as u32
}

/// Returns the groups that contain the pieces at the centre of mass and next to it. If no pieces stand there, returns
/// the groups that contain the nearest pieces.
#[inline]
fn main_group(pieces: Bitboard, centre: usize) -> Bitboard {
    let near = (1..8).map(|d| pieces.0 & WITHIN[centre][d]).find(|&near| near != 0);
    fill(Bitboard(near.unwrap_or(pieces.0)), pieces)
}

/// Returns the lower left squares of the 2×2 windows with three and with four pieces.
#[inline]
fn quads(pieces: Bitboard) -> [Bitboard; 2] {
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let here = pieces.0;
    let (east, north, beyond) = (here >> 1 & NOT_H, here >> 8, here >> 9 & NOT_H);
    let fours = here & east & north & beyond;
    let threes = (here & east & (north ^ beyond)) | (north & beyond & (here ^ east));
    [Bitboard(threes), Bitboard(fours)]
}

/// Returns the number of pairs of neighbouring pieces.
#[inline]
fn pairs(pieces: Bitboard) -> i32 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let p = pieces.0;
    let count = |shifted: u64| Bitboard(p & shifted).count() as i32;
    count(p << 1 & NOT_A) + count(p << 8) + count(p << 9 & NOT_A) + count(p << 7 & NOT_H)
}

/// Returns the area of the smallest rectangle around the pieces.
#[inline]
fn area(pieces: Bitboard) -> i32 {
    let p = pieces.0;
    let ranks = (71 - p.leading_zeros() as i32) / 8 - p.trailing_zeros() as i32 / 8;
    let folded = p | p >> 32;
    let folded = folded | folded >> 16;
    let files = ((folded | folded >> 8) & 0xff) as u8;
    ranks * (8 - files.leading_zeros() as i32 - files.trailing_zeros() as i32)
}

/// Returns two counts of own edge pieces: those with enemy pieces on exactly two of the three neighbouring squares
/// further in, and those with enemy pieces on all three.
#[inline]
fn walls(pieces: Bitboard, enemy: Bitboard, rings: &Rings) -> [i32; 2] {
    if pieces.0 & rings.edges == 0 || enemy.0 & rings.second == 0 {
        return [0, 0];
    }
    let mut counts = [0, 0];
    for (edge, inward) in rings.inward {
        // Enemy pieces shifted back onto the edge: from the square straight ahead, and from the squares on both sides
        // of that square.
        let ahead = if inward > 0 { enemy.0 >> inward } else { enemy.0 << -inward };
        let (one, other) = if inward.abs() == 8 { (ahead << 1, ahead >> 1) } else { (ahead << 8, ahead >> 8) };
        let on_edge = pieces.0 & edge;
        let three = ahead & one & other;
        let two = ((ahead & (one | other)) | (one & other)) & !three;
        counts[0] += Bitboard(on_edge & two).count() as i32;
        counts[1] += Bitboard(on_edge & three).count() as i32;
    }
    counts
}

/// Returns the sum of the king's steps from the outside pieces to a group.
#[inline]
fn steps_to(group: Bitboard, outside: Bitboard) -> i32 {
    let (mut reached, mut missing, mut steps) = (group, outside, 0);
    while missing != Bitboard::EMPTY {
        steps += missing.count() as i32;
        reached = reached.with_neighbours();
        missing &= !reached;
    }
    steps
}

/// Returns the sum of the king's steps from the pieces outside the main group to it: an estimate of the number of moves
/// needed to connect.
pub(super) fn steps_to_connect(pieces: Bitboard) -> u32 {
    let n = pieces.count() as i32;
    if n == 0 {
        return 0;
    }
    let group = main_group(pieces, centre_of_mass(pieces, n));
    steps_to(group, pieces & !group) as u32
}

/// Returns the distance of a square from the middle of the board, in half steps.
#[inline]
fn off_centre(square: usize, size: usize) -> i32 {
    let off = |i: usize| (2 * i as i32 - size as i32 + 1).abs();
    off(square & 7).max(off(square >> 3))
}

/// Squares within each distance of each square, in king's steps, on the 8×8 board.
static WITHIN: [[u64; 8]; 64] = {
    let mut table = [[0; 8]; 64];
    let mut i = 0_usize;
    while i < 64 * 64 {
        let (a, b) = (i / 64, i % 64);
        let files = (a % 8).abs_diff(b % 8);
        let ranks = (a / 8).abs_diff(b / 8);
        let mut d = if files > ranks { files } else { ranks };
        while d < 8 {
            table[a][d] |= 1 << b;
            d += 1;
        }
        i += 1;
    }
    table
};

/// The squares of a board by their distance from its edge.
struct Rings {
    corners: u64,
    /// Edge without the corners.
    edges: u64,
    second: u64,
    third: u64,
    /// Each side of the edge without the corners, with the index offset of a step inwards.
    inward: [(u64, i32); 4],
}

static RINGS: [Rings; 9] = {
    let mut rings = [const { Rings { corners: 0, edges: 0, second: 0, third: 0, inward: [(0, 0); 4] } }; 9];
    let mut size = 4;
    while size <= 8 {
        rings[size] = Rings::new(size);
        size += 1;
    }
    rings
};

impl Rings {
    const fn new(size: usize) -> Self {
        let last = size - 1;
        let corners = 1 | 1 << last | 1 << (8 * last) | 1 << (9 * last);
        let bottom = ((1_u64 << size) - 1) & !(1 | 1 << last);
        let mut left = 0;
        let mut i = 1;
        while i < last {
            left |= 1 << (8 * i);
            i += 1;
        }
        let inward = [(bottom, 8), (bottom << (8 * last), -8), (left, 1), (left << last, -1)];
        let edges = bottom | bottom << (8 * last) | left | left << last;
        Self { corners, edges, second: ring_at(size, 1), third: ring_at(size, 2), inward }
    }
}

/// Returns the squares at a distance from the edge.
const fn ring_at(size: usize, distance: usize) -> u64 {
    let mut squares = 0;
    let mut i = 0;
    while i < 64 {
        let (file, rank) = (i % 8, i / 8);
        if file < size && rank < size {
            let mut d = file;
            let others = [rank, size - 1 - file, size - 1 - rank];
            let mut k = 0;
            while k < 3 {
                if others[k] < d {
                    d = others[k];
                }
                k += 1;
            }
            if d == distance {
                squares |= 1 << i;
            }
        }
        i += 1;
    }
    squares
}
