use core::fmt;

/// A square of the 8×8 board. Smaller boards use its lower left corner. Index = 8 · (rank − 1) + file; `a1` has index
/// 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// Returns the square in a file and a rank, both from 0 to 7.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self(8 * rank + file)) } else { None }
    }

    /// Returns the square with this index. The index is not checked, because move generators make millions of calls a
    /// second.
    ///
    /// # Panics
    /// If the index is 64 or more and debug assertions are on. Without debug assertions the square is on no board.
    #[inline]
    pub const fn at(index: u8) -> Self {
        debug_assert!(index < 64);
        Self(index)
    }

    /// Returns the index: 0 for `a1`, 63 for `h8`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the file: 0 for the leftmost file, `a`.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Returns the rank: 0 for the bottom rank.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Parses a lower-case letter `a`–`h` followed by a digit `1`–`8`, and nothing else.
    pub fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Self::new(file - b'a', rank - b'1'),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}
