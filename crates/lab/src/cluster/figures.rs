//! Measured figures and their display.

use std::fmt;
use std::time::Duration;

use serde::Serialize;

/// Statistics of the durations of calls, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Latency {
    /// Number of calls.
    pub calls: usize,
    /// Mean.
    pub mean: f64,
    /// Median.
    pub median: f64,
    /// 95th percentile.
    pub p95: f64,
    /// 99th percentile.
    pub p99: f64,
    /// Maximum.
    pub longest: f64,
}

impl Latency {
    /// Computes the statistics of calls from their durations, in microseconds.
    pub fn of(mut calls: Vec<u32>) -> Self {
        calls.sort_unstable();
        let Some(&longest) = calls.last() else { return Self::default() };
        let milliseconds = |micros: u32| f64::from(micros) / 1e3;
        let quantile = |share: f64| milliseconds(calls[((calls.len() - 1) as f64 * share).round() as usize]);
        let sum: u64 = calls.iter().map(|&micros| u64::from(micros)).sum();
        Self {
            calls: calls.len(),
            mean: sum as f64 / calls.len() as f64 / 1e3,
            median: quantile(0.5),
            p95: quantile(0.95),
            p99: quantile(0.99),
            longest: milliseconds(longest),
        }
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mean, median, p95, p99, longest, .. } = self;
        write!(f, "mean {mean:.1} ms, median {median:.1}, 95 % {p95:.1}, 99 % {p99:.1}, longest {longest:.0}")
    }
}

/// Converts a time to microseconds, for [`Latency::of`].
pub(super) fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}
