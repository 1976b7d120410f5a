//! Minimum rates of uploads.

use std::time::Duration;

use tokio::time::Instant;

/// Minimum rate and maximum duration of an upload.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// Time in which at least [`least`](Self::least) bytes must arrive.
    pub span: Duration,
    /// Minimum number of bytes in each [`span`](Self::span).
    pub least: u64,
    /// Maximum duration of an upload.
    pub whole: Duration,
}

/// 4 KiB a second, a tenth of what a bad mobile connection provides.
impl Default for Pace {
    fn default() -> Self {
        Self { span: Duration::from_secs(30), least: 120 << 10, whole: Duration::from_mins(30) }
    }
}

/// The progress of an upload.
pub(super) struct Progress {
    pace: Pace,
    end: Instant,
    /// End of the current span, and the number of bytes in it.
    next: Instant,
    bytes: u64,
}

impl Progress {
    pub(super) fn new(pace: Pace) -> Self {
        let now = Instant::now();
        Self { pace, end: now + pace.whole, next: now + pace.span, bytes: 0 }
    }

    /// Returns the time until which more bytes must arrive.
    pub(super) fn deadline(&self) -> Instant {
        self.next.min(self.end)
    }

    /// Records received bytes. Returns `false` if the maximum duration is over.
    pub(super) fn advance(&mut self, bytes: usize) -> bool {
        self.bytes += bytes as u64;
        let now = Instant::now();
        if self.bytes >= self.pace.least {
            (self.next, self.bytes) = (now + self.pace.span, 0);
        }
        now < self.end
    }
}
