//! What a hostile agent tries: each attack reaches for something outside its own game, or for more than its share.
//!
//! An attack believes only what it sees: a stopped process is one whose state has changed, not one whose signal was
//! accepted. Each attack has a bound, so that it does no lasting harm where nothing holds it back. Attacks on other
//! processes and files keep to the [`Range`].

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

mod descriptors;
mod escape;
mod files;
mod kernel;
mod network;
mod processes;
mod resources;

/// What happened: how it succeeded, or why it was refused.
type Verdict = Result<String, String>;

/// Where attacks aim. Everything else on the machine is left alone.
#[derive(Args, Clone)]
pub(super) struct Range {
    /// Attacks aim at this folder and at processes that name it on their command lines
    #[arg(long, value_name = "DIR", default_value = "/no/range", hide_short_help = true)]
    range: PathBuf,
    /// Attacks on sockets aim at this port of the loopback interface
    #[arg(long, value_name = "PORT", default_value_t = 9, hide_short_help = true)]
    port: u16,
}

macro_rules! attacks {
    ($($(#[doc = $doc:literal])+ $name:ident => $run:expr,)+) => {
        /// An attack by its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub(super) enum Attack {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Attack {
            fn run(self, range: &Range) -> Verdict {
                match self {
                    $(Self::$name => $run(range),)+
                }
            }
        }
    };
}

attacks! {
    /// Stops every other process in the target range (`--range`) by SIGSTOP
    StopOthers => processes::stop_others,
    /// Kills every other process in the target range (`--range`)
    KillOthers => processes::kill_others,
    /// Stops the arena by SIGSTOP
    StopArena => processes::stop_arena,
    /// Kills the arena
    KillArena => processes::kill_arena,
    /// Stops its own guard: parents that are not the arena
    StopGuard => processes::stop_guard,
    /// Kills its own guard
    KillGuard => processes::kill_guard,
    /// Makes others slow: their niceness, processors, limits, and what the kernel kills first
    SlowOthers => processes::slow_others,
    /// Reads the command lines of processes that are not its own
    ListProcesses => processes::list,
    /// Traces the arena and others by ptrace
    Trace => processes::trace,
    /// Reads the memory of the arena and others by `process_vm_readv`
    ReadMemory => processes::read_memory,
    /// Opens /proc/PID/mem of the arena and others for writing
    OpenMemory => processes::open_memory,

    /// Writes an illegal move to others' standard output
    WriteOutput => descriptors::write_output,
    /// Opens others' standard input and output for reading
    ReadInput => descriptors::read_input,
    /// Writes to the store through the arena's descriptors
    StoreByDescriptor => descriptors::store,
    /// Uses descriptors beyond the three that it should have
    Inherited => descriptors::inherited,
    /// Writes to the terminal of the arena
    Terminal => descriptors::terminal,

    /// Opens the store for writing by its path
    StoreByPath => files::store,
    /// Reads the files of other agents
    ReadSources => files::sources,
    /// Reads a secret in the home of the arena's user
    ReadHome => files::home,
    /// Looks for readable files of people anywhere
    Snoop => files::snoop,
    /// Reads the environment of the arena and of others
    ReadEnvironment => files::environment,
    /// Looks for secrets in its own environment
    OwnEnvironment => files::own_environment,
    /// Reaches files through the roots and working folders of other processes
    ProcRoot => files::proc_root,
    /// Reaches files by links in its own folders
    Links => files::links,
    /// Looks at the names, sizes and times of others' files
    MeasureFiles => files::measure,
    /// Watches others' files for changes
    WatchFiles => files::watch,
    /// Changes the permissions and times of others' files, so that they cannot start
    ChangeModes => files::modes,
    /// Starts or copies programs of the arena, whose engine would play for it
    BorrowEngine => files::engine,
    /// Changes its own program and folder
    WriteOwnFolder => files::own_folder,
    /// Writes to shared places, and looks there for what an earlier game left
    Remember => files::remember,
    /// Leaves folders behind that are hard to remove: deep, locked, with links to what is precious
    MessyFolders => files::mess,

    /// Starts a process in a new session, with an empty environment, unmarked and deaf to signals
    Escape => escape::escape,
    /// Leaves a process behind that computes while the opponent thinks
    Ponder => escape::ponder,
    /// Leaves 40 processes behind that compute while the opponent thinks
    Starve => escape::starve,
    /// Leaves a process behind that holds its outputs open
    HoldPipes => escape::hold_pipes,

    /// Starts processes, up to 2,000
    ForkBomb => resources::forks,
    /// Starts threads, up to 4,000
    ThreadBomb => resources::threads,
    /// Fills memory, up to 3 GiB
    FillMemory => resources::memory,
    /// Fills memory with many processes, up to 3 GiB together
    FillMemoryTogether => resources::memory_together,
    /// Fills memory with nameless files, up to 1 GiB
    FillMemoryFiles => resources::memory_files,
    /// Fills memory with what waits in sockets, up to 1 GiB
    FillBuffers => resources::buffers,
    /// Fills memory with what waits in sockets of many processes, up to 2 GiB
    FillBuffersTogether => resources::buffers_together,
    /// Fills every writable folder, up to 300 MiB together
    FillDisk => resources::disk,
    /// Fills a folder that cannot be listed, up to 300 MiB
    FillHiddenDisk => resources::hidden_disk,
    /// Fills files that have no name any more, up to 300 MiB
    FillDeletedFiles => resources::deleted_files,
    /// Makes empty files, up to 20,000
    FillInodes => resources::inodes,
    /// Opens files, up to 10,000
    OpenFiles => resources::files,
    /// Writes 64 MiB to standard error
    FloodErrors => resources::flood,
    /// Raises its own limits
    RaiseLimits => resources::raise_limits,
    /// Raises its own priority
    RaisePriority => resources::raise_priority,

    /// Opens a way to a computer outside. No packet is sent
    Outwards => network::outwards,
    /// Connects to the loopback interface by TCP
    Loopback => network::loopback,
    /// Sends a datagram to the loopback interface
    LoopbackDatagram => network::loopback_datagram,
    /// Connects to an abstract Unix socket
    AbstractSocket => network::abstract_socket,
    /// Connects to a Unix socket in a folder
    PathSocket => network::path_socket,
    /// Opens sockets of unusual families: packets, netlink, virtual machines, ciphers
    OddSockets => network::odd_sockets,
    /// Waits for connections from outside its game
    Listen => network::listen,

    /// Opens system settings for writing
    SystemSettings => kernel::settings,
    /// Reads secrets of the kernel
    KernelSecrets => kernel::secrets,
    /// Opens or makes device files
    Devices => kernel::devices,
    /// Mounts a file system, and makes its own folder writable
    Mount => kernel::mount,
    /// Makes namespaces in which it is root, and a file system without a limit
    Namespaces => kernel::namespaces,
    /// Changes its root folder
    Chroot => kernel::chroot,
    /// Becomes another user, with a setuid program or without
    BecomeRoot => kernel::become_root,
    /// Moves itself to another control group, or changes its own
    ControlGroups => kernel::cgroups,
    /// Leaves shared memory and message queues outside
    SharedMemory => kernel::shared_memory,
    /// Runs a program from memory
    RunMemory => kernel::run_memory,
    /// Loads a kernel module, changes the host's name
    ChangeKernel => kernel::change,
}

impl Attack {
    /// Whether it has something to look at in the moves after its own.
    fn looks_later(self) -> bool {
        matches!(self, Self::Ponder | Self::Escape)
    }

    /// Tries the attack, or looks later what has become of it, and reports on standard error.
    pub(super) fn strike(self, range: &Range, later: bool) {
        let verdict = match later {
            false => self.run(range),
            true if self.looks_later() => escape::look(range),
            true => return,
        };
        report(self.to_possible_value().map_or_else(String::new, |name| name.get_name().to_owned()).as_str(), &verdict);
    }
}

fn report(name: &str, verdict: &Verdict) {
    let (word, why) = match verdict {
        Ok(how) => ("succeeded", how.as_str()),
        Err(why) if why == NO_TARGET => ("no target", "nothing to be found; `--range` says where to look"),
        Err(why) => ("refused", why.as_str()),
    };
    // One write, so that two agents' lines do not mix. A full or closed pipe is no reason to stop playing.
    let _ = io::stderr().write_all(format!("attack {name}: {word} — {why}\n").as_bytes());
}

/// Why an attack without a target fails. That says nothing about a sandbox.
const NO_TARGET: &str = "no target";

/// Tries something with each target. It has succeeded if it has with one of them.
fn any<T>(targets: impl IntoIterator<Item = T>, mut attempt: impl FnMut(T) -> Verdict) -> Verdict {
    let (mut done, mut refused) = (Vec::new(), Vec::new());
    for target in targets {
        match attempt(target) {
            Ok(how) => done.push(how),
            Err(why) => refused.push(why),
        }
    }
    refused.dedup();
    match (done.is_empty(), refused.is_empty()) {
        (false, _) => Ok(short(&done)),
        (true, false) => Err(short(&refused)),
        (true, true) => Err(NO_TARGET.to_owned()),
    }
}

/// The first few of many.
fn short(texts: &[String]) -> String {
    let more = texts.len().saturating_sub(3);
    let first = texts.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("; ");
    if more > 0 { format!("{first}; {more} more") } else { first }
}

fn text(error: impl Display) -> String {
    error.to_string()
}

/// An error with what it is about.
fn of<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// What a process that an attack starts for its purpose does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Accomplice {
    /// Leaves the session, starts `Burn` and ends
    Daemon,
    /// Computes, and hides
    Burn,
    /// Sleeps with its parent's pipes
    Hold,
    /// Takes 64 MiB of memory, and sleeps
    Eat,
    /// Fills sockets, and sleeps
    Stuff,
    /// Makes namespaces
    Unshare,
}

impl Accomplice {
    /// Does it, and ends the process.
    pub(super) fn run(self, range: &Range) -> ! {
        let verdict = match self {
            Self::Daemon => escape::daemon(range),
            Self::Burn => Ok(escape::burn(range)),
            Self::Hold => {
                escape::hold();
                Ok(String::new())
            }
            Self::Eat => resources::eat(),
            Self::Stuff => resources::stuff(),
            Self::Unshare => kernel::unshare(),
        };
        let (code, line) = verdict.map_or_else(|why| (1, why), |how| (0, how));
        let _ = writeln!(io::stdout(), "{line}");
        std::process::exit(code)
    }

    /// The command that starts it: this program again, with nothing in its environment.
    fn command(self, range: &Range) -> std::process::Command {
        let program = std::env::current_exe().unwrap_or_else(|_| std::env::args_os().next().unwrap_or_default().into());
        let mut command = std::process::Command::new(program);
        let name = self.to_possible_value().map(|name| name.get_name().to_owned()).unwrap_or_default();
        command
            .args(["arena", "mock", "ugi", "honest", "--accomplice", &name, "--range"])
            .arg(&range.range)
            .env_clear();
        command.stdin(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null());
        command
    }
}
