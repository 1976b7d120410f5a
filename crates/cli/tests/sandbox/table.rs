//! Expected outcome of each attack in each sandbox. `docs/security.md` has the same table.

/// Expected outcome of an attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// Every attempt is refused.
    Refused,
    /// The attempt succeeds without an effect outside: other games, the store and the machine are unchanged.
    Contained,
    /// A limit refuses the attempt, or ends the agent with the fault of the limit.
    Limited,
    /// The sandbox does not prevent it.
    Open,
}
use Expected::{Contained, Limited, Open, Refused};

impl Expected {
    /// Returns the word in `docs/security.md`.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Refused => "refused",
            Contained => "contained",
            Limited => "limited",
            Open => "**open**",
        }
    }
}

/// An attack, and its outcomes with bubblewrap and with Landlock.
pub(crate) type Line = (&'static str, Expected, Expected);

/// Attacks that take little time and few resources.
pub(crate) const QUIET: [Line; 56] = [
    ("stop-others", Refused, Refused),
    ("kill-others", Refused, Refused),
    ("stop-arena", Refused, Refused),
    ("kill-arena", Refused, Refused),
    ("stop-guard", Contained, Contained),
    ("kill-guard", Contained, Contained),
    ("slow-others", Refused, Refused),
    ("list-processes", Refused, Open),
    ("trace", Refused, Refused),
    ("read-memory", Refused, Refused),
    ("open-memory", Refused, Refused),
    ("write-output", Refused, Refused),
    ("read-input", Refused, Refused),
    ("store-by-descriptor", Refused, Refused),
    ("inherited", Refused, Refused),
    ("terminal", Refused, Refused),
    ("store-by-path", Refused, Refused),
    ("read-sources", Refused, Refused),
    ("read-home", Refused, Refused),
    ("snoop", Refused, Refused),
    ("read-environment", Refused, Refused),
    ("own-environment", Refused, Refused),
    ("proc-root", Refused, Refused),
    ("links", Refused, Refused),
    ("measure-files", Refused, Open),
    ("watch-files", Refused, Refused),
    ("change-modes", Refused, Refused),
    ("borrow-engine", Refused, Refused),
    ("write-own-folder", Refused, Refused),
    ("remember", Refused, Refused),
    ("messy-folders", Contained, Contained),
    ("escape", Contained, Contained),
    ("ponder", Contained, Contained),
    ("hold-pipes", Contained, Contained),
    ("raise-limits", Refused, Refused),
    ("raise-priority", Refused, Refused),
    ("outwards", Refused, Refused),
    ("loopback", Refused, Refused),
    ("loopback-datagram", Contained, Refused),
    ("abstract-socket", Refused, Refused),
    ("path-socket", Refused, Refused),
    ("odd-sockets", Contained, Refused),
    ("listen", Contained, Refused),
    ("system-settings", Refused, Refused),
    ("kernel-secrets", Refused, Open),
    ("devices", Refused, Refused),
    ("mount", Refused, Refused),
    ("namespaces", Refused, Refused),
    ("chroot", Refused, Refused),
    ("become-root", Refused, Refused),
    ("control-groups", Refused, Refused),
    ("shared-memory", Contained, Contained),
    ("run-memory", Contained, Contained),
    ("change-kernel", Refused, Refused),
    ("open-files", Limited, Limited),
    ("flood-errors", Limited, Limited),
];

/// Quiet attacks whose effect outlasts a move. Their outcome may depend on whether an agent has one process per move or
/// per game.
pub(crate) const LASTING: [&str; 7] =
    ["stop-guard", "kill-guard", "remember", "messy-folders", "escape", "ponder", "hold-pipes"];

/// Attacks that take many resources.
pub(crate) const HEAVY: [Line; 12] = [
    ("fork-bomb", Limited, Limited),
    ("thread-bomb", Limited, Limited),
    ("starve", Contained, Contained),
    ("fill-memory", Limited, Limited),
    ("fill-memory-together", Limited, Limited),
    ("fill-memory-files", Limited, Limited),
    ("fill-buffers", Limited, Limited),
    ("fill-buffers-together", Limited, Limited),
    ("fill-disk", Limited, Limited),
    ("fill-hidden-disk", Limited, Limited),
    ("fill-deleted-files", Limited, Limited),
    ("fill-inodes", Limited, Limited),
];

/// System calls that only the C program makes.
pub(crate) const CALLS: [Line; 29] = [
    ("type-into-terminal", Refused, Refused),
    ("io-uring", Refused, Refused),
    ("keyring", Refused, Refused),
    ("session-keyring", Refused, Refused),
    ("bpf", Refused, Refused),
    ("perf", Refused, Refused),
    ("userfaultfd", Refused, Refused),
    ("sysv-memory", Contained, Refused),
    ("sysv-queue", Contained, Refused),
    ("open-by-handle", Refused, Refused),
    ("take-descriptor", Refused, Refused),
    ("new-user", Refused, Refused),
    ("new-network", Refused, Refused),
    ("deadline", Refused, Refused),
    ("slow-user", Refused, Refused),
    ("slow-user-disk", Refused, Refused),
    ("semaphores-of-others", Refused, Refused),
    ("deep-tables", Limited, Limited),
    ("fill-memory-shared", Limited, Limited),
    ("priority", Refused, Refused),
    ("seccomp-listener", Refused, Refused),
    ("locked-memory", Refused, Refused),
    ("lease", Refused, Refused),
    ("notify", Refused, Refused),
    ("signal-owner", Refused, Refused),
    ("system-log", Refused, Refused),
    ("socket", Contained, Refused),
    ("socket-by-int80", Contained, Refused),
    ("socket-by-x32", Contained, Refused),
];
