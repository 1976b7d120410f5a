//! An open room.

use std::collections::BTreeSet;

use crate::effect::Moment;
use crate::limits::Limits;
use crate::messages::answer::RoomView;
use crate::room::{Room, Turn};

/// A room with its pages, and the state of its engine.
pub(crate) struct OpenRoom {
    pub(crate) room: Room,
    pub(crate) pages: BTreeSet<u32>,
    /// The engine's pending turn and its state.
    pub(crate) engine: Option<(Turn, Waiting)>,
    /// Time when a page last entered or left the room, in milliseconds.
    pub(crate) used: u64,
    /// `true` for the shared table and a terminal's room, which are never removed.
    pub(crate) is_fixed: bool,
    /// `true` while the terminal's program is about to move.
    pub(crate) is_busy: bool,
}

/// The state of an engine's pending turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// Not started: the start time, in milliseconds.
    Until(u64),
    /// Queued or searching: the number of the task.
    For(u32),
}

impl OpenRoom {
    pub(crate) fn new(room: Room, used: u64, is_fixed: bool) -> Self {
        Self { room, pages: BTreeSet::new(), engine: None, used, is_fixed, is_busy: false }
    }

    /// Returns the current state of the room, as one of its clients sees it.
    pub(crate) fn view(&self, name: &str, client: &str, now: Moment) -> RoomView {
        let view = self.room.view(name, client, now.ms);
        RoomView { thinking: view.thinking || self.is_busy, ..view }
    }

    /// Returns `true` if the room may be removed to make space.
    pub(crate) fn is_left(&self) -> bool {
        self.pages.is_empty() && !self.is_fixed
    }

    /// Returns the time at which the room is removed if no page returns, in milliseconds.
    pub(crate) fn end(&self, limits: &Limits) -> u64 {
        let idle = if self.room.weight() == 0 { limits.idle_untouched } else { limits.idle };
        if self.is_left() { self.used.saturating_add(idle) } else { u64::MAX }
    }

    /// Returns the time at which the room's engines are suspended if no page returns, in milliseconds.
    pub(crate) fn rest(&self, limits: &Limits) -> u64 {
        let is_due = self.pages.is_empty() && !self.room.is_asleep();
        if is_due { self.used.saturating_add(limits.unwatched) } else { u64::MAX }
    }

    /// Returns the time of the room's next timed event, in milliseconds.
    pub(crate) fn alarm(&self, limits: &Limits) -> u64 {
        let begins = if let Some((_, Waiting::Until(at))) = self.engine { at } else { u64::MAX };
        let deadline = self.room.deadline().unwrap_or(u64::MAX);
        begins.min(deadline).min(self.end(limits)).min(self.rest(limits))
    }
}
