//! The interrupt that the server handles on Windows.

use std::future::pending;
use std::io;

/// Ctrl-C, which stops the server.
pub(super) struct Signals(bool);

impl Signals {
    /// Handles Ctrl-C, or leaves it alone.
    ///
    /// # Errors
    /// Never returns an error on this system.
    pub(super) fn new(handles: bool) -> io::Result<Self> {
        Ok(Self(handles))
    }

    /// Waits for Ctrl-C. Returns `true`, because it stops the server.
    pub(super) async fn next(&mut self) -> bool {
        if self.0 { tokio::signal::ctrl_c().await.is_ok() } else { pending().await }
    }
}
