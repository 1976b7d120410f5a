//! The messages between a [`Sandbox`](crate::Sandbox) and the supervisor inside it.
//!
//! Each message is one packet of a socket that keeps packets whole. The descriptors of a new process's pipes travel
//! with the message that starts it.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use process::{Exit, Limit};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, Shutdown, SocketFlags, SocketType, recvmsg, sendmsg, shutdown, socketpair,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The longest message in bytes. A command of a tournament is far shorter.
pub(crate) const LONGEST: usize = 128 << 10;

/// To the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// Start a program. Its standard input, output and error come with the message.
    Start(Vec<String>),
    /// End every process.
    Clear,
    /// Stop the processes if they compute: the program is not to move.
    Wait,
    /// Let the processes compute.
    Go,
}

/// From the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Tell {
    /// The supervisor runs.
    Ready,
    /// The program was started.
    Started,
    /// The program was not started, and why.
    Refused(String),
    /// The program has ended.
    Exited(End),
    /// No process is left.
    Cleared,
}

/// How a program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    Code(i32),
    Signal(i32),
    Memory,
    Processes,
    ProcessorTime,
    Disk,
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

/// The other end is closed: its process has ended.
#[derive(Debug)]
pub(crate) struct Closed;

impl Link {
    /// A link, and the other end for a new process.
    pub(crate) fn pair() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) = socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        Ok((Self(ours), theirs))
    }

    /// The link of a process whose standard input is the other end.
    pub(crate) fn of_stdin() -> io::Result<Self> {
        Ok(Self(io::stdin().as_fd().try_clone_to_owned()?))
    }

    /// Tells the other end that nobody listens any more.
    pub(crate) fn hang_up(&self) {
        // An error means that it has ended already.
        let _ = shutdown(&self.0, Shutdown::Both);
    }

    pub(crate) fn poll_fd(&self) -> PollFd<'_> {
        PollFd::new(&self.0, PollFlags::IN)
    }

    /// Sends a message with descriptors, at most three.
    pub(crate) fn send(&self, message: &impl Serialize, with: &[OwnedFd]) -> io::Result<()> {
        let text = serde_json::to_vec(message)?;
        if text.len() > LONGEST {
            return Err(io::Error::other(format!("the command has {} bytes, expected at most {LONGEST}", text.len())));
        }
        let with: Vec<_> = with.iter().map(AsFd::as_fd).collect();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut descriptors = SendAncillaryBuffer::new(&mut space);
        if !with.is_empty() {
            descriptors.push(SendAncillaryMessage::ScmRights(&with));
        }
        sendmsg(&self.0, &[IoSlice::new(&text)], &mut descriptors, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// The next message, if there is one before the deadline.
    ///
    /// # Errors
    /// If the other end is closed, or sent something else.
    pub(crate) fn receive<T: DeserializeOwned>(&self, deadline: Instant) -> Result<Option<(T, Vec<OwnedFd>)>, Closed> {
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut [self.poll_fd()], Some(&timespec(left))) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(None),
            Ok(_) => (),
            Err(_) => return Err(Closed),
        }
        let mut text = vec![0; LONGEST];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut descriptors = RecvAncillaryBuffer::new(&mut space);
        let read = recvmsg(&self.0, &mut [IoSliceMut::new(&mut text)], &mut descriptors, RecvFlags::CMSG_CLOEXEC)
            .map_err(|_| Closed)?;
        let mut with = Vec::new();
        for message in descriptors.drain() {
            if let RecvAncillaryMessage::ScmRights(rights) = message {
                with.extend(rights);
            }
        }
        let message = serde_json::from_slice(&text[..read.bytes]).map_err(|_| Closed)?;
        Ok(Some((message, with)))
    }
}

pub(crate) fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs().min(1 << 30) as i64, tv_nsec: i64::from(time.subsec_nanos()) }
}
