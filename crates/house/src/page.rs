//! A page: its tasks, and the answers that it has not received yet.

use std::collections::{BTreeMap, VecDeque};

use crate::messages::answer::Answer;
use crate::stage::Stage;
use crate::task::FoundProof;

/// A connection to a page in a browser. A page has one connection for its room and one for its other requests. Each
/// request sent over HTTP counts as a connection of its own.
#[derive(Default)]
pub(crate) struct Page {
    /// `true` if the page belongs to the user of this machine. Other pages have no access to the archive.
    pub(crate) is_local: bool,
    pub(crate) room: Option<String>,
    /// Secret of the browser, or a generated one.
    pub(crate) client: String,
    /// Name of the user, shown to other users at a shared table.
    pub(crate) user: Option<String>,
    /// Rooms that this page created, oldest first.
    pub(crate) made: VecDeque<String>,
    /// Number of the task that analyses a position or evaluates a whole game. A new request replaces this task. The
    /// same applies to `hint` and `proof`.
    pub(crate) thinking: Option<u32>,
    /// Number of the task that searches for a hint.
    pub(crate) hint: Option<u32>,
    /// Number of the latest task that searches for a proof.
    pub(crate) proof: Option<u32>,
    /// The proof found by the task `proof`.
    pub(crate) found: Option<FoundProof>,
    /// Numbers of the page's other tasks, each with its share of [`Limits::pending`](crate::limits::Limits::pending).
    pub(crate) pending: BTreeMap<u32, usize>,
    /// State of the tournament that the page has received; `None` if it does not watch the tournament.
    pub(crate) seen: Option<Stage>,
    /// Entries that the page has not received yet, in order.
    pub(crate) outbox: VecDeque<Post>,
}

/// An entry of a page's outbox.
pub(crate) enum Post {
    Answer(Box<Answer>),
    /// The state of the page's room, read when the entry is sent.
    Room,
    /// The changes of the tournament since the page last received it.
    Stage,
    /// Resumes the task with this number when all entries before it have been sent.
    Resume(u32),
}
