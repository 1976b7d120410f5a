use core::fmt;
use core::marker::PhantomData;

use game::{Key, Side};
use thiserror::Error;

use crate::{Bitboard, Square};

/// What sets the men of one game apart from those of another. The type that implements it is only a name.
pub trait Kind: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// Where the zobrist keys come from.
    const SEEDS: Seeds;
    /// The colour of the side that begins the game.
    const FIRST: Colour;
    /// What a position text looks like, with an example, for error messages: it reads after `expected `.
    const FORM: &'static str;
}

/// The zobrist keys of a game are made by [`Key::mix`] from these numbers and those that follow them. No number may be
/// used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// The empty board of size N: this number plus N.
    pub board: u64,
    /// The first of 128 numbers: the first side's men on each square in order of index, then the second side's.
    pub men: u64,
    /// The second side to move.
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
    /// Written `b`.
    Black,
    /// Written `w`.
    White,
}

/// Two sides' men on an N×N board, 4 ≤ N ≤ 8, with the side to move and the zobrist key: 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Men<K> {
    /// The first side's and the second side's men.
    sides: [Bitboard; 2],
    /// Hash of everything else, kept up to date by [`Men::toggle`], [`Men::displace`] and [`Men::pass_turn`] alone.
    key: Key,
    size: u8,
    side: Side,
    kind: PhantomData<K>,
}

/// A board size that the game is not played on here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("board size {0}: expected 4 to 8")]
pub struct SizeError(pub usize);

/// A change of the board that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The square is not on this board.
    #[error("{square} is outside of the {size}x{size} board")]
    OffBoard {
        /// The square.
        square: Square,
        /// Squares a side.
        size: usize,
    },
}

impl<K: Kind> Men<K> {
    /// The sizes of a board.
    pub const SIZES: core::ops::RangeInclusive<usize> = 4..=8;

    const MEN_KEYS: &'static [[Key; 64]; 2] = &K::SEEDS.of_men();
    const TURN_KEY: Key = Key::mix(K::SEEDS.turn);

    /// A board without men, the first side to move.
    ///
    /// # Errors
    /// If the size is not 4 to 8.
    pub fn empty(size: usize) -> Result<Self, SizeError> {
        if !Self::SIZES.contains(&size) {
            return Err(SizeError(size));
        }
        let key = Key::mix(K::SEEDS.board + size as u64);
        Ok(Self { sides: [Bitboard::EMPTY; 2], key, size: size as u8, side: Side::First, kind: PhantomData })
    }

    /// The same board with another content of one square: a side's man or nothing.
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

    /// The same board with this side to move.
    #[must_use]
    pub fn with_turn(&self, side: Side) -> Self {
        if self.side == side { *self } else { self.passed() }
    }

    /// The same board with the turn passed.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Self {
        let mut passed = *self;
        passed.pass_turn();
        passed
    }

    /// Squares a side.
    #[inline]
    pub const fn size(&self) -> usize {
        self.size as usize
    }

    /// All squares of this board.
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

    /// The men of one side.
    #[inline]
    pub const fn pieces(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The first side's and the second side's men.
    #[inline]
    pub const fn sides(&self) -> [Bitboard; 2] {
        self.sides
    }

    /// All men.
    #[inline]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.sides[0].0 | self.sides[1].0)
    }

    /// The side whose man stands on a square.
    pub fn at(&self, square: Square) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.pieces(side).has(square))
    }

    /// The side whose turn it is.
    #[inline]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// Hash of all that `Eq` compares.
    #[inline]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// Puts a man on an empty square of the board or takes it off. The key changes with it.
    #[inline]
    pub fn toggle(&mut self, square: Square, side: Side) {
        self.sides[side.index()] ^= Bitboard::of(square);
        self.key ^= Self::MEN_KEYS[side.index()][square.index()];
    }

    /// A whole turn: a man of the side to move goes from one square to another and takes the enemy's man there, if
    /// there is one. The turn passes.
    #[inline]
    pub fn displace(&mut self, from: Square, to: Square) {
        let side = self.side;
        let [first, second] = self.sides;
        // Without an index the compiler keeps both sides in registers.
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
