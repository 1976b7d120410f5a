//! Whether a server of ours is already there.

use core::time::Duration;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use serde::{Deserialize, Serialize};

/// The port at which the page is served if no other is asked for. A page that always has the same address keeps what
/// the browser stores for it, and links to it stay valid. IANA has not assigned this port, no browser blocks it, and
/// systems do not hand it out by themselves (they begin at 32768 or 49152).
pub const USUAL_PORT: u16 = 6174;

/// How long to wait for what is at the port.
const PATIENCE: Duration = Duration::from_millis(500);
/// More is not read of an answer.
const LONGEST: u64 = 4 << 10;

/// What a server says of itself at `/version`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// `plyhouse`.
    pub program: String,
    /// Its version.
    pub version: String,
    /// A mark of what it serves: servers with the same mark serve the same games of the same user.
    pub serves: String,
}

impl Running {
    /// What a server of this version says.
    pub(crate) fn this(serves: &str) -> Self {
        Self { program: "plyhouse".into(), version: env!("CARGO_PKG_VERSION").into(), serves: serves.into() }
    }

    /// Asks what is at a port of this machine; `None` if it is not Plyhouse.
    pub fn at(port: u16) -> Option<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        write!(stream, "GET /version HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = Vec::new();
        // What has come when time is up may be enough.
        let _ = stream.take(LONGEST).read_to_end(&mut answer);
        let text = String::from_utf8(answer).ok()?;
        let (_, body) = text.split_once("\r\n\r\n")?;
        let found: Self = serde_json::from_str(body).ok()?;
        (found.program == "plyhouse").then_some(found)
    }

    /// Whether it is of this version and serves what a server with this mark would serve.
    pub fn is_same(&self, serves: &str) -> bool {
        *self == Self::this(serves)
    }
}
