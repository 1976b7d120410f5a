//! The rate at which games are played.

use std::collections::VecDeque;

use jiff::Timestamp;

/// Period over which the rate is measured, in seconds.
const WINDOW: f64 = 300.0;
/// Minimum number of games in the window. With fewer, the rate is measured over the whole run.
const MIN_GAMES: usize = 10;
/// Minimum duration of the run before a rate is known, in seconds.
const MIN_SECONDS: f64 = 2.0;

/// The end times of the latest games, in seconds since 1970.
#[derive(Default)]
pub(crate) struct Pace {
    ends: VecDeque<f64>,
}

impl Pace {
    /// Records the end of a game.
    pub(crate) fn record(&mut self, end: f64) {
        const MAX_ENDS: usize = 10_000;
        self.ends.truncate(MAX_ENDS - 1);
        self.ends.push_front(end);
    }

    /// Returns the rate at the time `now`, in games per minute. The run began `running` seconds earlier.
    pub(crate) fn per_minute(&self, now: f64, running: f64) -> Option<f64> {
        let games = |window: f64| self.ends.iter().filter(|&&end| end > now - window).count();
        let rate = |games: usize, window: f64| 60.0 * games as f64 / window;
        if running < MIN_SECONDS {
            return None;
        }
        let window = running.min(WINDOW);
        let found = match games(window) {
            few if few < MIN_GAMES => rate(games(running), running),
            enough => rate(enough, window),
        };
        (found > 0.0).then_some(found)
    }
}

/// Converts a time in UTC, such as `2026-03-01T12:00:00.250Z`, to seconds since 1970.
pub(crate) fn seconds_of(text: &str) -> Option<f64> {
    let time: Timestamp = text.parse().ok()?;
    Some(time.as_duration().as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [
            ("1970-01-01T00:00:00.000Z", 0.0),
            ("2000-02-29T12:30:01.500Z", 951_827_401.5),
            ("2026-03-01T00:00:00.000Z", 1_772_323_200.0),
        ] {
            assert_eq!(seconds_of(text), Some(seconds), "{text}");
        }
        for text in ["", "2024", "2026-03-01", "2026-13-01T00:00:00Z", "x-03-01T00:00:00Z"] {
            assert_eq!(seconds_of(text), None, "{text}");
        }
    }

    #[test]
    fn the_rate_is_that_of_late_and_of_this_run() {
        let mut pace = Pace::default();
        (0..50).for_each(|n| pace.record(f64::from(n)));
        assert_eq!(pace.per_minute(50.0, 1.0), None, "too early");
        assert_eq!(pace.per_minute(100.0, 25.0), None, "the games are those of an earlier run");
        let rate = pace.per_minute(50.0, 50.0).expect("a rate");
        assert!((rate - 58.8).abs() < 0.1, "{rate}");
        // Too few games in the window: the whole run counts.
        assert_eq!(pace.per_minute(600.0, 601.0).map(f64::round), Some(5.0));
        (0..20).for_each(|n| pace.record(1000.0 + f64::from(n)));
        assert_eq!(pace.per_minute(1020.0, 1020.0), Some(4.0), "20 games in five minutes");
    }
}
