use std::time::Duration;

use game::Side;
use protocol::TimeLeft;

/// The time that players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The most for each move.
    pub move_time: Option<Duration>,
    /// For all moves of a game together.
    pub game_time: Option<Duration>,
    /// Time that each move adds to the game's time.
    pub increment: Duration,
    /// Time to get ready for a game. It is not on the clock.
    pub start_time: Duration,
}

impl Default for TimeControl {
    /// Five seconds a move.
    fn default() -> Self {
        Self {
            move_time: Some(Duration::from_secs(5)),
            game_time: None,
            increment: Duration::ZERO,
            start_time: Duration::from_secs(10),
        }
    }
}

/// The two clocks of a game.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    control: TimeControl,
    left: [Option<Duration>; 2],
}

impl Clocks {
    /// Both clocks at the start of a game.
    pub fn new(control: TimeControl) -> Self {
        Self { control, left: [control.game_time; 2] }
    }

    /// The clock of the side to move.
    pub fn of(&self, side: Side) -> TimeLeft {
        let limit = match (self.control.move_time, self.left[side.index()]) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        TimeLeft { limit, left: self.left, increment: self.control.increment }
    }

    /// Takes the time of a move off a side's clock, adds the increment, and returns the rest.
    pub fn take(&mut self, side: Side, time: Duration) -> Option<Duration> {
        let left = &mut self.left[side.index()];
        *left = left.map(|left| left.saturating_sub(time) + self.control.increment);
        *left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_limit_applies_and_a_move_takes_its_time_off_the_clock() {
        let second = Duration::from_secs;
        let control = TimeControl {
            move_time: Some(second(3)),
            game_time: Some(second(5)),
            increment: second(1),
            ..TimeControl::default()
        };
        let mut clocks = Clocks::new(control);
        assert_eq!(clocks.of(Side::First).limit, Some(second(3)));
        assert_eq!(clocks.take(Side::First, second(4)), Some(second(2)));
        assert_eq!(clocks.of(Side::First).limit, Some(second(2)));
        assert_eq!(
            clocks.of(Side::Second),
            TimeLeft { limit: Some(second(3)), left: [Some(second(2)), Some(second(5))], increment: second(1) }
        );
        assert_eq!(Clocks::new(TimeControl::default()).take(Side::First, second(4)), None);
    }
}
