//! Signals that end this program and its children.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use nix::sys::signal::{SigSet, Signal};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::tree::{self, Mark};
use crate::interrupt::{say_last_words, set_ending};

/// Children that have not been waited for, by process number.
static LIVE: Mutex<BTreeMap<u32, Mark>> = Mutex::new(BTreeMap::new());

/// Returns the signals that users and systems send to end programs, except those that were already ignored when this
/// program was started, for example by `nohup`.
fn interrupts() -> SigSet {
    [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect()
}

/// Returns `true` if a signal was ignored when this program was started; `false` if the system does not report it.
fn is_ignored(signal: Signal) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (signal as i32 - 1) & 1 == 1)
}

/// Installs the handler of interrupts (`SIGINT`, `SIGTERM`, `SIGHUP`): an interrupt first ends every child with all its
/// descendants, and then this program. Programs must call it before they start other threads.
///
/// # Errors
/// Returns an error if the system cannot handle or block the signals. An interrupt then ends this program only.
pub fn end_children_on_interrupt() -> io::Result<()> {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    let blocked = interrupts();
    if !BEGUN.swap(true, Ordering::SeqCst) {
        // A thread that starts a child unblocks the signals for a moment. Because they have a handler, they do not end
        // this program at that moment.
        let mut signals = Signals::new(blocked.iter().map(|signal| signal as i32))?;
        thread::spawn(move || {
            let _ = blocked.thread_unblock();
            if let Some(signal) = signals.forever().next() {
                end(signal);
            }
        });
    }
    blocked.thread_block()?;
    Ok(())
}

/// Ends all children, and then this program, with the default effect of the signal.
fn end(signal: i32) {
    set_ending();
    // The lock is never released, so that no other thread can start a child now.
    let live = children();
    for (&child, mark) in live.iter() {
        tree::kill(child, mark, true);
    }
    say_last_words();
    let _ = emulate_default_handler(signal);
}

/// Locks and returns the children.
pub(crate) fn children() -> MutexGuard<'static, BTreeMap<u32, Mark>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a function with the interrupts unblocked. Children are started in this way, because a child inherits its
/// parent's blocked signals.
pub(crate) fn with_interrupts<T>(run: impl FnOnce() -> T) -> T {
    let mask = SigSet::thread_get_mask();
    let _ = interrupts().thread_unblock();
    let result = run();
    if let Ok(mask) = mask {
        let _ = mask.thread_set_mask();
    }
    result
}
