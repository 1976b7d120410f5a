//! Interrupt handling: ends all children when this program is interrupted.
//!
//! Children run in their own process groups, so an interrupt from the terminal does not reach them. Without this
//! module, a child that hangs would outlive this program.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
pub use crate::unix::interrupt::end_children_on_interrupt;
#[cfg(windows)]
pub use crate::windows::interrupt::end_children_on_interrupt;

/// A function that runs after the children have ended and before this program ends.
type LastWords = Box<dyn FnOnce() + Send>;

static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);
/// Maximum time for [`LastWords`]. Output that is not read must not keep this program running.
const LAST_WORDS_TIME: Duration = Duration::from_secs(5);
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Sets a function that runs before an interrupt ends this program. It has a time limit of five seconds.
pub fn before_end(last_words: impl FnOnce() + Send + 'static) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(last_words));
}

/// Notes that an interrupt is ending this program.
pub(crate) fn set_ending() {
    IS_ENDING.store(true, Ordering::SeqCst);
}

/// Runs the function that was set by [`before_end`].
pub(crate) fn say_last_words() {
    let Some(last_words) = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let (sender, said) = mpsc::channel();
    thread::spawn(move || {
        last_words();
        let _ = sender.send(());
    });
    let _ = said.recv_timeout(LAST_WORDS_TIME);
}

/// Returns `true` if an interrupt is ending this program. The end of a child is then a consequence of the interrupt.
pub fn is_ending() -> bool {
    IS_ENDING.load(Ordering::SeqCst)
}

/// Waits for the end of this program if an interrupt is ending it.
pub fn wait_if_ending() {
    while is_ending() {
        thread::park();
    }
}
