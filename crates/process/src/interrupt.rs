//! Ending all children when this program is interrupted.
//!
//! Children are in process groups of their own, so an interrupt from the terminal does not reach them, and one that hangs
//! would outlive us.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread;

use nix::sys::signal::{SigSet, Signal, raise};

use crate::tree::{self, Mark};

/// Children that have not been waited for, by their numbers.
static LIVE: Mutex<BTreeMap<u32, Mark>> = Mutex::new(BTreeMap::new());

/// What a person or a system ends programs with. One that we were told to ignore, as by `nohup`, is none.
fn interrupts() -> SigSet {
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect()
}

/// Where the system does not say, nothing is ignored.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
}

/// From now on an interrupt (`SIGINT`, `SIGTERM`, `SIGHUP`) ends every child and all that it has started, and then this
/// program, as it would have done anyway. For programs: it must be called before they start other threads.
///
/// # Errors
/// If the system refuses it; then an interrupt ends this program only.
pub fn end_children_on_interrupt() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let signals = interrupts();
    signals.thread_block()?;
    ONCE.call_once(|| {
        thread::spawn(move || {
            let Ok(signal) = signals.wait() else { return };
            // Never given back, so that no other thread starts a child now.
            let live = children();
            for (&child, mark) in live.iter() {
                tree::kill(child, mark, true);
            }
            let _ = signals.thread_unblock();
            let _ = raise(signal);
        });
    });
    Ok(())
}

/// The children, held still.
pub(crate) fn children() -> MutexGuard<'static, BTreeMap<u32, Mark>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something, such as starting a child, with no interrupt held back: a child inherits what its parent holds back.
pub(crate) fn with_interrupts<T>(something: impl FnOnce() -> T) -> T {
    let mask = SigSet::thread_get_mask();
    let _ = interrupts().thread_unblock();
    let result = something();
    if let Ok(mask) = mask {
        let _ = mask.thread_set_mask();
    }
    result
}
