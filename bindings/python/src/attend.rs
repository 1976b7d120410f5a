//! Runs long operations without blocking Python: other threads continue, and Ctrl-C stops the operation.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use search::Stop;

/// Interval between checks for pending signals such as Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);
/// Stack size of a search thread, in bytes. It suffices for recursion as deep as the longest game. Only the used part
/// occupies memory.
const STACK: usize = 256 << 20;

/// Runs `job` in a separate thread and waits for it. `job` receives a stop flag and must return once the flag is set.
///
/// # Errors
/// If a signal handler has raised an exception in Python, or the system cannot start a thread.
pub(crate) fn attend<T: Send>(py: Python<'_>, job: impl FnOnce(Stop) -> T + Send) -> PyResult<T> {
    py.detach(|| {
        scope(|scope| {
            let stop = Stop::new();
            let (done, wait) = channel();
            let told = stop.clone();
            let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = job(told);
                // After an interrupt the receiver may have been dropped.
                let _ = done.send(());
                result
            });
            let worker = worker.map_err(|error| PyRuntimeError::new_err(format!("no thread for a search: {error}")))?;
            let mut interrupted = Ok(());
            while interrupted.is_ok() && wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                #[allow(clippy::redundant_closure_for_method_calls)] // the method alone fits one lifetime only
                let asked = Python::attach(|py| py.check_signals());
                interrupted = asked;
            }
            if interrupted.is_err() {
                stop.stop();
            }
            let result = worker.join().map_err(|_| PyRuntimeError::new_err("a search has failed: please report it"))?;
            interrupted.map(|()| result)
        })
    })
}
