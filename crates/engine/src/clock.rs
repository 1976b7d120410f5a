use core::time::Duration;

use search::Limits;

/// Assumed number of moves still to come, by which the remaining time is divided.
const MOVES_TO_COME: u32 = 25;

/// Returns the time for a player's next move, at most nine tenths of `left`. The player has `left` for all its
/// remaining moves and gets `increment` after each move.
///
/// ```
/// use std::time::Duration;
///
/// let minute = Duration::from_secs(60);
/// assert_eq!(engine::time_for_move(minute, Duration::ZERO), minute / 25);
/// ```
pub fn time_for_move(left: Duration, increment: Duration) -> Duration {
    (left / MOVES_TO_COME + increment * 4 / 5).min(left * 9 / 10)
}

/// Maximum time for a move, as a multiple of [`time_for_move`].
const LONGEST: u32 = 4;
/// Divisor of the remaining time. The quotient also limits the time for a move, unless it is less than
/// [`time_for_move`].
const LONGEST_SHARE: u32 = 3;

/// Returns the player's own limits combined with those of a game clock: on average [`time_for_move`], and more when the
/// best move changes ([`Limits::optimum`]).
///
/// ```
/// use std::time::Duration;
/// use search::Limits;
///
/// let limits = engine::limits_on_clock(Limits::depth(20), Duration::from_secs(60), Duration::ZERO);
/// assert_eq!(limits.depth, Some(20));
/// assert_eq!(limits.optimum, Some(Duration::from_millis(2_400)));
/// assert_eq!(limits.movetime, Some(Duration::from_millis(9_600)));
/// ```
pub fn limits_on_clock(own: Limits, left: Duration, increment: Duration) -> Limits {
    let optimum = time_for_move(left, increment);
    let longest = optimum.saturating_mul(LONGEST).min(left / LONGEST_SHARE).max(optimum);
    let movetime = own.movetime.map_or(longest, |own| own.min(longest));
    Limits { optimum: Some(optimum), movetime: Some(movetime), ..own }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_move_leaves_time_for_the_next_ones() {
        let seconds = Duration::from_secs;
        for (left, increment) in [(60, 0), (60, 1), (10, 5), (1, 10), (0, 3)] {
            let (left, limits) = (seconds(left), limits_on_clock(Limits::default(), seconds(left), seconds(increment)));
            let (optimum, longest) = (limits.optimum.expect("an optimum"), limits.movetime.expect("a limit"));
            assert!(optimum <= longest && longest <= left * 9 / 10, "{left:?}: {limits:?}");
        }
    }

    #[test]
    fn an_increment_is_never_spent_before_it_is_there() {
        let (left, increment) = (Duration::from_millis(10), Duration::from_secs(1));
        assert_eq!(time_for_move(left, increment), Duration::from_millis(9));
        assert_eq!(time_for_move(Duration::from_secs(25), increment), Duration::from_millis(1_800));
    }
}
