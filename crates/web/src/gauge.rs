//! Counts of a server's current load.

use std::sync::Arc;

use crate::doors::Doors;
use crate::driver::Driver;

/// A handle to the counts of the resources that a server uses for local clients. Tests and abuse measurements read it.
#[derive(Clone)]
pub struct Gauge {
    pub(crate) driver: Arc<Driver>,
    pub(crate) doors: Arc<Doors>,
}

impl Gauge {
    /// Returns the number of connections that are not pages.
    pub fn connections(&self) -> usize {
        self.doors.connections.count()
    }

    /// Returns the number of open pages.
    pub fn pages(&self) -> usize {
        self.doors.pages.count()
    }

    /// Returns the number of rooms, with and without pages.
    pub fn rooms(&self) -> usize {
        self.driver.with(|house, _| house.rooms())
    }

    /// Returns the number of search slots in use, by engine moves and analyses.
    pub fn thinking(&self) -> usize {
        self.driver.with(|house, _| house.searches())
    }
}
