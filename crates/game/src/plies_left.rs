use core::fmt;

use crate::outcome::{Finish, Outcome, Reason};
use crate::position::Position;

/// The number of plies left until the move limit draws the game; unlimited by default.
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

    /// Creates a limit of this many plies. [`u32::MAX`], which no game reaches, means no limit.
    pub const fn new(plies: u32) -> Self {
        Self(plies)
    }

    /// Returns the number of plies; `None` if there is no limit.
    pub const fn count(self) -> Option<u32> {
        if self.0 == u32::MAX { None } else { Some(self.0) }
    }

    /// Returns the plies left after one more ply, at least zero.
    #[inline]
    #[must_use]
    pub const fn next(self) -> Self {
        self.after(1)
    }

    /// Returns the plies left after this many more plies, at least zero.
    #[inline]
    #[must_use]
    pub const fn after(self, plies: u32) -> Self {
        if self.0 == u32::MAX { self } else { Self(self.0.saturating_sub(plies)) }
    }

    /// Returns `true` if this many plies may be played.
    #[inline]
    pub const fn allows(self, plies: u32) -> bool {
        plies <= self.0
    }

    /// Returns the smaller of `plies` and the plies left.
    #[inline]
    pub const fn at_most(self, plies: u32) -> u32 {
        if plies < self.0 { plies } else { self.0 }
    }

    /// Returns the result of a game whose last move led to this position, with this many plies left; `None` if the game
    /// continues. It checks the board first, then the move limit, then whether the side to move is stuck.
    pub fn finish<P: Position>(self, p: &P) -> Option<Finish> {
        self.finish_unless_stuck(p).or_else(|| {
            p.is_stuck().then(|| Finish { outcome: P::STUCK.outcome(p.side_to_move()), reason: Reason::Stuck })
        })
    }

    /// Like [`finish`](Self::finish), but without the check for a stuck side to move. A search generates the moves
    /// later anyway and detects this case then.
    #[inline]
    pub fn finish_unless_stuck<P: Position>(self, p: &P) -> Option<Finish> {
        match p.decided() {
            Some(outcome) => Some(Finish { outcome, reason: Reason::Board }),
            None if self.0 == 0 => Some(Finish { outcome: Outcome::Draw, reason: Reason::MoveLimit }),
            None => None,
        }
    }
}

/// The default is no limit.
impl Default for PliesLeft {
    fn default() -> Self {
        Self::UNLIMITED
    }
}

/// `None` means no limit.
impl From<Option<u32>> for PliesLeft {
    fn from(count: Option<u32>) -> Self {
        count.map_or(Self::UNLIMITED, Self)
    }
}

/// Writes `7 plies left` or `no limit`.
impl fmt::Display for PliesLeft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count() {
            Some(1) => f.write_str("1 ply left"),
            Some(n) => write!(f, "{n} plies left"),
            None => f.write_str("no limit"),
        }
    }
}
