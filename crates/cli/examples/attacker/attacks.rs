//! Attacks of a hostile agent on anything outside its game, or on more than its share of resources.
//!
//! An attack succeeds only if its effect is observed: a process counts as stopped when its state has changed, not when
//! the signal was accepted. Each attack has an upper bound, so that it does no lasting harm without a sandbox. Attacks
//! on other processes and files stay within the [`Range`].

use std::fmt::Display;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

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
pub(crate) struct Range {
    /// Folder that attacks target, together with the processes that name it on their command lines.
    pub(crate) folder: PathBuf,
    /// Port of the loopback interface that attacks on sockets target.
    pub(crate) port: u16,
}

impl Default for Range {
    /// Returns a range without targets.
    fn default() -> Self {
        Self { folder: "/no/range".into(), port: 9 }
    }
}

/// The name of an attack, and its function.
#[derive(Clone, Copy)]
pub(crate) struct Attack(&'static str, fn(&Range) -> Verdict);

/// All attacks, as `docs/security.md` describes them.
const ATTACKS: [Attack; 68] = [
    Attack("stop-others", processes::stop_others),
    Attack("kill-others", processes::kill_others),
    Attack("stop-arena", processes::stop_arena),
    Attack("kill-arena", processes::kill_arena),
    Attack("stop-guard", processes::stop_guard),
    Attack("kill-guard", processes::kill_guard),
    Attack("slow-others", processes::slow_others),
    Attack("list-processes", processes::list),
    Attack("trace", processes::trace),
    Attack("read-memory", processes::read_memory),
    Attack("open-memory", processes::open_memory),
    Attack("write-output", descriptors::write_output),
    Attack("read-input", descriptors::read_input),
    Attack("store-by-descriptor", descriptors::store),
    Attack("inherited", descriptors::inherited),
    Attack("terminal", descriptors::terminal),
    Attack("store-by-path", files::store),
    Attack("read-sources", files::sources),
    Attack("read-home", files::home),
    Attack("snoop", files::snoop),
    Attack("read-environment", files::environment),
    Attack("own-environment", files::own_environment),
    Attack("proc-root", files::proc_root),
    Attack("links", files::links),
    Attack("measure-files", files::measure),
    Attack("watch-files", files::watch),
    Attack("change-modes", files::modes),
    Attack("borrow-engine", files::engine),
    Attack("write-own-folder", files::own_folder),
    Attack("remember", files::remember),
    Attack("messy-folders", files::mess),
    Attack("escape", escape::escape),
    Attack("ponder", escape::ponder),
    Attack("starve", escape::starve),
    Attack("hold-pipes", escape::hold_pipes),
    Attack("fork-bomb", resources::forks),
    Attack("thread-bomb", resources::threads),
    Attack("fill-memory", resources::memory),
    Attack("fill-memory-together", resources::memory_together),
    Attack("fill-memory-files", resources::memory_files),
    Attack("fill-buffers", resources::buffers),
    Attack("fill-buffers-together", resources::buffers_together),
    Attack("fill-disk", resources::disk),
    Attack("fill-hidden-disk", resources::hidden_disk),
    Attack("fill-deleted-files", resources::deleted_files),
    Attack("fill-inodes", resources::inodes),
    Attack("open-files", resources::files),
    Attack("flood-errors", resources::flood),
    Attack("raise-limits", resources::raise_limits),
    Attack("raise-priority", resources::raise_priority),
    Attack("outwards", network::outwards),
    Attack("loopback", network::loopback),
    Attack("loopback-datagram", network::loopback_datagram),
    Attack("abstract-socket", network::abstract_socket),
    Attack("path-socket", network::path_socket),
    Attack("odd-sockets", network::odd_sockets),
    Attack("listen", network::listen),
    Attack("system-settings", kernel::settings),
    Attack("kernel-secrets", kernel::secrets),
    Attack("devices", kernel::devices),
    Attack("mount", kernel::mount),
    Attack("namespaces", kernel::namespaces),
    Attack("chroot", kernel::chroot),
    Attack("become-root", kernel::become_root),
    Attack("control-groups", kernel::cgroups),
    Attack("shared-memory", kernel::shared_memory),
    Attack("run-memory", kernel::run_memory),
    Attack("change-kernel", kernel::change),
];

/// Number of the move at which an attack is made, counted from 1.
const MOVE: u32 = 2;

/// Prints the names of all attacks.
pub(crate) fn list() -> io::Result<()> {
    ATTACKS.iter().try_for_each(|attack| writeln!(io::stdout(), "{}", attack.0))
}

impl Attack {
    /// Returns the attack with a name.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = ATTACKS.into_iter().find(|attack| attack.0 == name);
        found.ok_or_else(|| format!("no attack `{name}`: `--list` prints all"))
    }

    /// Makes the attack at move [`MOVE`], or checks its effect at a later move. Reports the result on standard error.
    pub(crate) fn run_and_report(self, range: &Range, number: u32) {
        let verdict = match number {
            ..MOVE => return,
            MOVE => self.1(range),
            // The processes of these attacks may still run.
            _ if ["ponder", "escape"].contains(&self.0) => escape::check_running(range),
            _ => return,
        };
        report(self.0, &verdict);
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

/// Error of an attack that finds no target. This result does not depend on the sandbox.
const NO_TARGET: &str = "no target";

/// Tries `attempt` on each target. Succeeds if any attempt succeeds.
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

/// Joins the first three texts, and adds how many others there are.
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

/// Runs as an accomplice, a process that an attack started, and exits.
pub(crate) fn run_accomplice(name: &str, range: &Range) -> ! {
    let verdict = match name {
        "burn" => Ok(escape::burn(range)),
        "daemon" => escape::daemon(range),
        "eat" => resources::eat(),
        "hold" => escape::hold(),
        "stuff" => resources::stuff(),
        "unshare" => kernel::unshare(),
        _ => Err(format!("no accomplice `{name}`")),
    };
    let (code, line) = verdict.map_or_else(|why| (1, why), |how| (0, how));
    let _ = writeln!(io::stdout(), "{line}");
    std::process::exit(code)
}

/// Returns the command that starts an accomplice: this program, with an empty environment.
fn accomplice(name: &str, range: &Range) -> Command {
    let program = std::env::current_exe().unwrap_or_else(|_| std::env::args_os().next().unwrap_or_default().into());
    let mut command = Command::new(program);
    command.args(["--accomplice", name, "--range"]).arg(&range.folder).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
