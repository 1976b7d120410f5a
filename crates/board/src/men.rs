use core::fmt;

use game::{Explain, Key, Message, Side, message};
use thiserror::Error;

use crate::bitboard::Bitboard;
use crate::square::Square;

/// The properties that distinguish the men of one game from those of another. The value of the implementing type is the
/// variant of the rules. The type of a game without variants is only a marker.
pub trait Kind: Copy + Eq + Default + fmt::Debug + Send + Sync + 'static {
    /// Seeds of the Zobrist keys.
    const SEEDS: Seeds;
    /// The colour of the first side.
    const FIRST: Colour;
    /// Format of a position text, with an example, for error messages. It follows the word `expected `.
    const FORM: &'static str;
    /// The variants other than the default one, each with the word that follows the side to move in a position text.
    const VARIANTS: &'static [(&'static str, Self)] = &[];
}

/// Seeds of a game's Zobrist keys. [`Key::mix`] computes the keys from these numbers and the numbers that follow them.
/// No number may be used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// Base seed of the empty boards: an N×N board uses this number plus N.
    pub board: u64,
    /// First of 128 seeds: the first side's men on each square in order of index, then the second side's.
    pub men: u64,
    /// Seed of the key for positions with the second side to move. The numbers after it are the seeds of the
    /// [variants](Kind::VARIANTS).
    pub turn: u64,
}

impl Seeds {
    const fn of_men(self) -> [[Key; 64]; 2] {
        let mut keys = [[Key(0); 64]; 2];
        let mut i = 0;
        while i < 128 {
            keys[i / 64][i % 64] = Key::mix(self.men + i as u64);
            i += 1;
        }
        keys
    }
}

/// The colour of a side's men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Black, written `b`.
    Black,
    /// White, written `w`.
    White,
}

/// The men of two sides on an N×N board, 4 ≤ N ≤ 8, with the side to move, the variant of the rules and the Zobrist
/// key. Its size is 32 bytes if that of `K` is at most 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men<K> {
    /// Men of the first and of the second side.
    sides: [Bitboard; 2],
    /// Hash of all other fields. Only [`Men::toggle`], [`Men::displace`], [`Men::pass_turn`] and
    /// [`Men::with_variant`] update it.
    key: Key,
    size: u8,
    side: Side,
    variant: K,
}

/// The error of an unsupported board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{}", self.message())]
pub struct SizeError(pub usize);

impl Explain for SizeError {
    fn message(&self) -> Message {
        message!("men.size", "board size {size}: expected 4 to 8", size = self.0)
    }
}

/// The error of an invalid change of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The square is not on this board.
    #[error("{square} is outside of the {size}x{size} board")]
    OffBoard {
        /// The square.
        square: Square,
        /// Length of a side of the board, in squares.
        size: usize,
    },
}

impl<K: Kind> Men<K> {
    /// Supported board sizes.
    pub const SIZES: core::ops::RangeInclusive<usize> = 4..=8;

    const MEN_KEYS: &'static [[Key; 64]; 2] = &K::SEEDS.of_men();
    const TURN_KEY: Key = Key::mix(K::SEEDS.turn);

    /// Creates a board without men and with the first side to move.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn empty(size: usize) -> Result<Self, SizeError> {
        if !Self::SIZES.contains(&size) {
            return Err(SizeError(size));
        }
        let key = Key::mix(K::SEEDS.board + size as u64);
        Ok(Self { sides: [Bitboard::EMPTY; 2], key, size: size as u8, side: Side::First, variant: K::default() })
    }

    /// Returns the board with one square changed: it then holds a side's man, or is empty.
    ///
    /// # Errors
    /// If the square is not on this board.
    pub fn with(&self, square: Square, content: Option<Side>) -> Result<Self, SetupError> {
        if !self.board().has(square) {
            return Err(SetupError::OffBoard { square, size: self.size() });
        }
        let mut changed = *self;
        for side in Side::BOTH {
            if changed.pieces(side).has(square) != (content == Some(side)) {
                changed.toggle(square, side);
            }
        }
        Ok(changed)
    }

    /// Returns the board with this side to move.
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        if self.side == side { *self } else { self.passed() }
    }

    /// Returns the board with the turn passed.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = *self;
        passed.pass_turn();
        passed
    }

    /// Returns the variant of the rules.
    #[inline]
    pub const fn variant(&self) -> K {
        self.variant
    }

    /// Returns the same board under a variant of the rules.
    #[must_use]
    pub fn with_variant(&self, variant: K) -> Self {
        let key = self.key ^ Self::variant_key(self.variant) ^ Self::variant_key(variant);
        Self { key, variant, ..*self }
    }

    /// Returns the part of the key that depends on the variant; 0 for the default one.
    fn variant_key(variant: K) -> Key {
        let seeds = K::SEEDS.turn + 1..;
        let found = K::VARIANTS.iter().zip(seeds).find(|((_, known), _)| *known == variant);
        found.map_or(Key(0), |(_, seed)| Key::mix(seed))
    }

    /// Returns the length of a side of the board, in squares.
    #[inline]
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// Returns all squares of this board.
    #[inline]
    pub const fn board(&self) -> Bitboard {
        const BOARDS: [Bitboard; 9] = {
            let mut boards = [Bitboard::EMPTY; 9];
            let mut size = 4;
            while size <= 8 {
                boards[size] = Bitboard::board(size);
                size += 1;
            }
            boards
        };
        BOARDS[self.size as usize]
    }

    /// Returns the men of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// Returns the men of the first and of the second side.
    #[inline]
    pub const fn sides(&self) -> [Bitboard; 2] {
        self.sides
    }

    /// Returns the men of both sides.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// Returns the side whose man is on a square; `None` if the square is empty.
    pub fn at(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces(side).has(square))
    }

    /// Returns the side to move.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// Returns a hash of everything that `Eq` compares.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Adds a man to an empty square of the board or removes the man there, and updates the key.
    #[inline]
    pub fn toggle(&mut self, square: Square, side: Side) {
        self.sides[side.index()] ^= Bitboard::of(square);
        self.key ^= Self::MEN_KEYS[side.index()][square.index()];
    }

    /// Plays a whole turn: moves a man of the side to move from one square to another, captures the enemy's man there
    /// if there is one, and passes the turn.
    #[inline]
    pub fn displace(&mut self, from: Square, to: Square) {
        let side = self.side;
        let [first, second] = self.sides;
        // A branch instead of an index lets the compiler keep both sides in registers.
        let (own, enemy) = if side == Side::First { (first, second) } else { (second, first) };
        let keys = &Self::MEN_KEYS[side.index()];
        self.key ^= keys[from.index()] ^ keys[to.index()] ^ Self::TURN_KEY;
        if enemy.has(to) {
            self.key ^= Self::MEN_KEYS[(!side).index()][to.index()];
        }
        let own = own ^ Bitboard::of(from) ^ Bitboard::of(to);
        let enemy = enemy & !Bitboard::of(to);
        self.sides = if side == Side::First { [own, enemy] } else { [enemy, own] };
        self.side = !side;
    }

    /// Passes the turn.
    #[inline]
    pub fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= Self::TURN_KEY;
    }
}
