//! One progress bar for everything that takes long.

use std::io::{IsTerminal, Write, stderr};
use std::time::Instant;

/// A line on standard error that shows how far something has come. Shown on a terminal only, and never when quiet.
pub(crate) struct Bar {
    shown: bool,
    began: Instant,
    /// What was done before we began.
    before: u64,
}

impl Bar {
    /// A bar for something of which so much is done already.
    pub(crate) fn new(quiet: bool, before: u64) -> Self {
        Self { shown: !quiet && stderr().is_terminal(), began: Instant::now(), before }
    }

    /// Shows how much is done; `text` says it in words.
    pub(crate) fn show(&self, done: u64, all: u64, text: &str) {
        if !self.shown {
            return;
        }
        let filled = (20 * done / all.max(1)).min(20) as usize;
        let bar = ["#".repeat(filled), ".".repeat(20 - filled)].concat();
        let fresh = done.saturating_sub(self.before);
        let left = match fresh {
            0 => String::new(),
            _ => {
                let each = self.began.elapsed().as_secs_f64() / fresh as f64;
                format!("{}, {}", rate(1.0 / each), time(each * all.saturating_sub(done) as f64))
            }
        };
        let _ = write!(stderr(), "\r\x1b[K[{bar}] {text}  {left} ");
    }

    /// Takes the bar away.
    pub(crate) fn clear(&self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// How many a second, or a minute where that is few.
fn rate(a_second: f64) -> String {
    match a_second {
        r if r >= 1e6 => format!("{:.1} M/s", r / 1e6),
        r if r >= 10.0 => format!("{r:.0}/s"),
        r if r >= 0.5 => format!("{r:.1}/s"),
        r => format!("{:.1}/min", 60.0 * r),
    }
}

/// A time that is left.
fn time(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s left"),
        (0, m, s) => format!("{m}:{s:02} left"),
        (h, m, s) => format!("{h}:{m:02}:{s:02} left"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_and_rates_as_people_read_them() {
        let texts = [4.4, 65.0, 3723.0].map(super::time);
        assert_eq!(texts, ["4 s left", "1:05 left", "1:02:03 left"]);
        assert_eq!([2.5e6, 43.2, 3.1, 0.05].map(super::rate), ["2.5 M/s", "43/s", "3.1/s", "3.0/min"]);
    }
}
