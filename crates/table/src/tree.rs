//! Finding and ending everything that a child has started.
//!
//! A process group is not enough: a process that calls `setsid` leaves it, and one whose parent has ended hangs under init.
//! Every child therefore gets an environment variable with a value of its own, which its offspring inherits; on Linux
//! `/proc` shows who has it and who descends from whom. Elsewhere only the process group is ended.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nix::sys::signal::{Signal, kill as signal, killpg};
use nix::unistd::Pid;

/// The name of the variable that marks offspring.
pub(crate) const VARIABLE: &str = "PLYHOUSE_CHILD";

/// The value that marks one child's offspring.
#[derive(Clone)]
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(format!("{}-{count}-{}", std::process::id(), since.as_nanos()))
    }

    pub(crate) fn value(&self) -> &str {
        &self.0
    }
}

/// Kills the child, if it is still `running`, its group and all offspring that can be found.
pub(crate) fn kill(child: u32, mark: &Mark, running: bool) {
    let pid = Pid::from_raw(child as i32);
    // A round may miss a process that is being started; after a few there is nobody left who could start one.
    for round in 0..5 {
        let found = offspring(child, mark);
        if round > 0 && found.is_empty() {
            break;
        }
        // Errors mean that somebody has ended meanwhile. The group keeps its number while it has a member, and as long as
        // the child has not been waited for.
        let _ = killpg(pid, Signal::SIGKILL);
        if running {
            let _ = signal(pid, Signal::SIGKILL);
        }
        for process in found {
            let _ = signal(Pid::from_raw(process), Signal::SIGKILL);
        }
    }
}

/// Processor time of a process, its children that it has waited for, and its living offspring.
#[cfg(target_os = "linux")]
pub(crate) fn cpu(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The 14th to 17th field: user and system time, then those of children; the name, which may contain anything, is the second.
    let ticks: u64 =
        stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(4).filter_map(|n| n.parse::<u64>().ok()).sum();
    // A hundredth of a second is all that a tick tells; for the main thread there is a better clock.
    let main = std::fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let main = main.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
    let own = Duration::from_millis(ticks * 10).max(Duration::from_nanos(main));
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| child.parse().ok());
    Some(own + children.filter_map(cpu).sum::<Duration>())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn cpu(_: u32) -> Option<Duration> {
    None
}

#[cfg(target_os = "linux")]
fn offspring(child: u32, mark: &Mark) -> Vec<i32> {
    let needle = format!("{VARIABLE}={}", mark.value());
    let processes: Vec<Process> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Process::read(entry.file_name().to_str()?.parse().ok()?, needle.as_bytes()))
        .collect();
    let mut found: Vec<i32> = processes.iter().filter(|process| process.marked).map(|process| process.pid).collect();
    let mut parents = vec![child as i32];
    parents.extend(&found);
    while let Some(parent) = parents.pop() {
        for process in processes.iter().filter(|process| process.parent == parent) {
            if !found.contains(&process.pid) {
                found.push(process.pid);
                parents.push(process.pid);
            }
        }
    }
    found.retain(|&pid| pid != child as i32);
    found
}

#[cfg(not(target_os = "linux"))]
fn offspring(_: u32, _: &Mark) -> Vec<i32> {
    Vec::new()
}

/// A line of `/proc`.
#[cfg(target_os = "linux")]
struct Process {
    pid: i32,
    parent: i32,
    marked: bool,
}

#[cfg(target_os = "linux")]
impl Process {
    /// Reads a process; `None` if it is gone or a zombie, whom nobody can kill.
    fn read(pid: i32, needle: &[u8]) -> Option<Self> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // "pid (name) state parent …", and the name may contain anything.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?;
        let parent = fields.next()?.parse().ok()?;
        if state == "Z" || state == "X" {
            return None;
        }
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        let marked = environment.split(|&b| b == 0).any(|variable| variable == needle);
        Some(Self { pid, parent, marked })
    }
}
