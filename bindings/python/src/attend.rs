//! Long work beside Python: other threads go on, and Ctrl-C ends it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use search::Stop;

/// How often Python is asked whether somebody pressed Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(50);
/// Room for the recursion of a search as deep as any game is long. Only what is used takes memory.
const STACK: usize = 256 << 20;

/// Does something on a thread of its own until it is done. It must listen to the stop.
///
/// # Errors
/// If a signal has raised an exception in Python, or the system has no thread left.
pub(crate) fn attend<T: Send>(py: Python<'_>, job: impl FnOnce(Stop) -> T + Send) -> PyResult<T> {
    py.detach(|| {
        scope(|scope| {
            let stop = Stop::new();
            let (done, wait) = channel();
            let told = stop.clone();
            let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = job(told);
                // Nobody waits any more after an interrupt.
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
