//! The command line of bubblewrap.

use std::ffi::OsString;
use std::path::Path;

use crate::plan::Plan;

/// Where our own program lies inside.
const SUPERVISOR: &str = "/run/plyhouse";

/// The words that start a supervisor in namespaces of its own.
pub(crate) fn words(plan: &Plan, launcher: &Path, plan_text: &str) -> Vec<OsString> {
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
            // What has gone meanwhile is not shown.
            _ => add(&[&"--ro-bind-try", path, path]),
        }
    }
    for path in &plan.writable {
        add(&[&"--bind", path, path]);
    }
    add(&[&"--ro-bind", &launcher, &SUPERVISOR, &"--dir", &plan.folder]);
    // What is left of the file systems that bubblewrap makes.
    add(&[&"--remount-ro", &"/dev", &"--remount-ro", &"/", &"--chdir", &plan.folder]);
    add(&[&"--", &SUPERVISOR, &crate::SUPERVISE, &plan_text]);
    words
}
