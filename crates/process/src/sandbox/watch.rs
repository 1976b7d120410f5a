//! Measurement of the memory, processor time and files of a sandbox.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

/// The current usage of a tree of processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// Anonymous memory, swapped memory and page tables, in bytes.
    pub(crate) memory: u64,
    /// Mapped shared memory, in bytes.
    pub(crate) shared: u64,
    /// Number of processes and threads.
    pub(crate) tasks: u64,
    /// Processor time, including processes that have ended and were reaped.
    pub(crate) cpu: Duration,
}

/// Returns all descendants of a process.
pub(crate) fn descendants(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut parents = vec![process];
    while let Some(parent) = parents.pop() {
        for task in std::fs::read_dir(format!("/proc/{parent}/task")).into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
                // A fork bomb grows during this loop.
                if found.len() > 100_000 {
                    return found;
                }
                found.push(child);
                parents.push(child);
            }
        }
    }
    found
}

/// Returns the usage of the descendants of a process, including the processor time of its reaped children.
pub(crate) fn usage(process: u32, descendants: &[u32]) -> Usage {
    let mut sum = Usage { cpu: stat(process).map_or(Duration::ZERO, |stat| stat.waited), ..Usage::default() };
    for &process in descendants {
        let Some(stat) = stat(process) else { continue };
        sum.tasks += stat.tasks;
        sum.cpu += stat.own + stat.waited;
        let (memory, shared) = memory(process);
        sum.memory += memory;
        sum.shared += shared;
    }
    sum
}

/// Returns the private and the shared memory of a process, in bytes.
fn memory(process: u32) -> (u64, u64) {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let sum = |names: &[&str]| {
        let kilobytes = |line: &str| -> Option<u64> {
            let (name, rest) = line.split_once(':')?;
            names.contains(&name).then(|| rest.split_whitespace().next()?.parse().ok())?
        };
        text.lines().filter_map(kilobytes).sum::<u64>() << 10
    };
    (sum(&["RssAnon", "VmSwap", "VmPTE"]), sum(&["RssShmem"]))
}

/// The size of each shared memory object without a file, by inode, in bytes: the largest end of any mapping so far.
/// After `MADV_DONTNEED` and `munmap`, pages belong to no process but are kept while a part of the memory is mapped.
#[derive(Debug, Default)]
pub(crate) struct SharedMemory(BTreeMap<u64, u64>);

impl SharedMemory {
    /// Reads the mappings of these processes. Returns the maximum size of their shared memory, in bytes.
    pub(crate) fn measure(&mut self, processes: &[u32]) -> u64 {
        let mut seen = BTreeMap::new();
        for process in processes {
            let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap_or_default();
            for (inode, end) in maps.lines().filter_map(shared_mapping) {
                let before = self.0.get(&inode).copied().unwrap_or(0);
                let most = seen.entry(inode).or_insert(before);
                *most = end.max(*most);
            }
        }
        self.0 = seen;
        self.0.values().sum()
    }
}

/// Parses a line of `/proc/PID/maps`. For shared memory without a file, returns its inode and the end of the mapping in
/// it.
fn shared_mapping(line: &str) -> Option<(u64, u64)> {
    let mut fields = line.split_ascii_whitespace();
    let (addresses, permissions, offset) = (fields.next()?, fields.next()?, fields.next()?);
    let (inode, name) = (fields.nth(1)?, fields.next()?);
    if !permissions.ends_with('s') || !["/dev/zero", "/SYSV", "/memfd:"].iter().any(|start| name.starts_with(start)) {
        return None;
    }
    let number = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = addresses.split_once('-')?;
    Some((inode.parse().ok()?, number(offset)? + number(end)?.checked_sub(number(start)?)?))
}

struct Stat {
    own: Duration,
    waited: Duration,
    tasks: u64,
}

fn stat(process: u32) -> Option<Stat> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // "pid (name) state …": the name may contain any character. Fields 14 to 17 are times in hundredths of a second,
    // field 20 is the number of threads.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3).and_then(|text| text.parse::<u64>().ok());
    let ticks = |from: usize| Some(Duration::from_millis(10 * (number(from)? + number(from + 1)?)));
    Some(Stat { own: ticks(14)?, waited: ticks(16)?, tasks: number(20)? })
}

/// Returns the number of processes and threads of a user.
pub(crate) fn tasks_of(user: u32) -> u64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let its = |process: &u32| {
        use std::os::unix::fs::MetadataExt;
        std::fs::metadata(format!("/proc/{process}")).is_ok_and(|data| data.uid() == user)
    };
    processes.filter(its).filter_map(stat).map(|stat| stat.tasks).sum()
}

/// Maximum memory of the data that is queued in a socket, in bytes, including the kernel's overhead.
const SOCKET: u64 = 416 << 10;

/// Returns the maximum memory of the data that is queued in all sockets of this network namespace, in bytes.
pub(crate) fn sockets() -> u64 {
    let text = std::fs::read_to_string("/proc/net/sockstat").unwrap_or_default();
    let used = text.lines().find_map(|line| line.strip_prefix("sockets: used "));
    used.and_then(|used| used.trim().parse::<u64>().ok()).unwrap_or(0) * SOCKET
}

/// Returns the memory that a file system in memory uses for its entries, without their content, in bytes.
pub(crate) fn inodes(folder: &str) -> u64 {
    rustix::fs::statvfs(folder).map_or(0, |stat| stat.f_files.saturating_sub(stat.f_ffree) * ENTRY)
}

/// Size of an entry of a folder without its content, in bytes.
const ENTRY: u64 = 4096;

/// Lists a folder. If that fails, first gives its owner all permissions.
fn open(folder: &Path) -> std::io::Result<std::fs::ReadDir> {
    std::fs::read_dir(folder).or_else(|_| {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
        std::fs::read_dir(folder)
    })
}

/// Gives the owner all permissions for a folder and every folder in it, so that it can be removed. No program may still
/// run: it could replace a folder with a link to a folder of the system.
pub(crate) fn unlock(folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // Folders that are too deep for a path are skipped.
        let entries = open(&folder).into_iter().flatten().flatten();
        folders.extend(
            entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.path()),
        );
    }
}

/// Returns the size of all files in a folder, in bytes. Stops counting above `most`. A folder that cannot be read,
/// because of its permissions or its depth, counts as larger than `most`.
pub(crate) fn size(folder: &Path, most: u64) -> u64 {
    let (mut sum, mut folders) = (0, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(_) => return most.saturating_add(1),
        };
        for entry in entries.flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(entry.path());
            }
            // An empty file also takes space.
            sum += ENTRY + entry.metadata().map_or(0, |data| data.len());
            if sum > most {
                return sum;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_and_its_children_are_measured() {
        let me = std::process::id();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("sleep starts");
        assert!(descendants(me).contains(&child.id()));
        let seen = usage(me, &descendants(me));
        assert!(seen.tasks >= 1 && seen.memory > 0, "{seen:?}");
        assert!(memory(me).0 > 100 << 10 && tasks_of(rustix::process::getuid().as_raw()) >= 2);
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        assert!(!descendants(me).contains(&child.id()));
    }

    #[test]
    fn shared_memory_is_found_among_mappings() {
        let line = "7f0000200000-7f0000300000 rw-s 00100000 00:01 1037                       /dev/zero (deleted)";
        assert_eq!(shared_mapping(line), Some((1037, 2 << 20)));
        for line in [
            "7f0000200000-7f0000300000 rw-p 00000000 00:00 0",
            "7f0000200000-7f0000300000 rw-p 00100000 00:01 1037 /dev/zero (deleted)",
            "7f0000200000-7f0000300000 r--s 00000000 fe:00 77 /usr/lib/locale/a b",
            "7f00-8f00 rw-s",
            "",
        ] {
            assert_eq!(shared_mapping(line), None, "{line}");
        }
        let mut shared = SharedMemory(BTreeMap::from([(1, 4096)]));
        assert_eq!((shared.measure(&[std::process::id()]), shared.0.len()), (0, 0));
    }

    #[test]
    fn unreadable_folders_count_as_too_large() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        std::fs::create_dir(&inner).expect("a folder");
        std::fs::write(inner.join("file"), vec![0; 50_000]).expect("a file");
        std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o000)).expect("its owner");
        assert!(size(folder.path(), 1 << 20) > 50_000);
        // So deep that its path exceeds the system's maximum length.
        let mut shell = std::process::Command::new("sh");
        let script = "for i in $(seq 30); do d=$(printf 'a%.0s' $(seq 200)); mkdir $d && cd -P $d || exit 1; done";
        let made = shell.args(["-c", script]).current_dir(folder.path()).output().expect("sh starts");
        assert!(!made.status.success() || size(folder.path(), 1 << 20) > 1 << 20);
        unlock(folder.path());
    }

    #[test]
    fn the_size_of_a_folder_includes_its_entries() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("sub")).expect("a folder");
        std::fs::write(folder.path().join("sub/file"), [0; 5000]).expect("a file");
        let sizes = size(folder.path(), u64::MAX);
        assert!((2 * 4096 + 5000..20_000).contains(&sizes), "{sizes}");
    }
}
