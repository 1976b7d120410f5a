//! Clocks for the limits of a move and of a game, which count time like the courses' script.

use std::fmt;
use std::time::{Duration, Instant};

/// Unit in which the clocks count. The slice in which the awaited message arrives is not charged.
const SLICE: Duration = Duration::from_millis(50);

/// The clocks of one program.
pub(crate) struct Clock {
    of_move: Duration,
    of_game: Duration,
    /// Remainder of the game's limit.
    remaining: Duration,
}

/// The error for a wait that reached its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeUp {
    /// Duration of the wait.
    pub after: Duration,
    /// Limit of the game, if less time was left for the game than the limit of a move.
    pub of_game: Option<Duration>,
}

impl fmt::Display for TimeUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {:.1?}", self.after)?;
        match self.of_game {
            Some(limit) => write!(f, ", because the limit of {limit:.1?} for the game is used up"),
            None => Ok(()),
        }
    }
}

impl Clock {
    /// Creates a clock with the default limits, which apply without a `time` directive.
    pub(crate) fn new() -> Self {
        let of_game = Duration::from_mins(1);
        Self { of_move: Duration::from_secs(10), of_game, remaining: of_game }
    }

    /// Sets the limits of the following moves and games.
    pub(crate) fn set(&mut self, of_move: Duration, of_game: Duration) {
        (self.of_move, self.of_game) = (of_move, of_game);
    }

    /// Starts a game.
    pub(crate) fn start_game(&mut self) {
        self.remaining = self.of_game;
    }

    /// Waits for one message, up to this limit and the limit of a move.
    pub(crate) fn wait_briefly<T, E>(
        &self,
        limit: Duration,
        next: impl FnMut(Instant) -> Result<Option<T>, E>,
    ) -> Result<Result<T, TimeUp>, E> {
        let (found, _) = wait(self.of_move.min(limit), next)?;
        Ok(found.map_err(|after| TimeUp { after, of_game: None }))
    }

    /// Waits for a move or a result. `next` returns the message, or `None` if none arrived before the given instant.
    pub(crate) fn wait<T, E>(
        &mut self,
        next: impl FnMut(Instant) -> Result<Option<T>, E>,
    ) -> Result<Result<T, TimeUp>, E> {
        let of_game = (self.remaining < self.of_move).then_some(self.of_game);
        let (found, spent) = wait(self.of_move.min(self.remaining), next)?;
        self.remaining -= spent;
        Ok(found.map_err(|after| TimeUp { after, of_game }))
    }
}

/// Waits slice by slice. Returns the message, or the duration of the wait if no message arrived. Also returns the time
/// that counts.
fn wait<T, E>(
    limit: Duration,
    mut next: impl FnMut(Instant) -> Result<Option<T>, E>,
) -> Result<(Result<T, Duration>, Duration), E> {
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    while spent + SLICE <= limit {
        if let Some(found) = next(Instant::now() + SLICE)? {
            return Ok((Ok(found), spent));
        }
        spent += SLICE;
    }
    Ok((Err(start.elapsed()), spent))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waits for a message that arrives after this number of empty slices.
    fn wait_for(clock: &mut Clock, empty: usize) -> Result<(), Option<Duration>> {
        let mut slices = 0..empty;
        let found = clock.wait(|_| Ok::<_, ()>(slices.next().is_none().then_some(())));
        found.expect("no error").map_err(|up| up.of_game)
    }

    #[test]
    fn only_empty_slices_count() {
        let mut clock = Clock::new();
        clock.set(Duration::from_millis(200), Duration::from_millis(500));
        clock.start_game();
        for _ in 0..1_000 {
            assert_eq!(wait_for(&mut clock, 0), Ok(()));
        }
        assert_eq!(wait_for(&mut clock, 3), Ok(()));
        assert_eq!(wait_for(&mut clock, 4), Err(None), "the limit of a move");
        assert_eq!(wait_for(&mut clock, 1), Ok(()));
        assert_eq!(wait_for(&mut clock, 2), Err(Some(Duration::from_millis(500))), "the limit of the game");
        clock.start_game();
        assert_eq!(wait_for(&mut clock, 3), Ok(()));
    }

    #[test]
    fn a_limit_below_one_slice_leaves_no_time() {
        let mut clock = Clock::new();
        clock.set(Duration::from_millis(49), Duration::from_secs(1));
        assert_eq!(wait_for(&mut clock, 0), Err(None));
    }
}
