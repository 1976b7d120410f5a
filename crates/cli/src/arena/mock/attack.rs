//! Attacks of a hostile agent on anything outside its game, or on more than its share of resources.
//!
//! An attack succeeds only if its effect is observed: a process counts as stopped when its state has changed, not when
//! the signal was accepted. Each attack has an upper bound, so that it does no lasting harm without a sandbox. Attacks
//! on other processes and files stay within the [`Range`].

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

/// The result of an attack: how it succeeded, or why it was refused.
type Verdict = Result<String, String>;

/// The targets of attacks. Attacks do not touch anything else on the machine.
#[derive(Args, Clone)]
pub(super) struct Range {
    /// Folder that attacks target, together with the processes that name it on their command lines
    #[arg(long, value_name = "DIR", default_value = "/no/range", hide_short_help = true)]
    range: PathBuf,
    /// Port of the loopback interface that attacks on sockets target
    #[arg(long, value_name = "PORT", default_value_t = 9, hide_short_help = true)]
    port: u16,
}

macro_rules! attacks {
    ($($(#[doc = $doc:literal])+ $name:ident => $run:expr,)+) => {
        /// The attacks.
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
    /// Stops every other process in the target range by SIGSTOP
    StopOthers => processes::stop_others,
    /// Kills every other process in the target range
    KillOthers => processes::kill_others,
    /// Stops the arena by SIGSTOP
    StopArena => processes::stop_arena,
    /// Kills the arena
    KillArena => processes::kill_arena,
    /// Stops its own supervisor: parents that are not the arena
    StopGuard => processes::stop_guard,
    /// Kills its own supervisor
    KillGuard => processes::kill_guard,
    /// Slows others down: changes their niceness, processors, limits and out-of-memory score
    SlowOthers => processes::slow_others,
    /// Reads the command lines of other processes
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
    /// Uses inherited descriptors other than the three standard ones
    Inherited => descriptors::inherited,
    /// Writes to the terminal of the arena
    Terminal => descriptors::terminal,

    /// Opens the store for writing by its path
    StoreByPath => files::store,
    /// Reads the files of other agents
    ReadSources => files::sources,
    /// Reads a secret in the home of the arena's user
    ReadHome => files::home,
    /// Searches all folders for readable files of users
    Snoop => files::snoop,
    /// Reads the environment of the arena and of others
    ReadEnvironment => files::environment,
    /// Searches its own environment for secrets
    OwnEnvironment => files::own_environment,
    /// Reaches files through the roots and working folders of other processes
    ProcRoot => files::proc_root,
    /// Reaches files through links in its own folders
    Links => files::links,
    /// Reads the names, sizes and times of others' files
    MeasureFiles => files::measure,
    /// Watches others' files for changes
    WatchFiles => files::watch,
    /// Changes the permissions and times of others' files, so that they cannot start
    ChangeModes => files::modes,
    /// Starts or copies programs of Plyhouse, to let their engine play
    BorrowEngine => files::engine,
    /// Changes its own program and folder
    WriteOwnFolder => files::own_folder,
    /// Writes notes to shared folders, and searches them for notes of an earlier game
    Remember => files::remember,
    /// Leaves folders behind that are hard to remove: deeply nested, locked, with links to files of others
    MessyFolders => files::mess,

    /// Starts a process in a new session, with an empty environment and all signals blocked
    Escape => escape::escape,
    /// Leaves a process behind that computes during the opponent's turn
    Ponder => escape::ponder,
    /// Leaves 40 processes behind that compute during the opponent's turn
    Starve => escape::starve,
    /// Leaves a process behind that keeps its outputs open
    HoldPipes => escape::hold_pipes,

    /// Starts processes, up to 2,000
    ForkBomb => resources::forks,
    /// Starts threads, up to 4,000
    ThreadBomb => resources::threads,
    /// Fills memory, up to 3 GiB
    FillMemory => resources::memory,
    /// Fills memory in many processes, up to 3 GiB in total
    FillMemoryTogether => resources::memory_together,
    /// Fills memory with anonymous files, up to 1 GiB
    FillMemoryFiles => resources::memory_files,
    /// Fills memory with unread data in sockets, up to 1 GiB
    FillBuffers => resources::buffers,
    /// Fills memory with unread data in sockets of many processes, up to 2 GiB in total
    FillBuffersTogether => resources::buffers_together,
    /// Fills every writable folder, up to 300 MiB in total
    FillDisk => resources::disk,
    /// Fills a folder that cannot be listed, up to 300 MiB
    FillHiddenDisk => resources::hidden_disk,
    /// Fills deleted files that are still open, up to 300 MiB
    FillDeletedFiles => resources::deleted_files,
    /// Creates empty files, up to 20,000
    FillInodes => resources::inodes,
    /// Opens files, up to 10,000
    OpenFiles => resources::files,
    /// Writes 64 MiB to standard error
    FloodErrors => resources::flood,
    /// Raises its own limits
    RaiseLimits => resources::raise_limits,
    /// Raises its own priority
    RaisePriority => resources::raise_priority,

    /// Opens a route to another computer, without sending a packet
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
    /// Opens or creates device files
    Devices => kernel::devices,
    /// Mounts a file system, and remounts its own folder writable
    Mount => kernel::mount,
    /// Creates namespaces in which it is root, and a file system without a limit
    Namespaces => kernel::namespaces,
    /// Changes its root folder
    Chroot => kernel::chroot,
    /// Becomes another user, with a setuid program or without
    BecomeRoot => kernel::become_root,
    /// Moves itself to another control group, or changes its own
    ControlGroups => kernel::cgroups,
    /// Creates shared memory and message queues that other processes could open
    SharedMemory => kernel::shared_memory,
    /// Runs a program from memory
    RunMemory => kernel::run_memory,
    /// Loads a kernel module, and changes the host name
    ChangeKernel => kernel::change,
}

impl Attack {
    /// Returns `true` if later moves check whether its processes still run.
    fn has_followup(self) -> bool {
        matches!(self, Self::Ponder | Self::Escape)
    }

    /// Tries the attack, or checks its effect if `later` is set, and reports the result on standard error.
    pub(super) fn run_and_report(self, range: &Range, later: bool) {
        let verdict = match later {
            false => self.run(range),
            true if self.has_followup() => escape::check_running(range),
            true => return,
        };
        report(self.to_possible_value().map_or_else(String::new, |name| name.get_name().to_owned()).as_str(), &verdict);
    }
}

fn report(name: &str, verdict: &Verdict) {
    let (word, why) = match verdict {
        Ok(how) => ("succeeded", how.as_str()),
        Err(why) if why == NO_TARGET => ("no target", "nothing found; set `--range` to a folder with targets"),
        Err(why) => ("refused", why.as_str()),
    };
    // A single write keeps the lines of two agents apart. Errors are ignored, because the agent must continue to play
    // if the pipe is full or closed.
    let _ = io::stderr().write_all(format!("attack {name}: {word} — {why}\n").as_bytes());
}

/// Error of an attack that finds no target, which says nothing about the sandbox.
const NO_TARGET: &str = "no target";

/// Makes an attempt on each target. Succeeds if an attempt does.
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

/// Joins the first three texts, and adds the number of others.
fn short(texts: &[String]) -> String {
    let more = texts.len().saturating_sub(3);
    let first = texts.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("; ");
    if more > 0 { format!("{first}; {more} more") } else { first }
}

/// Converts an error to text.
fn text(error: impl Display) -> String {
    error.to_string()
}

/// Converts an error to text that begins with `what`.
fn context<E: Display>(what: impl Display) -> impl FnOnce(E) -> String {
    move |error| format!("{what}: {error}")
}

/// A process that an attack starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Accomplice {
    /// Leaves the session, starts `Burn` and exits
    Daemon,
    /// Hides and computes
    Burn,
    /// Hides and sleeps with its parent's pipes open
    Hold,
    /// Fills 64 MiB of memory and sleeps
    Eat,
    /// Fills sockets and sleeps
    Stuff,
    /// Creates namespaces
    Unshare,
}

impl Accomplice {
    /// Runs the accomplice and exits.
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

    /// Returns the command that starts it: this program, with an empty environment.
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
