use std::time::Duration;

use game::Side;
use protocol::TimeLeft;

/// The time control and search limits of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// Maximum time for each move.
    pub move_time: Option<Duration>,
    /// Total time for all moves of a game.
    pub game_time: Option<Duration>,
    /// Time that each move adds to the game's time.
    pub increment: Duration,
    /// Maximum time to start, before a game and again after a fault. It does not count against the clock.
    pub start_time: Duration,
    /// Tolerated delay of an answer after its time limit. The delay is still subtracted from the game's time.
    pub margin: Duration,
    /// Maximum number of positions that the search for a move may visit.
    pub nodes: Option<u64>,
    /// Maximum depth of the search for a move, in plies.
    pub depth: Option<u32>,
}

impl Default for TimeControl {
    /// Returns a limit of five seconds per move.
    fn default() -> Self {
        Self {
            move_time: Some(Duration::from_secs(5)),
            game_time: None,
            increment: Duration::ZERO,
            start_time: Duration::from_secs(10),
            margin: Duration::ZERO,
            nodes: None,
            depth: None,
        }
    }
}

/// The two clocks of a game.
#[derive(Clone, Copy, Debug)]
pub struct Clocks {
    control: [TimeControl; 2],
    left: [Option<Duration>; 2],
}

impl Clocks {
    /// Creates both clocks at the start of a game, with the limits of the first and the second side.
    pub fn new(control: [TimeControl; 2]) -> Self {
        Self { control, left: control.map(|control| control.game_time) }
    }

    /// Returns the remaining time and the limits of a side that is to move.
    pub fn of(&self, side: Side) -> TimeLeft {
        let own = self.control[side.index()];
        let limit = match (own.move_time, self.left[side.index()]) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let increment = self.control.map(|control| control.increment);
        TimeLeft { limit, left: self.left, increment, margin: own.margin, nodes: own.nodes, depth: own.depth }
    }

    /// Subtracts the time of a move from a side's clock, adds the increment, and returns the remaining time.
    pub fn take(&mut self, side: Side, time: Duration) -> Option<Duration> {
        let left = &mut self.left[side.index()];
        *left = left.map(|left| left.saturating_sub(time) + self.control[side.index()].increment);
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
        let mut clocks = Clocks::new([control; 2]);
        assert_eq!(clocks.of(Side::First).limit, Some(second(3)));
        assert_eq!(clocks.take(Side::First, second(4)), Some(second(2)));
        assert_eq!(clocks.of(Side::First).limit, Some(second(2)));
        assert_eq!(
            clocks.of(Side::Second),
            TimeLeft {
                limit: Some(second(3)),
                left: [Some(second(2)), Some(second(5))],
                increment: [second(1); 2],
                ..TimeLeft::default()
            }
        );
        assert_eq!(Clocks::new([TimeControl::default(); 2]).take(Side::First, second(4)), None);
    }

    #[test]
    fn each_side_has_its_own_limits() {
        let second = Duration::from_secs;
        let quick = TimeControl { move_time: None, game_time: Some(second(9)), ..TimeControl::default() };
        let deep = TimeControl { nodes: Some(50), depth: Some(4), margin: second(1), ..TimeControl::default() };
        let mut clocks = Clocks::new([quick, deep]);
        assert_eq!(
            (clocks.take(Side::First, second(4)), clocks.take(Side::Second, second(4))),
            (Some(second(5)), None)
        );
        let (first, other) = (clocks.of(Side::First), clocks.of(Side::Second));
        assert_eq!((first.limit, first.nodes, first.patience()), (Some(second(5)), None, Some(second(5))));
        assert_eq!((other.limit, other.nodes, other.depth), (Some(second(5)), Some(50), Some(4)));
        assert_eq!((other.left, other.patience()), ([Some(second(5)), None], Some(second(6))));
    }
}
