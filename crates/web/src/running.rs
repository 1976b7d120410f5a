//! Detection of a Plyhouse server that is already running.

use core::time::Duration;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};

use serde::{Deserialize, Serialize};

/// Default port of the page. With a fixed address, the browser keeps the page's stored data, and links to the page
/// remain valid. IANA has not assigned this port, no browser blocks it, and it is outside the ephemeral port ranges
/// (which begin at 32768 or 49152).
pub const USUAL_PORT: u16 = 6174;

/// Timeout for connecting, reading and writing.
const PATIENCE: Duration = Duration::from_millis(500);
/// Maximum size of an answer, in bytes. The rest is not read.
const LONGEST: u64 = 4 << 10;

/// A server's answer at `/version`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// The name `plyhouse`.
    pub program: String,
    /// Version of the program.
    pub version: String,
    /// Mark of the server's archive and game files. Servers with the same mark read the same files.
    pub serves: String,
    /// Set if the server runs a course.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub course: bool,
}

impl Running {
    /// Returns the answer of a server of this version with this mark.
    pub(crate) fn this(serves: &str) -> Self {
        let (program, version) = ("plyhouse".into(), env!("CARGO_PKG_VERSION").into());
        Self { program, version, serves: serves.into(), course: false }
    }

    /// Returns the answer of a course's server of this version.
    pub fn of_course() -> Self {
        Self { course: true, ..Self::this("") }
    }

    /// Queries the server at a port of this machine. Returns `None` if it is not Plyhouse.
    pub fn at(port: u16) -> Option<Self> {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).ok()?;
        stream.set_write_timeout(Some(PATIENCE)).ok()?;
        write!(stream, "GET /version HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").ok()?;
        let mut answer = Vec::new();
        // After a timeout the part that has arrived may be sufficient.
        let _ = stream.take(LONGEST).read_to_end(&mut answer);
        let text = String::from_utf8(answer).ok()?;
        let (_, body) = text.split_once("\r\n\r\n")?;
        let found: Self = serde_json::from_str(body).ok()?;
        (found.program == "plyhouse").then_some(found)
    }

    /// Returns `true` if the server is of this version and has this mark.
    pub fn is_same(&self, serves: &str) -> bool {
        *self == Self::this(serves)
    }
}
