use core::fmt;

/// A square of the 8×8 board; smaller boards use its lower left corner. Index = 8 · (rank − 1) + file, `a1` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square in a file and a rank, both from 0 to 7.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self(8 * rank + file)) } else { None }
    }

    /// The square with this index. It is not checked, because move generators ask for millions a second.
    ///
    /// # Panics
    /// If the index is not below 64 and debug assertions are on. Without them the square is on no board.
    #[inline]
    pub const fn at(index: u8) -> Self {
        debug_assert!(index < 64);
        Self(index)
    }

    /// 0 for `a1`, 63 for `h8`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for the left-most file, `a`.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 for the bottom rank.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Reads exactly a lower-case letter `a`–`h` and a digit `1`–`8`.
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
