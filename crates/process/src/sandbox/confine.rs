//! The launcher: restricts this process and then replaces it with the program.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, Scope, make_bitflags,
};
use rustix::process::{Pid, Resource, Rlimit, Signal, getppid, set_parent_process_death_signal, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};

use super::filter;
use super::plan::{self, Plan};
use crate::sandbox::tier::Tier;

/// The first version of Landlock that restricts signals and abstract sockets (Linux 6.12).
const LANDLOCK: ABI = ABI::V6;

/// Replaces this process with a program, under the plan's restrictions. Returns only on failure.
pub(crate) fn run(plan: &Plan, scratch: &Path, supervisor: i32, words: &[OsString]) -> io::Error {
    match prepare(plan, scratch, supervisor) {
        Err(error) => error,
        Ok(()) => match words.split_first() {
            None => io::Error::other("no program"),
            Some((program, arguments)) => {
                let mut command = Command::new(program);
                command.args(arguments);
                if plan.tier != Tier::None {
                    command.env_clear().env("PATH", &plan.path).env("HOME", scratch).env("LANG", &plan.lang);
                    if plan.tier == Tier::Landlock {
                        // The program may write nowhere else.
                        command.env("TMPDIR", scratch);
                    }
                }
                let error = command.exec();
                io::Error::new(error.kind(), format!("cannot start `{}`: {error}", program.display()))
            }
        },
    }
}

fn prepare(plan: &Plan, scratch: &Path, supervisor: i32) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid().map(Pid::as_raw_nonzero).is_none_or(|parent| parent.get() != supervisor) {
        // The supervisor ended before the signal was requested, so no signal will be sent.
        return Err(io::Error::other("the supervisor has ended"));
    }
    if plan.tier == Tier::None {
        return Ok(());
    }
    close_descriptors();
    set_limits(plan)?;
    drop_capabilities()?;
    set_no_new_privs(true)?;
    if plan.tier == Tier::Landlock {
        restrict(plan, scratch).map_err(|error| io::Error::other(format!("Landlock: {error}")))?;
    }
    filter::apply(plan.tier, !plan.writable.is_empty())
}

/// Closes every descriptor except the three standard ones.
pub(crate) fn close_descriptors() {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers: Vec<i32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    for number in numbers {
        if number > 2 {
            // The numbers include the descriptor of the listing itself, which is already closed.
            let _ = nix::unistd::close(number);
        }
    }
}

fn set_limits(plan: &Plan) -> io::Result<()> {
    let limits = &plan.limits;
    let bounds = [
        (Resource::Core, 0),
        (Resource::Nofile, limits.files.into()),
        (Resource::Fsize, limits.scratch.0),
        // The supervisor enforces the limit itself, five seconds earlier.
        (Resource::Cpu, u64::from(limits.cpu) + 5),
        (Resource::Memlock, 64 << 10),
        (Resource::Msgqueue, 0),
        // This limit for each process supplements the supervisor's limit on the memory in use. It is large, because
        // Java and Node reserve more memory than they use.
        (Resource::Data, limits.memory.0.saturating_mul(4)),
    ];
    let processes = plan.max_processes.map(|max| (Resource::Nproc, max));
    for (resource, max) in bounds.into_iter().chain(processes) {
        // The signal at the soft limit, SIGXCPU, names the cause. The one at the hard limit is SIGKILL.
        let hard = if resource == Resource::Cpu { max + 5 } else { max };
        setrlimit(resource, Rlimit { current: Some(max), maximum: Some(hard) })?;
    }
    Ok(())
}

/// Drops the privileges that root has beyond those of an ordinary user.
fn drop_capabilities() -> io::Result<()> {
    for bit in 0..64 {
        // An error means that the capability does not exist, or that this process has none to drop.
        let _ = remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << bit));
    }
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

fn ruleset() -> Result<landlock::RulesetCreated, landlock::RulesetError> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LANDLOCK))?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()
}

/// Returns `true` if this kernel supports [`Tier::Landlock`].
pub(crate) fn has_landlock() -> bool {
    ruleset().is_ok()
}

fn restrict(plan: &Plan, scratch: &Path) -> Result<(), landlock::RulesetError> {
    let read = make_bitflags!(AccessFs::{ReadFile | ReadDir | Execute});
    let device = make_bitflags!(AccessFs::{ReadFile | WriteFile});
    let all = AccessFs::from_all(LANDLOCK);
    // Deleted files that are still open would not be counted, so files in the scratch folder cannot be deleted.
    let kept = all & !AccessFs::RemoveFile;
    let mut rules = ruleset()?;
    let proc = PathBuf::from("/proc");
    let parts: Vec<PathBuf> = plan.readable.iter().flat_map(|path| plan::without(path, &plan.concealed)).collect();
    let readable = parts.iter().chain([&proc]).map(|path| (path.as_path(), read));
    // A folder can be listed even if only parts of it are readable.
    let folders = plan.readable.iter().chain([&plan.folder]).filter(|path| path.is_dir());
    let list = folders.map(|path| (path.as_path(), AccessFs::ReadDir.into()));
    let devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];
    let devices = devices.map(|path| (Path::new(path), device));
    let writable = plan.writable.iter().map(|path| (path.as_path(), all));
    for (path, access) in readable.chain(list).chain(devices).chain(writable).chain([(scratch, kept)]) {
        // A path that has been removed needs no rule.
        let Ok(descriptor) = PathFd::new(path) else { continue };
        let access = if path.is_dir() { access } else { access & AccessFs::from_file(LANDLOCK) };
        rules = rules.add_rule(PathBeneath::new(descriptor, access))?;
    }
    rules.restrict_self()?;
    Ok(())
}
