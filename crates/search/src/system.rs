//! The clock and the threads of the operating system: the only part of this crate that uses the machine. Programs pass
//! [`SYSTEM`] to searches and proofs.

use std::sync::OnceLock;
use std::thread::{self, Builder};
use std::time::{Duration, Instant};

use crate::host::{Host, Threads};

/// The clock and the threads of this machine.
pub const SYSTEM: Host = Host { clock: Some(now), threads: &SystemThreads };

/// Returns the time since its first call, on a monotonic clock.
pub fn now() -> Duration {
    static FIRST_CALL: OnceLock<Instant> = OnceLock::new();
    FIRST_CALL.get_or_init(Instant::now).elapsed()
}

/// Stack of each thread, in bytes: enough for recursion as deep as any game is long. The system reserves it, but only
/// the part that is used takes memory.
const STACK: usize = 256 << 20;

/// Threads of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemThreads;

impl Threads for SystemThreads {
    /// # Panics
    /// Panics if the system cannot start a thread, or if a job panics. If a job panics, the other jobs end first.
    fn run(&self, lead: &mut dyn FnMut(), helpers: usize, help: &(dyn Fn(usize) + Sync)) {
        thread::scope(|scope| {
            for helper in 0..helpers {
                let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, move || help(helper));
                thread.expect("invariant: the system can start a thread");
            }
            lead();
        });
    }
}

/// Runs work on a thread with a stack that is large enough for recursion as deep as any game is long.
///
/// # Panics
/// Panics if the system cannot start a thread, or if the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let thread = Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.expect("invariant: the system can start a thread");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
