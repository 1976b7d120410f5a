//! Control groups, where they can be had: bounds by the kernel beside the supervisor's own count.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::Limits;
use crate::control::End;

/// The groups of one sandbox. Dropping it removes them.
#[derive(Debug)]
pub(crate) struct Group {
    folders: Vec<PathBuf>,
}

/// A way to limit a group.
struct Bound {
    /// The file of the limit.
    file: &'static str,
    value: u64,
}

impl Group {
    /// Makes a group with limits and moves processes into it. `None` where no group can be had.
    pub(crate) fn new(limits: &Limits, members: impl Iterator<Item = u32>) -> Option<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        static TIDY: Once = Once::new();
        TIDY.call_once(|| places(limits).iter().for_each(|(parent, _)| remove_stale(parent)));
        let name = format!("plyhouse-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let mut group = Self { folders: Vec::new() };
        for (parent, bounds) in places(limits) {
            let folder = parent.join(&name);
            if fs::create_dir(&folder).is_err() {
                continue;
            }
            group.folders.push(folder.clone());
            for Bound { file, value } in bounds {
                // A kernel without this file has no such limit; the supervisor still counts.
                let _ = fs::write(folder.join(file), value.to_string());
            }
        }
        let members: Vec<u32> = members.collect();
        let joined = |folder: &PathBuf| {
            members.iter().all(|member| fs::write(folder.join("cgroup.procs"), member.to_string()).is_ok())
        };
        group.folders.retain(|folder| {
            let joined = joined(folder);
            if !joined {
                let _ = fs::remove_dir(folder);
            }
            joined
        });
        (!group.folders.is_empty()).then_some(group)
    }

    /// How a program has ended, if the kernel has ended it at a limit of the group.
    pub(crate) fn verdict(&self, end: End) -> End {
        let refused = |file, event| self.folders.iter().any(|folder| happened(folder, file, event));
        if matches!(end, End::Code(1..) | End::Signal(_)) && refused("pids.events", "max ") {
            // It could not start a process, and has given up before the supervisor counted.
            return End::Processes;
        }
        let killed = ["memory.events", "memory.oom_control"].iter().any(|file| refused(file, "oom_kill "));
        if end == End::Signal(9) && killed { End::Memory } else { end }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for folder in &self.folders {
            // It can be removed once its processes have ended, which they have, or are about to.
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

/// Removes the groups of processes that have ended without a chance to do so. A group that is in use cannot be removed.
fn remove_stale(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let maker = name.strip_prefix("plyhouse-").and_then(|rest| rest.split_once('-')).map(|(maker, _)| maker);
        if maker.is_some_and(|maker| !Path::new("/proc").join(maker).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The limits that groups would hold here, by name.
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

/// Whether a file of a group has counted an event.
fn happened(folder: &Path, file: &str, event: &str) -> bool {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
    text.lines().filter_map(|line| line.strip_prefix(event)).any(|count| count.trim() != "0")
}

/// The folders in which groups can be made, with their limits: version 2 in one place, version 1 in one for each.
fn places(limits: &Limits) -> Vec<(PathBuf, Vec<Bound>)> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut places = Vec::new();
    for line in own.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else { continue };
        let path = path.trim_start_matches('/');
        // The supervisor counts, and names the limit that is reached. The kernel's bounds are a little wider: they
        // stop what is faster than the supervisor. Files in memory, such as the scratch folder's, count here, too.
        let memory = limits.memory.0 / 4 * 5 + 2 * limits.scratch.0;
        let processes = 2 * u64::from(limits.processes) + 16;
        match controllers {
            "" => {
                let place = Path::new("/sys/fs/cgroup").join(path);
                if is_delegated(&place) {
                    let bounds = vec![
                        Bound { file: "memory.max", value: memory },
                        Bound { file: "memory.swap.max", value: 0 },
                        Bound { file: "pids.max", value: processes },
                    ];
                    places.push((place, bounds));
                }
            }
            "memory" => {
                let bounds = vec![Bound { file: "memory.limit_in_bytes", value: memory }];
                places.push((Path::new("/sys/fs/cgroup/memory").join(path), bounds));
            }
            "pids" => {
                let bounds = vec![Bound { file: "pids.max", value: processes }];
                places.push((Path::new("/sys/fs/cgroup/pids").join(path), bounds));
            }
            _ => (),
        }
    }
    places
}

/// Whether children of a group of version 2 have the limits that we set. If the group is ours but holds this process,
/// we first move into a child of it, because only groups without processes may pass their controllers on.
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
