//! `Slot`: a value that one long operation at a time uses, in a separate thread.

use std::process;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use pyo3::prelude::*;
use search::Stop;

use crate::attend::attend;

/// Interval between attempts to take a value that another thread is using.
const PAUSE: Duration = Duration::from_millis(2);

/// A value that is absent while an operation uses it.
///
/// `fork` copies a process without its other threads. In the child, a value that another thread was using never comes
/// back, so the child makes a new one. The lock is held only for moments in which the thread is attached to Python.
/// Python forks in an attached thread, so the lock is never held during a fork.
pub(crate) struct Slot<T>(Mutex<State<T>>);

enum State<T> {
    Absent,
    Free(T),
    /// An operation of the process with this number uses the value.
    Taken(u32),
}

impl<T: Send> Slot<T> {
    /// Creates a slot. Without a value, the first operation makes one.
    pub(crate) fn new(value: Option<T>) -> Self {
        Self(Mutex::new(value.map_or(State::Absent, State::Free)))
    }

    /// Marks the value as taken and returns it, if it is present. Returns an error if another thread is using it.
    fn take(&self) -> Result<Option<T>, ()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*state, State::Taken(owner) if owner == process::id()) {
            return Err(());
        }
        match core::mem::replace(&mut *state, State::Taken(process::id())) {
            State::Free(value) => Ok(Some(value)),
            State::Absent | State::Taken(_) => Ok(None),
        }
    }

    fn put(&self, value: Option<T>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = value.map_or(State::Absent, State::Free);
    }

    /// Changes the value, if it is present. Returns `false` if another thread is using it.
    pub(crate) fn change(&self, change: impl FnOnce(&mut T)) -> bool {
        let taken = self.take();
        let is_idle = taken.is_ok();
        if let Ok(mut value) = taken {
            if let Some(value) = &mut value {
                change(value);
            }
            self.put(value);
        }
        is_idle
    }

    /// Runs `job` with the value as [`attend`] does. Waits until no other thread uses the value. If the value is
    /// absent, `make` makes it.
    ///
    /// # Errors
    /// Those of `make` and of [`attend`].
    pub(crate) fn attend<R: Send, E: Send>(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&Stop) -> Result<T, E> + Send,
        job: impl FnOnce(&mut T, Stop) -> R + Send,
    ) -> PyResult<Result<R, E>> {
        let mut value = loop {
            match self.take() {
                Ok(value) => break value,
                Err(()) => py.detach(|| std::thread::sleep(PAUSE)),
            }
            py.check_signals()?;
        };
        let held = &mut value;
        let result = attend(py, move |stop| {
            let value = match held {
                Some(value) => value,
                None => held.insert(make(&stop)?),
            };
            Ok(job(value, stop))
        });
        self.put(value);
        result
    }
}
