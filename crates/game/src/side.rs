use core::ops::Not;

/// One of the two players. `First` makes the first move: Black in Lines of Action and checkers, Red in Jump61, White in
/// Breakthrough.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that makes the first move of the game.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, in the order of their first moves.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns 0 for the first side and 1 for the second: an index into `[first, second]`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the opponent.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

impl Not for Side {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        self.other()
    }
}
