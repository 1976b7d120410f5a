//! The clock and threads of a search. The caller provides them, because some targets have neither.

use core::fmt::Debug;
use core::time::Duration;
use std::sync::{Mutex, PoisonError};

/// A monotonic clock. Returns the time since a fixed moment.
pub type Clock = fn() -> Duration;

/// A way to run jobs in parallel.
pub trait Threads: Debug + Sync {
    /// Runs `lead` on the calling thread and, in parallel, `help(0)` to `help(helpers - 1)` once each. Returns when all
    /// have ended. Without threads, runs the helpers one after the other after `lead`.
    fn run(&self, lead: &mut dyn FnMut(), helpers: usize, help: &(dyn Fn(usize) + Sync));
}

/// Sequential execution without threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequential;

impl Threads for Sequential {
    fn run(&self, lead: &mut dyn FnMut(), helpers: usize, help: &(dyn Fn(usize) + Sync)) {
        lead();
        (0..helpers).for_each(help);
    }
}

/// The clock and threads that a search may use. [`SYSTEM`](crate::system::SYSTEM) provides those of the operating
/// system.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// Clock, if any. Without one, time limits have no effect; see
    /// [`Limits::movetime`](crate::control::Limits::movetime).
    pub clock: Option<Clock>,
    /// Threads of the search.
    pub threads: &'static dyn Threads,
}

impl Host {
    /// A host without a clock or threads, on which every search is reproducible.
    pub const NONE: Self = Self { clock: None, threads: &Sequential };
}

/// Returns [`Host::NONE`].
impl Default for Host {
    fn default() -> Self {
        Self::NONE
    }
}

/// Runs `job(0)` to `job(count - 1)` in parallel, the first on the calling thread, and returns their results in order.
///
/// # Panics
/// Panics if `threads` does not run all jobs.
pub fn side_by_side<R: Send>(threads: &dyn Threads, count: usize, job: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let results: Vec<Mutex<Option<R>>> = (0..count).map(|_| Mutex::new(None)).collect();
    let run = |number: usize| {
        let result = job(number);
        *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    };
    if count > 0 {
        threads.run(&mut || run(0), count - 1, &|helper| run(helper + 1));
    }
    let results = results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner));
    results.map(|result| result.expect("invariant: every job has run")).collect()
}
