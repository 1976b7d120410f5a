//! The filter of system calls.
//!
//! It refuses system calls that no game program needs and that could affect anything outside a sandbox: tracing,
//! mounting, new namespaces, kernel modules, keys, performance counters, `io_uring`, memory that no limit counts, and
//! settings of other processes. All others are allowed, because Java, Node, Python and Go each need a different long
//! list.

use std::collections::BTreeMap;
use std::io;

#[allow(clippy::wildcard_imports, reason = "seventy numbers of system calls")]
use nix::libc::*;
use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{Eq, MaskedEq, Ne};
use seccompiler::{SeccompAction, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch};

use crate::sandbox::tier::Tier;

/// System calls that are always refused.
#[rustfmt::skip]
const REFUSED: &[c_long] = &[
    // Other processes' memory and descriptors.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_kcmp, SYS_pidfd_getfd,
    SYS_move_pages, SYS_migrate_pages,
    // Mounts, namespaces, roots.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick,
    SYS_open_tree, SYS_move_mount, SYS_mount_setattr, SYS_unshare, SYS_setns, SYS_name_to_handle_at,
    SYS_open_by_handle_at, SYS_fanotify_init, SYS_quotactl, SYS_quotactl_fd, SYS_swapon, SYS_swapoff,
    // The kernel itself.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_init_module, SYS_finit_module, SYS_delete_module,
    SYS_kexec_load, SYS_reboot, SYS_syslog, SYS_acct, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
    SYS_adjtimex, SYS_sethostname, SYS_setdomainname, SYS_vhangup,
    SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
    // Keys, and memory that outlives its process or that no limit counts.
    SYS_add_key, SYS_request_key, SYS_keyctl, SYS_memfd_create, SYS_memfd_secret,
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl,
    SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
];

#[cfg(target_arch = "x86_64")]
const ALSO_REFUSED: &[c_long] = &[SYS_modify_ldt, SYS_iopl, SYS_ioperm, SYS_kexec_file_load];
#[cfg(not(target_arch = "x86_64"))]
const ALSO_REFUSED: &[c_long] = &[];

/// System calls that set extended attributes, such as capabilities of programs and access lists. On all architectures,
/// 463 is `setxattrat` and 466 is `removexattrat`. They fail with `EOPNOTSUPP`, as on a file system without attributes;
/// `cp` and `install` ignore this error.
#[rustfmt::skip]
const ATTRIBUTES: [c_long; 8] = [
    SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 463, 466,
];

/// Number of `fchmodat2` on all architectures.
const FCHMODAT2: c_long = 452;

/// System calls that set permissions, with the index of the argument that holds them. `mkdir` is missing because the
/// kernel ignores its setuid and setgid bits, and `cp -r` in a setgid folder passes them.
const MODES: &[(c_long, u8)] = &[(SYS_fchmod, 1), (SYS_fchmodat, 2), (FCHMODAT2, 2), (SYS_mknodat, 2)];

/// Further system calls of this kind, which only older architectures have.
#[cfg(target_arch = "x86_64")]
const ALSO_MODES: &[(c_long, u8)] = &[(SYS_chmod, 1), (SYS_creat, 1), (SYS_mknod, 1)];
#[cfg(not(target_arch = "x86_64"))]
const ALSO_MODES: &[(c_long, u8)] = &[];

/// System calls that open files, with the indices of the arguments that hold the flags and a new file's permissions.
#[cfg(target_arch = "x86_64")]
const OPENS: &[(c_long, u8, u8)] = &[(SYS_openat, 2, 3), (SYS_open, 1, 2)];
#[cfg(not(target_arch = "x86_64"))]
const OPENS: &[(c_long, u8, u8)] = &[(SYS_openat, 2, 3)];

/// Commands of `fcntl` that affect other processes: a lease blocks them when they open the file, and the other commands
/// cause signals. 10 is `F_SETSIG` and 15 is `F_SETOWN_EX`.
const COMMANDS: [i32; 5] = [F_SETLEASE, F_NOTIFY, F_SETOWN, 10, 15];

/// Requests of `ioctl` that insert input into a terminal, or that are equivalent to `F_SETOWN` (`FIOSETOWN` and
/// `SIOCSPGRP`).
const REQUESTS: [i32; 4] = [TIOCSTI as i32, TIOCLINUX as i32, 0x8901, 0x8902];

/// System calls that set the permissions, owners and times of files, or that watch files. Landlock checks none of them,
/// and the files of the arena and of other agents belong to the same user. An agent could remove the permissions of
/// another program, which then could not start.
#[rustfmt::skip]
const ON_FILES: &[c_long] = &[
    SYS_fchmod, SYS_fchmodat, FCHMODAT2, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_inotify_add_watch,
    469, // `file_setattr` of newer kernels, on all architectures
];

/// Further system calls of this kind, which only older architectures have.
#[cfg(target_arch = "x86_64")]
const ALSO_ON_FILES: &[c_long] = &[SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const ALSO_ON_FILES: &[c_long] = &[];

/// Flags of `clone` that make namespaces.
const NAMESPACES: [i32; 7] =
    [CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET];

/// The flag of `seccomp` that requests a listener.
const LISTENER: u64 = SECCOMP_FILTER_FLAG_NEW_LISTENER;
/// The bit of `O_TMPFILE` that `O_DIRECTORY` does not have.
const NAMELESS: u64 = (O_TMPFILE & !O_DIRECTORY) as u64;
/// `IOPRIO_WHO_PROCESS` of the kernel's `ioprio.h`.
const IOPRIO_WHO_PROCESS: i32 = 1;

/// The bit that the x32 ABI sets in the numbers of system calls.
#[cfg(target_arch = "x86_64")]
const X32: Option<c_long> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const X32: Option<c_long> = None;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Installs the filter for this thread and its descendants, permanently. With `builds`, the permissions of files may be
/// set, because compilers set them.
///
/// # Errors
/// Returns an error if the system refuses the filter.
pub(crate) fn apply(tier: Tier, builds: bool) -> io::Result<()> {
    // A filter cannot read the flags of these two calls, so they are reported as missing. The C library then uses
    // `clone` and `openat`.
    let missing = [SYS_clone3, SYS_openat2].map(|call| (call, Vec::new()));
    install(&BTreeMap::from(missing), ENOSYS)?;
    install(&BTreeMap::from(ATTRIBUTES.map(|call| (call, Vec::new()))), EOPNOTSUPP)?;
    install(&rules(tier, builds).map_err(io::Error::other)?, EPERM)
}

fn install(rules: &Rules, error: i32) -> io::Result<()> {
    let mut all = rules.clone();
    all.extend(X32.into_iter().flat_map(|bit| rules.iter().map(move |(&call, rules)| (call | bit, rules.clone()))));
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let filter = SeccompFilter::new(all, SeccompAction::Allow, SeccompAction::Errno(error as u32), arch);
    let program: seccompiler::BpfProgram = filter.and_then(TryInto::try_into).map_err(io::Error::other)?;
    seccompiler::apply_filter(&program).map_err(io::Error::other)
}

/// Returns rules that refuse the creation of setuid and setgid files, which every user could run with the privileges of
/// the arena's user.
fn privileges() -> Result<Rules, seccompiler::BackendError> {
    let has = |argument: u8, bit: u64| SeccompCondition::new(argument, Dword, MaskedEq(bit), bit);
    let bits = [S_ISUID, S_ISGID].map(u64::from);
    let mut rules = Rules::new();
    for &(call, mode) in MODES.iter().chain(ALSO_MODES) {
        let any = bits.map(|bit| SeccompRule::new(vec![has(mode, bit)?]));
        rules.insert(call, any.into_iter().collect::<Result<_, _>>()?);
    }
    for &(call, flags, mode) in OPENS {
        // The call has a permissions argument only with these flags.
        let all = [O_CREAT as u64, NAMELESS].into_iter().flat_map(|flag| bits.map(|bit| (flag, bit)));
        let any = all.map(|(flag, bit)| SeccompRule::new(vec![has(flags, flag)?, has(mode, bit)?]));
        rules.insert(call, any.collect::<Result<_, _>>()?);
    }
    Ok(rules)
}

fn rules(tier: Tier, builds: bool) -> Result<Rules, seccompiler::BackendError> {
    let when = |argument: u8, operator: SeccompCmpOp, value: i32| {
        SeccompCondition::new(argument, Dword, operator, u64::from(value as u32))
    };
    let one = |condition| SeccompRule::new(vec![condition]);
    let mut rules: Rules = REFUSED.iter().chain(ALSO_REFUSED).map(|&call| (call, Vec::new())).collect();
    let flags = NAMESPACES.into_iter().map(|flag| one(when(0, MaskedEq(u64::from(flag as u32)), flag)?));
    rules.insert(SYS_clone, flags.collect::<Result<_, _>>()?);
    for (call, commands) in [(SYS_ioctl, &REQUESTS[..]), (SYS_fcntl, &COMMANDS)] {
        let commands = commands.iter().map(|&command| one(when(1, Eq, command)?));
        rules.insert(call, commands.collect::<Result<_, _>>()?);
    }
    rules.extend(privileges()?);
    // Refuse filters that let another process decide.
    rules.insert(SYS_seccomp, vec![one(when(1, MaskedEq(LISTENER), LISTENER as i32)?)?]);
    // Refuse settings of another process. 0 means the caller.
    for (call, argument) in [
        (SYS_prlimit64, 0),
        (SYS_sched_setaffinity, 0),
        (SYS_sched_setscheduler, 0),
        (SYS_sched_setparam, 0),
        (SYS_sched_setattr, 0),
    ] {
        rules.insert(call, vec![one(when(argument, Ne, 0)?)?]);
    }
    // The first argument determines what the second identifies: a process, a group or a user.
    for (call, process) in [(SYS_setpriority, PRIO_PROCESS as i32), (SYS_ioprio_set, IOPRIO_WHO_PROCESS)] {
        rules.insert(call, vec![one(when(0, Ne, process)?)?, one(when(1, Ne, 0)?)?]);
    }
    // In bubblewrap's namespaces, only families without a namespace (such as `AF_VSOCK`) reach the outside. Without
    // namespaces, every socket does.
    let sockets = match tier {
        Tier::Bwrap => {
            let own = [AF_UNIX, AF_INET, AF_INET6, AF_NETLINK].map(|family| when(0, Ne, family));
            vec![SeccompRule::new(own.into_iter().collect::<Result<_, _>>()?)?]
        }
        Tier::Landlock | Tier::None => {
            // Without namespaces, no limit counts the memory of unnamed files and of data that is queued in sockets.
            rules.insert(SYS_socketpair, Vec::new());
            if !builds {
                rules.extend(ON_FILES.iter().chain(ALSO_ON_FILES).map(|&call| (call, Vec::new())));
            }
            for &(call, flags, _) in OPENS {
                let nameless = one(when(flags, MaskedEq(NAMELESS), NAMELESS as i32)?)?;
                rules.entry(call).or_default().push(nameless);
            }
            Vec::new()
        }
    };
    rules.insert(SYS_socket, sockets);
    Ok(rules)
}
