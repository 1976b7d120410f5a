//! One progress bar for all long work.

use std::io::{IsTerminal, Write, stderr};
use std::time::Instant;

/// A progress line on standard error. It is shown only on a terminal, and never in quiet mode.
pub struct Bar {
    shown: bool,
    began: Instant,
    /// The work that was done before the bar began.
    before: u64,
}

impl Bar {
    /// A bar for work of which this much is already done.
    pub fn new(quiet: bool, before: u64) -> Self {
        Self { shown: !quiet && stderr().is_terminal(), began: Instant::now(), before }
    }

    /// Shows how much is done, with a text.
    pub fn show(&self, done: u64, all: u64, text: &str) {
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

    /// Removes the bar.
    pub fn clear(&self) {
        if self.shown {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// A rate for each second, or for each minute if it is low.
fn rate(a_second: f64) -> String {
    match a_second {
        r if r >= 1e6 => format!("{:.1} M/s", r / 1e6),
        r if r >= 10.0 => format!("{r:.0}/s"),
        r if r >= 0.5 => format!("{r:.1}/s"),
        r => format!("{:.1}/min", 60.0 * r),
    }
}

/// The remaining time.
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
