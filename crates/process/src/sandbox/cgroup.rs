//! Control groups, where they are available: limits of the kernel in addition to the supervisor's measurements.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Once, OnceLock};

use super::control::End;
use crate::sandbox::limits::Limits;

/// The groups of one sandbox. Dropping it removes them.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
    /// Events before the current program.
    before: Events,
}

/// Numbers of times that the kernel enforced the limits of a group.
#[derive(Clone, Copy, Debug, Default)]
struct Events {
    refused_processes: u64,
    memory_kills: u64,
}

impl Events {
    fn of(folders: &[PathBuf]) -> Self {
        let sum = |file, event| folders.iter().map(|folder| count(folder, file, event)).sum();
        let memory_kills = ["memory.events", "memory.oom_control"].map(|file| sum(file, "oom_kill ")).iter().sum();
        Self { refused_processes: sum("pids.events", "max "), memory_kills }
    }
}

/// A limit of a group.
#[derive(Clone, Copy)]
struct Bound {
    /// Name of the limit's file.
    file: &'static str,
    value: u64,
}

impl Group {
    /// Creates a group with limits. Call it before the processes of the group are started: in version 2, a group with
    /// processes cannot have child groups with limits.
    pub(crate) fn new(limits: &Limits) -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        static TIDY: Once = Once::new();
        TIDY.call_once(|| places(limits).iter().for_each(|(parent, _)| remove_stale(parent)));
        let name = format!("plyhouse-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut group = Self { folders: Vec::new(), before: Events::default() };
        for (parent, bounds) in places(limits) {
            let folder = parent.join(&name);
            if fs::create_dir(&folder).is_err() {
                continue;
            }
            for Bound { file, value } in bounds {
                // A kernel without this file does not support the limit; the supervisor still enforces it.
                let _ = fs::write(folder.join(file), value.to_string());
            }
            group.folders.push(folder);
        }
        group
    }

    /// Moves processes into the group. Returns `None` if groups are not available.
    pub(crate) fn join(mut self, members: impl Iterator<Item = u32>) -> Option<Self> {
        let members: Vec<u32> = members.collect();
        let joined = |folder: &PathBuf| {
            members.iter().all(|member| fs::write(folder.join("cgroup.procs"), member.to_string()).is_ok())
        };
        self.folders.retain(|folder| {
            let joined = joined(folder);
            if !joined {
                let _ = fs::remove_dir(folder);
            }
            joined
        });
        (!self.folders.is_empty()).then_some(self)
    }

    /// Prepares for a program: events of earlier programs do not count for it.
    pub(crate) fn begin(&mut self) {
        self.before = Events::of(&self.folders);
    }

    /// Returns the limit that the kernel enforced by ending the program, if any; otherwise returns `end`.
    pub(crate) fn verdict(&self, end: End) -> End {
        if !end.is_unexplained() {
            return end;
        }
        let now = Events::of(&self.folders);
        if now.refused_processes > self.before.refused_processes {
            // The program failed to start a process and ended before the supervisor measured it.
            return End::Processes;
        }
        // The kernel may have killed another process than the first one. A shell then ends with a code.
        if now.memory_kills > self.before.memory_kills { End::Memory } else { end }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            // A group can be removed only after its processes have ended, which may take a moment.
            for _ in 0..200 {
                match fs::remove_dir(folder) {
                    Err(error) if error.kind() == std::io::ErrorKind::ResourceBusy => {
                        std::thread::sleep(std::time::Duration::from_millis(5));
                    }
                    _ => break,
                }
            }
        }
    }
}

/// Removes the groups that killed programs have left behind. A group that is in use cannot be removed.
fn remove_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let maker = name.strip_prefix("plyhouse-").and_then(|rest| rest.split_once('-')).map(|(maker, _)| maker);
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Returns the names of the limits that groups enforce on this machine.
pub(crate) fn bounds() -> Vec<&'static str> {
    let places = places(&Limits::default()).into_iter();
    let usable = places.filter(|(parent, _)| {
        let probe = parent.join(format!("plyhouse-{}-probe", std::process::id()));
        fs::create_dir(&probe).is_ok_and(|()| fs::remove_dir(&probe).is_ok())
    });
    let files: Vec<&str> = usable.flat_map(|(_, bounds)| bounds).map(|bound| bound.file).collect();
    let named = [("memory", "memory."), ("processes", "pids.")];
    named
        .into_iter()
        .filter(|(_, file)| files.iter().any(|name| name.starts_with(file)))
        .map(|(name, _)| name)
        .collect()
}

/// Returns the number of events of one kind that a file of a group has counted.
fn count(folder: &Path, file: &str, event: &str) -> u64 {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_prefix(event)?.trim().parse::<u64>().ok()).sum()
}

/// The controllers of a group.
#[derive(Clone, Copy)]
enum Controllers {
    /// All controllers, in version 2.
    All,
    Memory,
    Processes,
}

/// Returns the groups in which groups can be created: one in version 2, one for each controller in version 1. They are
/// found once, because finding them may move this process to another group.
fn parents() -> &'static [(PathBuf, Controllers)] {
    static PARENTS: OnceLock<Vec<(PathBuf, Controllers)>> = OnceLock::new();
    PARENTS.get_or_init(|| {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let parent = |line: &str| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (controllers, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
            let below = |root: &str| Path::new(root).join(path);
            match controllers {
                "" => Some((below("/sys/fs/cgroup"), Controllers::All)).filter(|(group, _)| is_delegated(group)),
                "memory" => Some((below("/sys/fs/cgroup/memory"), Controllers::Memory)),
                "pids" => Some((below("/sys/fs/cgroup/pids"), Controllers::Processes)),
                _ => None,
            }
        };
        own.lines().filter_map(parent).collect()
    })
}

/// Returns the folders in which groups can be created, with their limits.
fn places(limits: &Limits) -> Vec<(&'static Path, Vec<Bound>)> {
    // The kernel's limits are wider than the supervisor's, so that the supervisor can report which limit was exceeded.
    // The kernel's limits catch growth that is too fast for the supervisor. They also count files in memory, such as
    // those in the scratch folder.
    let memory = limits.memory.0 / 4 * 5 + 2 * limits.scratch.0;
    let processes = Bound { file: "pids.max", value: 2 * u64::from(limits.processes) + 16 };
    let bounds = |controllers| match controllers {
        Controllers::All => {
            vec![Bound { file: "memory.max", value: memory }, Bound { file: "memory.swap.max", value: 0 }, processes]
        }
        Controllers::Memory => vec![Bound { file: "memory.limit_in_bytes", value: memory }],
        Controllers::Processes => vec![processes],
    };
    parents().iter().map(|(parent, controllers)| (parent.as_path(), bounds(*controllers))).collect()
}

/// Returns `true` if the child groups of a version 2 group can have limits. If this process is in the group and may
/// change the group, first moves this process to a child group, because only groups without processes may delegate
/// their controllers.
fn is_delegated(group: &Path) -> bool {
    let has = |file: &str| {
        let text = fs::read_to_string(group.join(file)).unwrap_or_default();
        text.split_whitespace().any(|name| name == "memory")
    };
    if has("cgroup.subtree_control") {
        return true;
    }
    let leaf = group.join("plyhouse");
    let moved = has("cgroup.controllers")
        && (leaf.is_dir() || fs::create_dir(&leaf).is_ok())
        && fs::write(leaf.join("cgroup.procs"), std::process::id().to_string()).is_ok()
        && fs::write(group.join("cgroup.subtree_control"), "+memory +pids").is_ok();
    moved && has("cgroup.subtree_control")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_the_kernel_explains_a_failure() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut group = Group { folders: vec![folder.path().to_owned()], before: Events::default() };
        let count = |file: &str, text: &str| fs::write(folder.path().join(file), text).expect("written");
        let failures = [End::Code(137), End::Code(1), End::Signal(9), End::Signal(6)];
        let verdicts = |group: &Group| failures.map(|end| group.verdict(end));
        count("memory.events", "max 7\noom 0\noom_kill 0\n");
        count("pids.events", "max 0\n");
        assert_eq!(verdicts(&group), failures);
        count("memory.events", "max 7\noom 1\noom_kill 1\n");
        assert_eq!(verdicts(&group), [End::Memory; 4]);
        assert_eq!(group.verdict(End::Code(0)), End::Code(0));
        assert_eq!(group.verdict(End::Disk), End::Disk);
        count("pids.events", "max 3\n");
        assert_eq!(verdicts(&group), [End::Processes; 4]);
        group.begin();
        assert_eq!(verdicts(&group), failures, "events of an earlier program");
    }
}
