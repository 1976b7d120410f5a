//! What a server is busy with, in numbers.

use std::sync::Arc;

use crate::doors::Doors;
use crate::rooms::Rooms;

/// Counts what a server holds for those who use it from this machine. Tests and measurements of abuse read it.
#[derive(Clone)]
pub struct Gauge {
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) doors: Arc<Doors>,
}

impl Gauge {
    /// Connections that are no pages.
    pub fn connections(&self) -> usize {
        self.doors.connections.count()
    }

    /// Pages that are open.
    pub fn pages(&self) -> usize {
        self.doors.pages.count()
    }

    /// Rooms, with and without pages.
    pub fn rooms(&self) -> usize {
        self.rooms.count()
    }

    /// Places to think that are taken, by engines' moves and by analyses.
    pub fn thinking(&self) -> usize {
        self.rooms.engines.taken()
    }
}
