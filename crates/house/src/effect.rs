//! The effects that a house requests from its caller.

use core::num::NonZeroUsize;

use search::Stop;
use serde::{Deserialize, Serialize};

use crate::task::{Place, Task};

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Moment {
    /// Time of a monotonic clock, in milliseconds.
    pub ms: u64,
    /// Wall-clock time since 1970, in seconds.
    pub date: u64,
}

/// An action for the caller of a house.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Effect {
    /// Sends answers to a page as soon as it can receive them: calls [`House::next`](crate::House::next) until it
    /// returns `None`.
    Ready {
        /// The page.
        page: u32,
    },
    /// Performs a step of a task outside the house, and calls [`House::report`](crate::House::report) with its outcome.
    Begin(Box<Start>),
    /// Stops a running task. Its stop signal is already set. [`House::report`](crate::House::report) is also
    /// called for such a task.
    End {
        /// Number of the task.
        number: u32,
    },
    /// Calls [`House::wake`](crate::House::wake) at this time or soon after it. Replaces the previous request.
    Wake {
        /// Time in milliseconds, as in [`Moment`]; `None` to cancel the previous request.
        at: Option<u64>,
    },
    /// Sends a command to the text program in the terminal.
    Command {
        /// The command.
        text: String,
    },
}

/// A step of a task to perform.
#[derive(Serialize)]
pub struct Start {
    /// Number of the task.
    pub number: u32,
    /// Page that receives the intermediate results.
    pub page: Option<u32>,
    /// The task.
    pub task: Task,
    /// Number of threads that the task may use.
    #[serde(skip)]
    pub threads: NonZeroUsize,
    /// `true` if an analysis should be short, because other analyses are waiting.
    #[serde(skip)]
    pub is_brief: bool,
    /// The task's stop signal.
    #[serde(skip)]
    pub stop: Stop,
}

impl Start {
    /// Returns the environment of the step: `place`, but with this task's `threads`, `is_brief` and `stop`.
    pub fn place(&self, place: &Place) -> Place {
        Place { threads: self.threads, is_brief: self.is_brief, stop: self.stop.clone(), ..place.clone() }
    }
}
