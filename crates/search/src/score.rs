use core::fmt;
use core::ops::Neg;

use game::{Outcome, Side};

use crate::mcts::numbers;

/// The value of a position for the side to move: an evaluation in hundredths of a piece, or a win or loss in a number
/// of plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// The score of a position in which neither side is better.
    pub const DRAW: Self = Self(0);
    /// A score above every score that occurs.
    pub(crate) const INFINITE: Self = Self(Self::MATE + 1);
    const MATE: i32 = 32_000;
    /// Maximum length of a win or loss that is distinguishable from an evaluation, in plies.
    const LONGEST: i32 = 1_000;
    /// Maximum absolute value of an evaluation, in hundredths of a piece.
    pub const MOST_UNITS: i32 = Self::MATE - Self::LONGEST - 1;

    /// Returns an evaluation in hundredths of a piece, clamped to ±[`MOST_UNITS`](Self::MOST_UNITS).
    #[inline]
    pub const fn units(units: i32) -> Self {
        if units > Self::MOST_UNITS {
            Self(Self::MOST_UNITS)
        } else if units < -Self::MOST_UNITS {
            Self(-Self::MOST_UNITS)
        } else {
            Self(units)
        }
    }

    /// Returns the score of a win for the side to move in this many plies. 1 means that its next move wins.
    #[inline]
    pub const fn win_in(plies: u32) -> Self {
        Self(Self::MATE - plies as i32)
    }

    /// Returns the score of a loss for the side to move in this many plies. 0 means that it has already lost.
    #[inline]
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - Self::MATE)
    }

    /// Returns the score of an outcome `plies` plies from the root, for the side that is to move after those plies.
    #[inline]
    pub fn of_outcome(outcome: Outcome, side_to_move: Side, plies: u32) -> Self {
        match outcome {
            Outcome::Draw => Self::DRAW,
            Outcome::Win(side) if side == side_to_move => Self::win_in(plies),
            Outcome::Win(_) => Self::loss_in(plies),
        }
    }

    /// Returns the number of plies to a proven win; `None` for any other score.
    pub const fn win_distance(self) -> Option<u32> {
        if self.0 >= Self::MATE - Self::LONGEST { Some((Self::MATE - self.0) as u32) } else { None }
    }

    /// Returns the number of plies to a proven loss; `None` for any other score.
    pub const fn loss_distance(self) -> Option<u32> {
        if self.0 <= Self::LONGEST - Self::MATE { Some((self.0 + Self::MATE) as u32) } else { None }
    }

    /// Returns the raw number, for storage in tables.
    pub(crate) const fn raw(self) -> i32 {
        self.0
    }

    pub(crate) const fn from_raw(raw: i32) -> Self {
        Self(raw)
    }

    /// Returns the next higher score, the upper bound of a null window.
    pub(crate) const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Converts "plies from the root" to "plies from this node", the form stored in tables.
    pub(crate) const fn to_table(self, ply: u32) -> Self {
        match (self.win_distance(), self.loss_distance()) {
            (Some(_), _) => Self(self.0 + ply as i32),
            (_, Some(_)) => Self(self.0 - ply as i32),
            _ => self,
        }
    }

    /// Converts "plies from this node" back to "plies from the root".
    pub(crate) const fn at_ply(self, ply: u32) -> Self {
        match (self.win_distance(), self.loss_distance()) {
            (Some(_), _) => Self(self.0 - ply as i32),
            (_, Some(_)) => Self(self.0 + ply as i32),
            _ => self,
        }
    }

    /// Returns the expected result, from -1 (loss) to 1 (win).
    pub fn expected_result(self) -> f64 {
        match (self.win_distance(), self.loss_distance()) {
            (Some(_), _) => 1.0,
            (_, Some(_)) => -1.0,
            _ => numbers::expected_result(self.0),
        }
    }

    /// Returns the evaluation in hundredths of a piece; `None` for a win or a loss.
    pub const fn as_units(self) -> Option<i32> {
        if self.win_distance().is_none() && self.loss_distance().is_none() { Some(self.0) } else { None }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Formats the score as `+0.37`, `win in 5` or `loss in 8`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.win_distance(), self.loss_distance()) {
            (Some(plies), _) => write!(f, "win in {plies}"),
            (_, Some(plies)) => write!(f, "loss in {plies}"),
            _ => write!(f, "{:+.2}", f64::from(self.0) / 100.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shorter_wins_and_longer_losses_are_better() {
        assert!(Score::win_in(1) > Score::win_in(3));
        assert!(Score::win_in(900) > Score::units(i32::MAX));
        assert!(Score::loss_in(4) > Score::loss_in(2));
        assert_eq!(-Score::win_in(3), Score::loss_in(3));
        assert_eq!(Score::win_in(5).to_table(2).at_ply(2), Score::win_in(5));
        assert_eq!(Score::win_in(5).to_string(), "win in 5");
        assert_eq!(Score::units(-37).to_string(), "-0.37");
        let results =
            [Score::loss_in(9), Score::units(-400), Score::DRAW, Score::win_in(2)].map(Score::expected_result);
        assert!((results[1] + 9.0 / 11.0).abs() < 1e-9, "{results:?}");
        assert!(results[0] <= -1.0 && results[2].abs() < 1e-9 && results[3] >= 1.0, "{results:?}");
    }
}
