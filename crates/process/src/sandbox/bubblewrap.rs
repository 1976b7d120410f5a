//! The command line of bubblewrap.

use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::plan::{Plan, covers};

/// Path of the supervisor's program in the sandbox: bubblewrap's standard output is a descriptor of the program file.
/// The file has no other path in the sandbox, so that an agent cannot start it.
const SUPERVISOR: &str = "/proc/self/fd/1";

/// Returns the command line that starts a supervisor in its own namespaces. Standard output must be the supervisor's
/// program.
pub(crate) fn words(plan: &Plan, plan_text: &str) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    let mut add = |more: &[&dyn AsRef<std::ffi::OsStr>]| words.extend(more.iter().map(|word| word.as_ref().to_owned()));
    let scratch = plan.limits.scratch.0.to_string();
    add(&[&"bwrap", &"--unshare-user", &"--unshare-pid", &"--unshare-net", &"--unshare-ipc", &"--unshare-uts"]);
    add(&[&"--unshare-cgroup-try", &"--disable-userns", &"--uid", &"1000", &"--gid", &"1000", &"--cap-drop", &"ALL"]);
    add(&[&"--hostname", &"plyhouse", &"--die-with-parent", &"--new-session", &"--as-pid-1", &"--clearenv"]);
    add(&[&"--proc", &"/proc", &"--dev", &"/dev", &"--size", &scratch, &"--tmpfs", &"/dev/shm"]);
    add(&[&"--size", &scratch, &"--tmpfs", &"/tmp"]);
    for path in &plan.readable {
        match path.symlink_metadata() {
            // `/bin` and `/lib` are links into `/usr` on most systems.
            Ok(data) if data.is_symlink() => {
                if let Ok(target) = path.read_link() {
                    add(&[&"--symlink", &target, path]);
                }
            }
            // A path that has been removed is skipped.
            _ => add(&[&"--ro-bind-try", path, path]),
        }
    }
    for path in &plan.writable {
        add(&[&"--bind", path, path]);
    }
    let concealed = plan.concealed.iter().filter(|file| covers(&plan.readable, file) || covers(&plan.writable, file));
    for file in concealed.cloned().chain(of_root()) {
        add(&[&"--ro-bind", &"/dev/null", &file]);
    }
    add(&[&"--dir", &plan.folder]);
    // The remaining file systems that bubblewrap creates become read-only.
    add(&[&"--remount-ro", &"/dev", &"--remount-ro", &"/proc", &"--remount-ro", &"/", &"--chdir", &plan.folder]);
    add(&[&"--", &SUPERVISOR, &super::SUPERVISE, &plan_text]);
    words
}

/// Returns the files in `/proc` that only root may read. If the arena runs as root, the user in the sandbox owns root's
/// files, although it has another user ID and no privileges. It could read these files, and could also write system
/// settings if `/proc` were not read-only.
fn of_root() -> Vec<PathBuf> {
    let is_of_root = |entry: &std::fs::DirEntry| {
        entry.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o004 == 0)
    };
    let mut files: Vec<PathBuf> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter(is_of_root)
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}
