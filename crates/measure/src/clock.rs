//! Clocks of matches.

use core::fmt;
use core::str::FromStr;
use std::time::Duration;

use engine::limits_on_clock;
use search::Limits;
use thiserror::Error;

/// The time control of a game: each player's time for all moves, and the increment after each move.
///
/// ```
/// use measure::clock::GameClock;
///
/// let clock: GameClock = "60+0.6".parse()?;
/// assert_eq!((clock.time.as_secs(), clock.increment.as_millis()), (60, 600));
/// assert_eq!(clock.to_string(), "60+0.6");
/// assert!("a minute".parse::<GameClock>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameClock {
    /// Time for all moves.
    pub time: Duration,
    /// Increment after each move.
    pub increment: Duration,
}

/// The error for a text that is not a time control.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected seconds for a game, optionally followed by `+` and seconds for each move, such as `60+0.6`; at most a day"
)]
pub struct NoClock;

/// Maximum time, in seconds.
const LONGEST: f64 = 86_400.0;

impl FromStr for GameClock {
    type Err = NoClock;

    fn from_str(text: &str) -> Result<Self, NoClock> {
        let seconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds));
            seconds.map(Duration::from_secs_f64).ok_or(NoClock)
        };
        let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
        let clock = Self { time: seconds(time)?, increment: seconds(increment)? };
        if clock.time.is_zero() { Err(NoClock) } else { Ok(clock) }
    }
}

impl fmt::Display for GameClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.time.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// Both players' clocks in a game.
pub(crate) struct Clocks {
    clock: GameClock,
    left: [Duration; 2],
}

impl Clocks {
    pub(crate) fn new(clock: GameClock) -> Self {
        Self { clock, left: [clock.time; 2] }
    }

    /// Returns the limits of a player for its next move.
    pub(crate) fn limits(&self, player: usize, own: Limits) -> Limits {
        limits_on_clock(own, self.left[player], self.clock.increment)
    }

    /// Subtracts the time of a move and adds the increment. Returns `true` if the move was in time.
    pub(crate) fn moved(&mut self, player: usize, took: Duration) -> bool {
        match self.left[player].checked_sub(took) {
            Some(left) => {
                self.left[player] = left + self.clock.increment;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_and_wrong_ones_refused() {
        for (text, shown) in [("60", "60+0"), ("0.5+0.01", "0.5+0.01"), (" 1 + 2 ", "1+2")] {
            assert_eq!(text.parse::<GameClock>().map(|clock| clock.to_string()).as_deref(), Ok(shown));
        }
        for text in ["", "0", "0+1", "-1", "1+-1", "1+1+1", "NaN", "1e9", "1m"] {
            assert_eq!(text.parse::<GameClock>(), Err(NoClock), "{text}");
        }
    }

    #[test]
    fn time_is_used_up_and_earned() {
        let second = Duration::from_secs(1);
        let mut clocks = Clocks::new("10+1".parse().expect("a clock"));
        assert!(clocks.moved(0, 4 * second) && clocks.moved(1, second));
        assert_eq!(clocks.left, [7 * second, 10 * second]);
        let limits = clocks.limits(0, Limits::nodes(5));
        assert_eq!((limits.nodes, limits.optimum), (Some(5), Some(engine::time_for_move(7 * second, second))));
        assert!(clocks.moved(0, 7 * second), "the last moment is in time");
        assert!(!clocks.moved(0, 2 * second));
    }
}
