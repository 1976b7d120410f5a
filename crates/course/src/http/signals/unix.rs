//! The signals that the server handles on Unix.

use std::future::pending;
use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// `SIGTERM` and `SIGINT`, which stop the server, and `SIGHUP`, with which it reads its certificate again.
pub(super) struct Signals(Option<[Signal; 3]>);

impl Signals {
    /// Handles the signals, or leaves them alone.
    ///
    /// # Errors
    /// Returns an error if the system cannot handle them.
    pub(super) fn new(handles: bool) -> io::Result<Self> {
        let all = || -> io::Result<_> {
            Ok([signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?, signal(SignalKind::hangup())?])
        };
        Ok(Self(handles.then(all).transpose()?))
    }

    /// Waits for a signal. Returns `true` if it stops the server.
    pub(super) async fn next(&mut self) -> bool {
        let Some([terminate, interrupt, hangup]) = &mut self.0 else { return pending().await };
        tokio::select! {
            _ = terminate.recv() => true,
            _ = interrupt.recv() => true,
            _ = hangup.recv() => false,
        }
    }
}
