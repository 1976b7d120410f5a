//! Descendants of a child process: finds and ends them.
//!
//! A process group is not sufficient: a process that calls `setsid` leaves it, and a process whose parent has ended
//! becomes a child of init. Therefore every child gets an environment variable with a unique value, which its
//! descendants inherit. On Linux, `/proc` shows which processes have it and which descend from them. On other systems
//! only the process group is ended.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

#[cfg(target_os = "linux")]
use crate::pressure::ThreadTime;
use crate::pressure::ThreadTimes;

/// Name of the variable that marks descendants.
pub(crate) const VARIABLE: &str = "PLYHOUSE_CHILD";

/// The mark of one child's descendants.
#[derive(Clone)]
pub(crate) struct Mark {
    value: String,
    /// Start time of the child, in system ticks; 0 if unknown.
    born: u64,
}

impl Mark {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Self { value: format!("{}-{count}-{}", std::process::id(), since.as_nanos()), born: 0 }
    }

    /// Records the start time of the child. Older processes cannot be its descendants and are skipped.
    pub(crate) fn born(&mut self, child: u32) {
        self.born = stat(child as i32).map_or(0, |stat| stat.born);
    }

    pub(crate) fn value(&self) -> &str {
        &self.value
    }
}

/// Kills the child, if it is still `running`, its group and all descendants that can be found.
pub(crate) fn kill(child: u32, mark: &Mark, running: bool) {
    let Some(pid) = Pid::from_raw(child as i32) else { return };
    // A round may miss a process that is just being started, so there are several rounds. If the child has ended and
    // the first round finds no process, none is left.
    for round in 0..5 {
        // An error means that the process has ended in the meantime. The group keeps its number as long as it has a
        // member or the child has not been waited for.
        let _ = kill_process_group(pid, Signal::KILL);
        if running {
            let _ = kill_process(pid, Signal::KILL);
        }
        let found = offspring(child, mark);
        if found.is_empty() && (round > 0 || !running) {
            break;
        }
        for process in found.into_iter().filter_map(Pid::from_raw) {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

/// A meter of the processor time of a process and its descendants. It is read at every move, so the files stay open.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    #[cfg(target_os = "linux")]
    process: u32,
    #[cfg(target_os = "linux")]
    files: Option<[std::fs::File; 3]>,
}

#[cfg(target_os = "linux")]
impl Meter {
    /// Creates a meter of the process with this number.
    pub(crate) fn new(process: u32) -> Self {
        let paths = ["stat", "schedstat", &format!("task/{process}/children")];
        let open = |path: &str| std::fs::File::open(format!("/proc/{process}/{path}")).ok();
        let [stat, schedule, children] = paths.map(open);
        let files = stat.zip(schedule).zip(children).map(|((stat, schedule), children)| [stat, schedule, children]);
        Self { process, files }
    }

    /// Returns the processor time of the process, of its children that it has waited for, and of its running
    /// descendants.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        let [stat, schedule, children] = self.files.as_ref()?.each_ref().map(whole);
        // Fields 14 to 17: user and system time, then those of children. The second field is the name, which may
        // contain any character.
        let fields = stat?;
        let ticks = fields.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
        let ticks: u64 = ticks.filter_map(|n| n.parse::<u64>().ok()).sum();
        // A tick is a hundredth of a second. The main thread has a finer clock.
        let main = schedule?.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or(0);
        let own = Duration::from_millis(ticks * 10).max(Duration::from_nanos(main));
        let children = children.unwrap_or_default();
        let children = children.split_whitespace().filter_map(|child| child.parse().ok());
        Some(own + children.filter_map(|child| Self::new(child).cpu()).sum::<Duration>())
    }
}

#[cfg(target_os = "linux")]
impl Meter {
    /// Maximum number of threads that are read. A fork bomb grows while it is read.
    const MOST: usize = 10_000;

    /// Returns the times of the threads of the process and its running descendants.
    pub(crate) fn threads(&self) -> ThreadTimes {
        let (mut times, mut processes) = (ThreadTimes::new(), vec![self.process]);
        while let Some(process) = processes.pop() {
            for task in std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
                let read = |file: &str| std::fs::read_to_string(task.path().join(file)).unwrap_or_default();
                let number = task.file_name().to_str().and_then(|name| name.parse().ok());
                // The fields: nanoseconds on a processor, nanoseconds spent waiting for a processor, number of time
                // slices.
                let times_of_it = read("schedstat");
                let mut fields =
                    times_of_it.split_whitespace().map_while(|field| field.parse().ok().map(Duration::from_nanos));
                if let (Some(number), Some(ran), Some(waited)) = (number, fields.next(), fields.next()) {
                    times.insert(number, ThreadTime { ran, waited });
                }
                processes.extend(read("children").split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
            }
            if times.len() > Self::MOST {
                break;
            }
        }
        times
    }
}

/// Returns the contents of a small file, read from its beginning.
#[cfg(target_os = "linux")]
fn whole(file: &std::fs::File) -> Option<String> {
    use std::os::unix::fs::FileExt;
    let mut text = vec![0; 4096];
    let length = file.read_at(&mut text, 0).ok()?;
    text.truncate(length);
    String::from_utf8(text).ok()
}

#[cfg(not(target_os = "linux"))]
impl Meter {
    /// Creates a meter of the process with this number.
    pub(crate) fn new(_: u32) -> Self {
        Self {}
    }

    /// Returns `None`, because this system does not report processor time.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        None
    }

    /// Returns no times, because this system does not report them.
    pub(crate) fn threads(&self) -> ThreadTimes {
        ThreadTimes::new()
    }
}

#[cfg(target_os = "linux")]
fn offspring(child: u32, mark: &Mark) -> Vec<i32> {
    let needle = format!("{VARIABLE}={}", mark.value());
    let numbers = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let processes: Vec<Stat> = numbers.filter_map(stat).filter(|stat| stat.born >= mark.born).collect();
    let marked = |stat: &&Stat| {
        let environment = std::fs::read(format!("/proc/{}/environ", stat.pid)).unwrap_or_default();
        environment.split(|&b| b == 0).any(|variable| variable == needle.as_bytes())
    };
    let mut found: Vec<i32> = processes.iter().filter(marked).map(|stat| stat.pid).collect();
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

/// The fields of a line of `/proc/PID/stat`.
struct Stat {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    pid: i32,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code))]
    parent: i32,
    /// Start time, in ticks since the start of the system.
    born: u64,
}

/// Looks up a process. Returns `None` if it has ended or is a zombie, which cannot be killed.
#[cfg(target_os = "linux")]
fn stat(pid: i32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // "pid (name) state parent …". The name may contain any character; the 22nd field is the start time.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let parent = fields.next()?.parse().ok()?;
    let born = fields.nth(17)?.parse().ok()?;
    (state != "Z" && state != "X").then_some(Stat { pid, parent, born })
}

#[cfg(not(target_os = "linux"))]
fn stat(_: i32) -> Option<Stat> {
    None
}
