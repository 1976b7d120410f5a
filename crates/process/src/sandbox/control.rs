//! Messages between a [`Sandbox`](super::Sandbox) and its supervisor.
//!
//! Each message is one packet of a `SOCK_SEQPACKET` socket. The message that starts a process also carries the
//! descriptors of its pipes.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, Shutdown, SocketFlags, SocketType, recvmsg, sendmsg, shutdown, socketpair,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Exit, Limit};

/// Maximum length of a message, in bytes. The command of an agent is far shorter.
const MAX_MESSAGE: usize = 128 << 10;

/// A message to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Start a program. The message carries the descriptors of its standard input, output and error.
    Start(Vec<String>),
    /// Kill every process.
    Clear,
    /// The program's turn ends: stop its processes if they compute.
    EndTurn,
    /// The program's turn begins: let its processes compute.
    BeginTurn,
}

/// A message of the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The supervisor is running.
    Ready,
    /// The program was started.
    Started,
    /// The program was not started, for this reason.
    Refused(String),
    /// The program has ended.
    Exited(End),
    /// No process is left.
    Cleared,
}

/// The way in which a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Code(i32),
    Signal(i32),
    Memory,
    Processes,
    ProcessorTime,
    Disk,
}

impl End {
    /// Returns `true` for a failure that a limit may have caused.
    pub(crate) fn is_unexplained(self) -> bool {
        matches!(self, Self::Code(1..) | Self::Signal(_))
    }
}

impl From<End> for Exit {
    fn from(end: End) -> Self {
        match end {
            End::Code(code) => Self::Code(code),
            End::Signal(signal) => Self::Signal(signal),
            End::Memory => Self::Limit(Limit::Memory),
            End::Processes => Self::Limit(Limit::Processes),
            End::ProcessorTime => Self::Limit(Limit::ProcessorTime),
            End::Disk => Self::Limit(Limit::Disk),
        }
    }
}

/// One end of the socket.
pub(crate) struct Link(OwnedFd);

/// Error for a socket whose other end is closed, because its process has ended.
#[derive(Debug)]
pub(crate) struct Closed;

impl Link {
    /// Creates a socket. Returns this end, and the other end for a new process.
    pub(crate) fn pair() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        Ok((Self(ours), theirs))
    }

    /// Returns the link of a process whose standard input is the socket.
    pub(crate) fn of_stdin() -> io::Result<Self> {
        Ok(Self(io::stdin().as_fd().try_clone_to_owned()?))
    }

    /// Closes the connection.
    pub(crate) fn shut_down(&self) {
        // An error means that the other process has already ended.
        let _ = shutdown(&self.0, Shutdown::Both);
    }

    pub(crate) fn poll_fd(&self) -> PollFd<'_> {
        PollFd::new(&self.0, PollFlags::IN)
    }

    /// Sends a message with at most three descriptors.
    pub(crate) fn send(&self, message: &impl Serialize, attached: &[OwnedFd]) -> io::Result<()> {
        let text = serde_json::to_vec(message)?;
        if text.len() > MAX_MESSAGE {
            let length = text.len();
            return Err(io::Error::other(format!("the command has {length} bytes, expected at most {MAX_MESSAGE}")));
        }
        let attached: Vec<_> = attached.iter().map(AsFd::as_fd).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut descriptors = SendAncillaryBuffer::new(&mut space);
        if !attached.is_empty() {
            descriptors.push(SendAncillaryMessage::ScmRights(&attached));
        }
        sendmsg(&self.0, &[IoSlice::new(&text)], &mut descriptors, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Returns the next message, or `None` if none arrives before the deadline.
    ///
    /// # Errors
    /// Returns an error if the other end is closed, or if the message is invalid.
    pub(crate) fn receive<T: DeserializeOwned>(&self, deadline: Instant) -> Result<Option<(T, Vec<OwnedFd>)>, Closed> {
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut [self.poll_fd()], Some(&timespec(left))) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
            Ok(_) => (),
            Err(_) => return Err(Closed),
        }
        let mut text = vec![0; MAX_MESSAGE];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut descriptors = RecvAncillaryBuffer::new(&mut space);
        let read = recvmsg(&self.0, &mut [IoSliceMut::new(&mut text)], &mut descriptors, RecvFlags::CMSG_CLOEXEC)
            .map_err(|_| Closed)?;
        let mut attached = Vec::new();
        for message in descriptors.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                attached.extend(rights);
            }
        }
        let message = serde_json::from_slice(&text[..read.bytes]).map_err(|_| Closed)?;
        Ok(Some((message, attached)))
    }
}

pub(crate) fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs().min(1 << 30) as i64, tv_nsec: i64::from(time.subsec_nanos()) }
}
