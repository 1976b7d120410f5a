//! Attacks on other processes.

use std::fs;
use std::fs::OpenOptions;
use std::io::IoSliceMut;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use nix::errno::Errno;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::sys::ptrace;
use nix::sys::signal::{Signal, kill};
use nix::sys::uio::{RemoteIoVec, process_vm_readv};
use nix::unistd::Pid;

use super::{Range, Verdict, any, context, text};

/// Time until a signal has taken effect.
const SETTLE_TIME: Duration = Duration::from_millis(30);

/// Returns all visible processes.
fn all() -> Vec<i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Returns the command line of a process, or an empty text if it cannot be read.
pub(super) fn command_line(pid: i32) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

/// Returns the state and the parent of a process.
fn stat(pid: i32) -> Option<(char, i32)> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    Some((fields.next()?.chars().next()?, fields.next()?.parse().ok()?))
}

/// Returns `true` if a process names the range's folder on its command line.
fn in_range(pid: i32, range: &Range) -> bool {
    command_line(pid).contains(&*range.folder.to_string_lossy())
}

/// Returns the ancestors of this process, up to the first outside the range.
fn ancestors(range: &Range) -> Vec<i32> {
    let mut found = Vec::new();
    let mut pid = std::process::id() as i32;
    while let Some((_, parent)) = stat(pid) {
        if parent <= 0 || !in_range(parent, range) {
            break;
        }
        found.push(parent);
        pid = parent;
    }
    found
}

fn is_arena(pid: i32) -> bool {
    let command = command_line(pid);
    ["arena run", "arena resume", "arena spar", "arena check", "arena enter"]
        .iter()
        .any(|words| command.contains(words))
}

/// Returns the ancestors that are arenas.
pub(super) fn arena(range: &Range) -> Vec<i32> {
    ancestors(range).into_iter().filter(|&pid| is_arena(pid)).collect()
}

/// Returns the ancestors that are not arenas.
fn guard(range: &Range) -> Vec<i32> {
    ancestors(range).into_iter().filter(|&pid| !is_arena(pid)).collect()
}

/// Returns the processes of the range, except arenas, this process, its ancestors and its descendants.
pub(super) fn others(range: &Range) -> Vec<i32> {
    let me = std::process::id() as i32;
    let above = ancestors(range);
    let is_below = |mut pid: i32| {
        while pid > 1 {
            if pid == me {
                return true;
            }
            pid = stat(pid).map_or(0, |(_, parent)| parent);
        }
        false
    };
    let other = |&pid: &i32| in_range(pid, range) && !above.contains(&pid) && !is_below(pid) && !is_arena(pid);
    all().into_iter().filter(other).collect()
}

/// Returns the arenas and the other processes of the range.
pub(super) fn arena_and_others(range: &Range) -> Vec<i32> {
    let mut pids = arena(range);
    pids.extend(others(range));
    pids
}

fn send(pids: Vec<i32>, signal: Signal) -> Verdict {
    any(pids, |pid| {
        kill(Pid::from_raw(pid), signal).map_err(text)?;
        sleep(SETTLE_TIME);
        match (signal, stat(pid)) {
            (Signal::SIGSTOP, Some(('T', _))) => Ok(format!("process {pid} has stopped")),
            (Signal::SIGKILL, None | Some(('Z' | 'X', _))) => Ok(format!("process {pid} is dead")),
            _ => Err("the signal had no effect".to_owned()),
        }
    })
}

pub(super) fn stop_others(range: &Range) -> Verdict {
    send(others(range), Signal::SIGSTOP)
}

pub(super) fn kill_others(range: &Range) -> Verdict {
    send(others(range), Signal::SIGKILL)
}

pub(super) fn stop_arena(range: &Range) -> Verdict {
    send(arena(range), Signal::SIGSTOP)
}

pub(super) fn kill_arena(range: &Range) -> Verdict {
    send(arena(range), Signal::SIGKILL)
}

pub(super) fn stop_guard(range: &Range) -> Verdict {
    send(guard(range), Signal::SIGSTOP)
}

pub(super) fn kill_guard(range: &Range) -> Verdict {
    send(guard(range), Signal::SIGKILL)
}

pub(super) fn slow_others(range: &Range) -> Verdict {
    any(arena_and_others(range), |pid| {
        let program = |words: &[&str]| -> Verdict {
            let output = Command::new(words[0]).args(&words[1..]).output().map_err(context(words[0]))?;
            if output.status.success() {
                Ok(format!("{} worked on process {pid}", words[0]))
            } else {
                Err(String::from_utf8_lossy(&output.stderr).trim().replace(&pid.to_string(), "PID"))
            }
        };
        let number = pid.to_string();
        let mut one = CpuSet::new();
        let all = [
            one.set(0)
                .and_then(|()| sched_setaffinity(Pid::from_raw(pid), &one))
                .map_err(context("affinity"))
                .map(|()| format!("process {pid} has one processor")),
            program(&["renice", "-n", "1", "-p", &number]),
            program(&["prlimit", "--pid", &number, "--core=0:0"]),
            fs::write(format!("/proc/{pid}/oom_score_adj"), "999")
                .map_err(context("oom_score_adj"))
                .map(|()| format!("the kernel would kill process {pid} first")),
        ];
        any(all, |verdict| verdict)
    })
}

pub(super) fn list(range: &Range) -> Verdict {
    any(arena_and_others(range), |pid| {
        Ok(format!("process {pid} is `{}`", command_line(pid).chars().take(60).collect::<String>()))
    })
}

pub(super) fn trace(range: &Range) -> Verdict {
    any(arena_and_others(range), |pid| {
        ptrace::seize(Pid::from_raw(pid), ptrace::Options::empty()).map_err(text)?;
        // The kernel detaches the tracer when it exits.
        Ok(format!("process {pid} is traced"))
    })
}

pub(super) fn read_memory(range: &Range) -> Verdict {
    any(arena_and_others(range), |pid| {
        let mut bytes = [0; 8];
        let remote = [RemoteIoVec { base: 4096, len: 8 }];
        // Only the permission matters. Nothing is mapped at this address, so EFAULT means that access was permitted.
        match process_vm_readv(Pid::from_raw(pid), &mut [IoSliceMut::new(&mut bytes)], &remote) {
            Ok(_) | Err(Errno::EFAULT) => Ok(format!("memory of process {pid} is open")),
            Err(error) => Err(text(error)),
        }
    })
}

pub(super) fn open_memory(range: &Range) -> Verdict {
    any(arena_and_others(range), |pid| {
        let path = format!("/proc/{pid}/mem");
        OpenOptions::new().read(true).write(true).open(&path).map_err(text)?;
        Ok(path)
    })
}
