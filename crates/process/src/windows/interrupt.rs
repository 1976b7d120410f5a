//! Ctrl-C in the terminal.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use signal_hook::consts::SIGINT;

use crate::interrupt::{say_last_words, set_ending};

/// Interval at which an interrupt is checked for.
const POLL: Duration = Duration::from_millis(20);
/// Exit code of a program that Ctrl-C ended: `STATUS_CONTROL_C_EXIT`.
const INTERRUPTED: u32 = 0xC000_013A;

/// Installs the handler of Ctrl-C, which ends this program. The system then closes the job objects of the children,
/// which ends every child with all its descendants.
///
/// # Errors
/// Returns an error if the system cannot handle Ctrl-C.
pub fn end_children_on_interrupt() -> io::Result<()> {
    static BEGUN: AtomicBool = AtomicBool::new(false);
    if BEGUN.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    let is_interrupted = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(SIGINT, Arc::clone(&is_interrupted))?;
    thread::spawn(move || {
        while !is_interrupted.load(Ordering::SeqCst) {
            thread::sleep(POLL);
        }
        set_ending();
        say_last_words();
        std::process::exit(INTERRUPTED.cast_signed());
    });
    Ok(())
}
