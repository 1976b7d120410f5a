use core::fmt;

use crate::{Finish, Outcome, Position, Reason};

/// How many plies may still be played before the move limit draws the game; unlimited by default.
///
/// ```
/// use game::{PliesLeft, Reason, examples::Nim};
///
/// let left = PliesLeft::new(2);
/// let heap: Nim = "5 a".parse()?;
/// assert_eq!(left.next().finish(&heap), None);
/// assert_eq!(left.next().next().finish(&heap).map(|finish| finish.reason), Some(Reason::MoveLimit));
/// assert_eq!(PliesLeft::UNLIMITED.next(), PliesLeft::UNLIMITED);
/// # Ok::<(), game::PositionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PliesLeft(u32);

impl PliesLeft {
    /// No limit.
    pub const UNLIMITED: Self = Self(u32::MAX);

    /// This many plies. [`u32::MAX`], more than any game has, means no limit.
    pub const fn new(plies: u32) -> Self {
        Self(plies)
    }

    /// The count, if there is a limit.
    pub const fn count(self) -> Option<u32> {
        if self.0 == u32::MAX { None } else { Some(self.0) }
    }

    /// The plies left after one more ply, at least zero.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        self.after(1)
    }

    /// The plies left after this many more plies.
    #[inline]
    #[must_use]
    pub const fn after(self, plies: u32) -> Self {
        if self.0 == u32::MAX { self } else { Self(self.0.saturating_sub(plies)) }
    }

    /// Whether this many plies may be played.
    #[inline]
    pub const fn allows(self, plies: u32) -> bool {
        plies <= self.0
    }

    /// `plies`, but no more than are left.
    #[inline]
    pub const fn at_most(self, plies: u32) -> u32 {
        if plies < self.0 { plies } else { self.0 }
    }

    /// The finish of the game if a move has led to this position and this many plies are left; `None` if the game goes
    /// on. The order of judgement is: the board, the move limit, a side to move that is stuck.
    pub fn finish<P: Position>(self, p: &P) -> Option<Finish> {
        self.finish_unless_stuck(p).or_else(|| {
            p.is_stuck().then(|| Finish { outcome: P::STUCK.outcome(p.side_to_move()), reason: Reason::Stuck })
        })
    }

    /// Like [`finish`](Self::finish), but without the check for a stuck side to move. A search generates the moves
    /// later anyway, and then sees that there are none.
    #[inline]
    pub fn finish_unless_stuck<P: Position>(self, p: &P) -> Option<Finish> {
        match p.decided() {
            Some(outcome) => Some(Finish { outcome, reason: Reason::Board }),
            None if self.0 == 0 => Some(Finish { outcome: Outcome::Draw, reason: Reason::MoveLimit }),
            None => None,
        }
    }
}

/// Unlimited.
impl Default for PliesLeft {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// `None` is unlimited.
impl From<Option<u32>> for PliesLeft {
    fn from(count: Option<u32>) -> Self {
        count.map_or(Self::UNLIMITED, Self)
    }
}

/// `7 plies left`, `no limit`.
impl fmt::Display for PliesLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count() {
            Some(1) => f.write_str("1 ply left"),
            Some(n) => write!(f, "{n} plies left"),
            None => f.write_str("no limit"),
        }
    }
}
