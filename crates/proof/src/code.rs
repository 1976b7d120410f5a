//! Numeric codes of positions: symmetric positions have the same code, and all others have different codes.

use game::{Position as _, Side};
use loa::{Bitboard, Move, Position, Square};

/// Maximum board size whose positions have a [`Code`], in squares per side.
pub const LARGEST: usize = 6;

/// The code of a position up to rotations and reflections of the board: the base-three number of its squares, doubled,
/// with the side to move as the lowest bit. Two positions have the same code if and only if a symmetry maps one to the
/// other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u64);

/// Base-three numbers whose digits are the bits of a rank.
const TERNARY: [u64; 1 << LARGEST] = {
    let mut table = [0; 1 << LARGEST];
    let mut bits = 0;
    while bits < 1 << LARGEST {
        let mut i = 0;
        while i < LARGEST {
            if bits >> i & 1 != 0 {
                table[bits] += 3_u64.pow(i as u32);
            }
            i += 1;
        }
        bits += 1;
    }
    table
};

impl Code {
    /// Returns the code of a position.
    ///
    /// # Panics
    /// Panics on boards larger than [`LARGEST`].
    #[inline]
    pub fn of(p: &Position) -> Self {
        assert!(p.size() <= LARGEST, "invariant: boards up to 6×6 are solved");
        let [black, white] = p.sides().map(|pieces| images(pieces.0, p.size()));
        let (mut least, mut with) = (black[0], white[0]);
        for i in 1..8 {
            if (black[i], white[i]) < (least, with) {
                (least, with) = (black[i], white[i]);
            }
        }
        Self(plain(least, with, p.size()) << 1 | p.side_to_move().index() as u64)
    }

    /// Returns the standard position of this code; `None` if this is not a code of a board of this size.
    pub fn position(self, size: usize) -> Option<Position> {
        let side = if self.0 & 1 == 0 { Side::First } else { Side::Second };
        let mut p = Position::empty(size).ok()?.with_turn(side);
        let mut digits = self.0 >> 1;
        for rank in 0..size as u8 {
            for file in 0..size as u8 {
                let content = match digits % 3 {
                    0 => None,
                    1 => Some(Side::First),
                    _ => Some(Side::Second),
                };
                p = p.with(Square::new(file, rank)?, content).ok()?;
                digits /= 3;
            }
        }
        (digits == 0 && Self::of(&p) == self).then_some(p)
    }

    /// Returns the standard position of a position's code: one of its eight images.
    ///
    /// # Panics
    /// Panics on boards larger than [`LARGEST`].
    pub fn standing(p: &Position) -> Position {
        Self::of(p).known(p.size())
    }

    /// Returns a move of `p` that leads to a position with this code.
    pub(crate) fn move_to(self, p: &Position) -> Option<Move> {
        p.movable().into_iter().find(|m| Self::of(&p.child(*m)) == self)
    }

    /// Returns the standard position of a code that belongs to a board of this size.
    pub(crate) fn known(self, size: usize) -> Position {
        self.position(size).expect("invariant: a code of a position of this size")
    }

    /// Returns the number of bits of the codes of a board size.
    pub fn bits(size: usize) -> u32 {
        let most = 2 * 3_u64.pow((size * size) as u32);
        u64::BITS - most.leading_zeros()
    }
}

/// Returns the base-three number of the squares in the given orientation.
#[inline]
pub(crate) fn plain(black: u64, white: u64, size: usize) -> u64 {
    let base = 3_u64.pow(size as u32);
    let mask = (1_u64 << size) - 1;
    let digits = |pieces: u64, rank: usize| TERNARY[(pieces >> (8 * rank) & mask) as usize];
    (0..size).rev().fold(0, |code, rank| code * base + digits(black, rank) + 2 * digits(white, rank))
}

/// Returns the images of a set of squares under the eight symmetries of a board.
#[inline]
fn images(pieces: u64, size: usize) -> [u64; 8] {
    let off = 8 - size as u32;
    let turned = Bitboard(pieces).transposed().0;
    let four = |x: u64| {
        let upside_down = x.swap_bytes() >> (8 * off);
        [x, upside_down, mirrored(x) >> off, mirrored(upside_down) >> off]
    };
    let (straight, across) = (four(pieces), four(turned));
    core::array::from_fn(|i| if i < 4 { straight[i] } else { across[i - 4] })
}

/// Reverses the files on the board of 8×8.
#[inline]
pub(crate) const fn mirrored(mut x: u64) -> u64 {
    x = (x >> 1 & 0x5555_5555_5555_5555) | (x & 0x5555_5555_5555_5555) << 1;
    x = (x >> 2 & 0x3333_3333_3333_3333) | (x & 0x3333_3333_3333_3333) << 2;
    (x >> 4 & 0x0f0f_0f0f_0f0f_0f0f) | (x & 0x0f0f_0f0f_0f0f_0f0f) << 4
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::SplitMix64;

    /// Returns a random position that is reachable by play.
    fn random(rng: &mut SplitMix64) -> Position {
        let mut p = Position::start(4 + rng.below(3)).expect("a size");
        for _ in 0..rng.below(30) {
            let moves = p.legal_moves();
            let Some(&m) = rng.choose(&moves) else { break };
            p.play(m);
        }
        p
    }

    #[test]
    fn images_share_a_code_and_nothing_else_does() {
        let mut rng = SplitMix64::new(1);
        let mut seen = std::collections::HashMap::new();
        for _ in 0..4_000 {
            let p = random(&mut rng);
            let (code, size) = (Code::of(&p), p.size());
            assert!(code.0 >> Code::bits(size) == 0);
            let standing = Code::standing(&p);
            assert_eq!(Code::of(&standing), code, "{p}");
            assert_eq!(code.position(size), Some(standing), "{p}");
            let text = p.to_string();
            let (board, side) = text.split_once(' ').expect("a side");
            let rows: Vec<&str> = board.split('/').collect();
            let upside_down: Vec<&str> = rows.iter().rev().copied().collect();
            let across: Vec<String> =
                (0..size).map(|file| rows.iter().map(|row| row.as_bytes()[file] as char).collect()).collect();
            for image in [upside_down.join("/"), across.join("/")] {
                let image: Position = format!("{image} {side}").parse().expect("a position");
                assert_eq!(Code::of(&image), code, "{p} and {image}");
            }
            assert_eq!(*seen.entry((size, code)).or_insert(standing), standing);
        }
        assert_eq!(Code(3_u64.pow(36) * 2).position(6), None);
    }
}
