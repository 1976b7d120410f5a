//! Errors of starting and running the server.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use thiserror::Error;

/// Errors of the server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is in use, or is not one of this machine.
    #[error("cannot serve at {address}: {error}{}", remedy(error))]
    Address {
        /// Address.
        address: SocketAddr,
        /// Error of the system.
        error: io::Error,
    },
    /// The certificate or its key is invalid.
    #[error("{}: {what}", path.display())]
    Tls {
        /// File.
        path: PathBuf,
        /// Description of the problem.
        what: String,
    },
    /// The system refuses a resource.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Returns the remedy of an address that cannot be used.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::AddrInUse => "; choose another port with `--port`, or with `port` in the section [server]",
        io::ErrorKind::AddrNotAvailable => "; expected an address of this machine, or 0.0.0.0 for all of them",
        _ => "",
    }
}
