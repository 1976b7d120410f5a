//! Attacks on the system.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::kmod::{ModuleInitFlags, finit_module};
use nix::mount::{MntFlags, MsFlags, mount as mount_one, umount2};
use nix::sched::{CloneFlags, unshare as leave};
use nix::sys::memfd::{MFdFlags, memfd_create};
use nix::sys::mman::{shm_open, shm_unlink};
use nix::sys::stat::{Mode, SFlag, makedev, mknod};
use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::{Gid, Uid, setgroups, sethostname, setresgid, setresuid};

use super::files::{candidate_folders, create_own_folders};
use super::{Range, Verdict, accomplice, any, context, text};

/// Opens a file for writing, without writing to it.
fn open_for_writing(path: &str) -> Verdict {
    OpenOptions::new().write(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path).map_err(text)?;
    Ok(path.to_owned())
}

pub(super) fn settings(_: &Range) -> Verdict {
    let paths = [
        "/proc/sys/kernel/core_pattern",
        "/proc/sys/kernel/hostname",
        "/proc/sys/kernel/ns_last_pid",
        "/proc/sys/vm/drop_caches",
        "/proc/sysrq-trigger",
        "/proc/dynamic_debug/control",
        "/proc/acpi/wakeup",
        "/proc/irq/default_smp_affinity",
        "/sys/kernel/uevent_helper",
        "/sys/power/state",
        "/etc/passwd",
        "/etc/ld.so.preload",
        "/usr/bin/env",
    ];
    any(paths, open_for_writing)
}

pub(super) fn secrets(_: &Range) -> Verdict {
    let symbols = fs::read_to_string("/proc/kallsyms").map_err(context("kallsyms"));
    let shown = symbols.and_then(|text| {
        let shown = text.lines().take(2_000).any(|line| !line.starts_with("0000000000000000"));
        if shown { Ok("addresses of the kernel".to_owned()) } else { Err("kallsyms: zeros".to_owned()) }
    });
    let read = |path: &str| {
        let mut file = OpenOptions::new().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path).map_err(text)?;
        let length = file.read(&mut [0; 4096]).map_err(text)?;
        if length > 0 { Ok(path.to_owned()) } else { Err("empty".to_owned()) }
    };
    let files = [
        "/proc/kcore",
        "/dev/kmsg",
        "/proc/kmsg",
        "/proc/vmallocinfo",
        "/proc/kpageflags",
        "/sys/kernel/debug",
        "/sys/kernel/vmcoreinfo",
    ];
    any(std::iter::once(shown).chain(files.map(read)), |verdict| verdict)
}

pub(super) fn devices(_: &Range) -> Verdict {
    let devices =
        ["/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/mem", "/dev/kvm", "/dev/fuse", "/dev/net/tun", "/dev/vsock"];
    let opened =
        devices.into_iter().map(|path| OpenOptions::new().read(true).open(path).map_err(text).map(|_| path.to_owned()));
    // The null device does no harm where creating devices is permitted.
    let created = create_own_folders("device").into_iter().map(|folder| {
        let path = folder.join("device");
        let created = mknod(&path, SFlag::S_IFCHR, Mode::S_IRWXU, makedev(1, 3)).map_err(context("mknod"));
        let opened =
            created.and_then(|()| OpenOptions::new().write(true).open(&path).map(drop).map_err(context("open")));
        let _ = fs::remove_dir_all(&folder);
        opened.map(|()| format!("created a device in {}", folder.display()))
    });
    any(opened.chain(created), |verdict| verdict)
}

const NONE: Option<&str> = None;

pub(super) fn mount(_: &Range) -> Verdict {
    let folders = create_own_folders("mount");
    let mounted = folders.iter().map(|folder| {
        mount_one(Some("tmpfs"), folder, Some("tmpfs"), MsFlags::empty(), NONE).map_err(context("mount"))?;
        let _ = umount2(folder, MntFlags::MNT_DETACH);
        Ok(format!("a file system in {}", folder.display()))
    });
    let mut verdicts: Vec<Verdict> = mounted.collect();
    for path in [".", "/", "/usr"] {
        // Only mounts that the sandbox has made read-only count; others are writable anyway.
        if statvfs(path).is_ok_and(|data| !data.flags().contains(FsFlags::ST_RDONLY)) {
            continue;
        }
        let flags = MsFlags::MS_REMOUNT | MsFlags::MS_BIND;
        let changed = mount_one(NONE, path, NONE, flags, NONE).map_err(context(format!("remount {path}")));
        verdicts.push(changed.map(|()| format!("remounted {path}")));
    }
    for folder in &folders {
        let _ = fs::remove_dir(folder);
    }
    any(verdicts, |verdict| verdict)
}

pub(super) fn namespaces(range: &Range) -> Verdict {
    let mut command = accomplice("unshare", range);
    command.envs(std::env::vars_os()).stdout(Stdio::piped());
    let output = command.output().map_err(context("start"))?;
    let line = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() { Ok(line) } else { Err(line) }
}

/// Becomes root in its own namespaces, mounts a file system there, and writes more to it than the limit permits.
pub(super) fn unshare() -> Verdict {
    let (uid, gid) = (nix::unistd::getuid(), nix::unistd::getgid());
    let plain = leave(CloneFlags::CLONE_NEWNS).map(|()| "in its own mount namespace".to_owned());
    let how = plain.or_else(|_| {
        leave(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS).map(|()| "as root of its own namespaces".to_owned())
    });
    let how = how.map_err(context("unshare"))?;
    let _ = fs::write("/proc/self/setgroups", "deny");
    let _ = fs::write("/proc/self/uid_map", format!("0 {uid} 1"));
    let _ = fs::write("/proc/self/gid_map", format!("0 {gid} 1"));
    // Mounts must not propagate to the original namespace.
    mount_one(NONE, "/", NONE, MsFlags::MS_REC | MsFlags::MS_PRIVATE, NONE)
        .map_err(context(format!("{how}: private")))?;
    any(candidate_folders(), |folder| {
        mount_one(Some("tmpfs"), &folder, Some("tmpfs"), MsFlags::empty(), NONE)
            .map_err(context(format!("{how}: mount")))?;
        let written = fs::write(folder.join("big"), vec![1; 128 << 20]).map_err(context("write"));
        let _ = umount2(&folder, MntFlags::MNT_DETACH);
        written.map(|()| format!("{how}: 128 MiB in a file system of its own"))
    })
}

pub(super) fn chroot(_: &Range) -> Verdict {
    // Uses the current root again, so that nothing changes.
    nix::unistd::chroot("/").map_err(text)?;
    Ok("chroot works".to_owned())
}

pub(super) fn become_root(_: &Range) -> Verdict {
    let status = fs::read_to_string("/proc/self/status").map_err(text)?;
    let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
    let mut verdicts = vec![];
    if field("CapEff:").bytes().any(|digit| digit != b'0') {
        verdicts.push(Ok(format!("has capabilities {}", field("CapEff:"))));
    }
    if field("NoNewPrivs:") != "1" {
        verdicts.push(Ok("setuid programs can raise its rights".to_owned()));
    }
    if Uid::effective().is_root() {
        // The steps below prove nothing about root: only an ordinary user would gain rights by them.
        verdicts.push(Err("is root without its rights".to_owned()));
        return any(verdicts, |verdict| verdict);
    }
    let root = Uid::from_raw(0);
    verdicts.push(setresuid(root, root, root).map_err(context("setresuid")).map(|()| "became root".to_owned()));
    let group = Gid::from_raw(0);
    verdicts
        .push(setresgid(group, group, group).map_err(context("setresgid")).map(|()| "became group root".to_owned()));
    verdicts.push(setgroups(&[group]).map_err(context("setgroups")).map(|()| "changed its groups".to_owned()));
    for words in [["su", "-c", "id"], ["sudo", "-n", "id"], ["pkexec", "--version", ""]] {
        let mut command = Command::new(words[0]);
        command.args(words[1..].iter().filter(|word| !word.is_empty())).stdin(Stdio::null());
        let output = command.output().map_err(context(words[0]));
        verdicts.push(output.and_then(|output| {
            let stdout = String::from_utf8_lossy(&output.stdout);
            if stdout.contains("uid=0") {
                Ok(format!("{} gives root", words[0]))
            } else {
                Err(format!("{} fails", words[0]))
            }
        }));
    }
    let created = create_own_folders("setuid").into_iter().map(|folder| {
        let file = folder.join("program");
        fs::write(&file, "").map_err(text)?;
        fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o4755))
            .map_err(context("setuid bit"))?;
        let owner = file.metadata().map_err(text)?.uid();
        let _ = fs::remove_dir_all(&folder);
        // A setuid file of an ordinary user grants only that user's rights.
        if owner == 0 {
            Ok("created a setuid file of root".to_owned())
        } else {
            Err(format!("a setuid file of user {owner}"))
        }
    });
    any(verdicts.into_iter().chain(created), |verdict| verdict)
}

pub(super) fn cgroups(_: &Range) -> Verdict {
    let mut files = Vec::new();
    let mut folders = vec![(std::path::PathBuf::from("/sys/fs/cgroup"), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if ["cgroup.procs", "memory.max", "pids.max", "tasks", "memory.limit_in_bytes"].iter().any(|&n| name == n) {
                files.push(entry.path().to_string_lossy().into_owned());
            }
            if depth < 4 && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push((entry.path(), depth + 1));
            }
        }
    }
    any(files, |path| open_for_writing(&path))
}

pub(super) fn shared_memory(range: &Range) -> Verdict {
    let name = format!("/plyhouse-range-{}", range.port);
    let memory = shm_open(name.as_str(), OFlag::O_CREAT | OFlag::O_RDWR, Mode::S_IRWXU).map_err(context("shm_open"));
    let memory = memory.map(|_| {
        // The object is removed immediately, so that it does not outlive a failed run.
        let found = fs::metadata(format!("/dev/shm{name}")).is_ok();
        let _ = shm_unlink(name.as_str());
        format!("shared memory (named in /dev/shm: {found})")
    });
    let attribute = nix::mqueue::MqAttr::new(0, 2, 16, 0);
    let path = std::ffi::CString::new(name.clone()).map_err(text)?;
    let flags = nix::mqueue::MQ_OFlag::O_CREAT | nix::mqueue::MQ_OFlag::O_RDWR;
    let queue =
        nix::mqueue::mq_open(path.as_c_str(), flags, Mode::S_IRWXU, Some(&attribute)).map_err(context("mq_open"));
    let queue = queue.map(|_| {
        let _ = nix::mqueue::mq_unlink(path.as_c_str());
        "a message queue".to_owned()
    });
    any([memory, queue], |verdict| verdict)
}

pub(super) fn run_memory(_: &Range) -> Verdict {
    let program = fs::read("/bin/true").map_err(context("/bin/true"))?;
    let memory = memfd_create(c"program", MFdFlags::empty()).map_err(context("memfd"))?;
    let mut file = fs::File::from(memory);
    file.write_all(&program).map_err(context("write"))?;
    let path = format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd());
    // A file that is open for writing cannot be executed, so it is reopened for reading.
    let readable = fs::File::open(&path).map_err(context("open"))?;
    let path = format!("/proc/{}/fd/{}", std::process::id(), readable.as_raw_fd());
    drop(file);
    let status = Command::new(&path).status().map_err(context("run"))?;
    if status.success() { Ok("a program ran from memory".to_owned()) } else { Err(text(status)) }
}

pub(super) fn change(_: &Range) -> Verdict {
    let name = nix::unistd::gethostname().map_err(text)?;
    let host = sethostname(&name).map_err(context("sethostname")).map(|()| "may name the host".to_owned());
    let file = fs::File::open("/dev/null").map_err(text)?;
    // The null device is not a module: errors other than EPERM and ENOSYS mean that the kernel has inspected it.
    let module = match finit_module(&file, c"", ModuleInitFlags::empty()) {
        Err(error @ (Errno::EPERM | Errno::ENOSYS)) => Err(format!("module: {error}")),
        Ok(()) => Ok("loaded a module".to_owned()),
        Err(error) => Ok(format!("may load modules ({error})")),
    };
    any([host, module], |verdict| verdict)
}
