use core::time::Duration;

/// The time that is left for a game is divided by this many moves.
const MOVES_TO_COME: u32 = 25;

/// The time for the next move of a player that has `left` for all its moves and gets `increment` after each: never more
/// than nine tenths of what is left.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_increment_is_never_spent_before_it_is_there() {
        let (left, increment) = (Duration::from_millis(10), Duration::from_secs(1));
        assert_eq!(time_for_move(left, increment), Duration::from_millis(9));
        assert_eq!(time_for_move(Duration::from_secs(25), increment), Duration::from_millis(1_800));
    }
}
