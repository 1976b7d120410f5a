//! A progress bar for all long work.

use std::io::{IsTerminal, Write, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Minimum time between two lines of progress where standard error is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A progress line on standard error. It is shown only on a terminal, except for a bar from [`Bar::with_lines`], and
/// never in quiet mode.
pub struct Bar {
    output: Output,
    began: Instant,
    /// Amount of work that was done before the bar started.
    before: u64,
    /// Time from the start to the last line, in milliseconds.
    last_line: AtomicU64,
}

/// The form in which progress is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Nothing,
    /// One line that is overwritten, for terminals.
    Bar,
    /// A line every ten seconds, for files and pipes.
    Lines,
}

impl Bar {
    /// Creates a bar for work of which `before` is already done.
    pub fn new(quiet: bool, before: u64) -> Self {
        let output = if !quiet && stderr().is_terminal() { Output::Bar } else { Output::Nothing };
        Self { output, began: Instant::now(), before, last_line: AtomicU64::new(0) }
    }

    /// Returns a bar that writes a line every ten seconds where standard error is not a terminal, for work that takes
    /// minutes and prints nothing else.
    pub fn with_lines(quiet: bool, before: u64) -> Self {
        let bar = Self::new(quiet, before);
        if quiet || bar.output == Output::Bar { bar } else { Self { output: Output::Lines, ..bar } }
    }

    /// Shows the amount of finished work, with a text.
    pub fn show(&self, done: u64, all: u64, text: &str) {
        // Progress is best effort; write errors are ignored.
        match self.output {
            Output::Bar => {
                let filled = (20 * done / all.max(1)).min(20) as usize;
                let bar = ["#".repeat(filled), ".".repeat(20 - filled)].concat();
                let _ = write!(stderr(), "\r\x1b[K[{bar}] {text}  {} ", self.left(done, all));
            }
            Output::Lines if self.is_line_due(self.began.elapsed()) => {
                let _ = writeln!(stderr(), "{text}  {}", self.left(done, all));
            }
            Output::Lines | Output::Nothing => (),
        }
    }

    /// Returns the rate and the remaining time; empty until something is done.
    fn left(&self, done: u64, all: u64) -> String {
        match done.saturating_sub(self.before) {
            0 => String::new(),
            fresh => {
                let each = self.began.elapsed().as_secs_f64() / fresh as f64;
                format!("{}, {}", rate(1.0 / each), time(each * all.saturating_sub(done) as f64))
            }
        }
    }

    /// Returns `true` if enough time has passed since the last line. In that case, records `elapsed` as the time of the
    /// next line.
    fn is_line_due(&self, elapsed: Duration) -> bool {
        let last = Duration::from_millis(self.last_line.load(Ordering::Relaxed));
        let is_due = elapsed.saturating_sub(last) >= BETWEEN_LINES;
        if is_due {
            self.last_line.store(elapsed.as_millis() as u64, Ordering::Relaxed);
        }
        is_due
    }

    /// Removes the bar.
    pub fn clear(&self) {
        if self.output == Output::Bar {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

/// Formats a rate per second, or per minute if it is low.
fn rate(a_second: f64) -> String {
    match a_second {
        r if r >= 1e6 => format!("{:.1} M/s", r / 1e6),
        r if r >= 10.0 => format!("{r:.0}/s"),
        r if r >= 0.5 => format!("{r:.1}/s"),
        r => format!("{:.1}/min", 60.0 * r),
    }
}

/// Formats the remaining time.
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
    use super::*;

    #[test]
    fn without_a_terminal_a_line_is_written_every_ten_seconds() {
        let bar = Bar::with_lines(false, 0);
        let due = [0, 9, 10, 11, 19, 20, 45, 54, 55].map(|seconds| bar.is_line_due(Duration::from_secs(seconds)));
        assert_eq!(due, [false, false, true, false, false, true, true, false, true]);
        assert!(Bar::with_lines(true, 0).output == Output::Nothing);
    }

    #[test]
    fn times_and_rates_as_people_read_them() {
        let texts = [4.4, 65.0, 3723.0].map(super::time);
        assert_eq!(texts, ["4 s left", "1:05 left", "1:02:03 left"]);
        assert_eq!([2.5e6, 43.2, 3.1, 0.05].map(super::rate), ["2.5 M/s", "43/s", "3.1/s", "3.0/min"]);
    }
}
