//! The parts of the machine that a sandbox shows.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::sandbox::limits::Limits;
use crate::sandbox::tier::Tier;

/// The configuration of a supervisor and a launcher.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) tier: Tier,
    pub(crate) limits: Limits,
    /// The program's own folder, which is its working directory.
    pub(crate) folder: PathBuf,
    /// Folders and files that the program may read and execute.
    pub(crate) readable: Vec<PathBuf>,
    /// The scratch folder, created by the arena; unset if the sandbox has its own `/tmp`.
    pub(crate) scratch: Option<PathBuf>,
    /// Programs in readable folders that the program may neither read nor start.
    pub(crate) concealed: Vec<PathBuf>,
    /// Folders that the program may write to, in addition to its scratch folder.
    pub(crate) writable: Vec<PathBuf>,
    /// `PATH` of its processes.
    pub(crate) path: String,
    /// `LANG` of its processes.
    pub(crate) lang: String,
    /// Maximum number of processes of the user, which is enforced in addition to the supervisor's limit.
    pub(crate) max_processes: Option<u64>,
}

/// Folders and files of the system that every program may read: programs, libraries and their settings. Users, keys and
/// other settings are not among them.
const SYSTEM: [&str; 20] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/ssl/openssl.cnf",
    "/etc/mono",
    "/etc/fonts",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
];

/// Languages whose settings are in `/etc` under names with versions, such as `java-17-openjdk`.
const LANGUAGES: [&str; 3] = ["java", "python", "perl"];

/// Returns `true` if a file is in one of the system's folders, which similar machines also have.
pub fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Returns the readable folders and files of the system that exist on this machine.
pub(crate) fn system() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
    for entry in std::fs::read_dir("/etc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        if LANGUAGES.iter().any(|language| name.to_string_lossy().starts_with(language)) {
            found.push(entry.path());
        }
    }
    found
}

/// Returns `true` if a path is the file itself, or a companion whose name begins with the file's name (a journal, a
/// lock).
pub(crate) fn is_companion(path: &Path, file: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    file.parent() == path.parent() && name(path).zip(name(file)).is_some_and(|(found, file)| found.starts_with(&file))
}

/// Returns the parts of a folder that contain no hidden files. `is_hidden` compares a path with a file of `hidden`.
pub(crate) fn visible(folder: &Path, hidden: &[PathBuf], is_hidden: fn(&Path, &Path) -> bool) -> Vec<PathBuf> {
    if !hidden.iter().any(|file| file.starts_with(folder)) {
        return vec![folder.to_owned()];
    }
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    let shown = entries.into_iter().filter(|path| !hidden.iter().any(|file| is_hidden(path, file)));
    shown.flat_map(|path| visible(&path, hidden, is_hidden)).collect()
}

/// Returns the parts of a readable folder that contain no concealed programs, for rules that apply to everything in a
/// folder.
#[cfg(target_os = "linux")]
pub(crate) fn without(path: &Path, concealed: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(real) = path.canonicalize() else { return Vec::new() };
    if !concealed.iter().any(|file| file.starts_with(&real)) {
        return vec![real];
    }
    let parts = visible(&real, concealed, |path, file| path == file).into_iter();
    // A rule for a symbolic link would apply to its target, such as `/usr/bin` for `/usr/bin/X11`.
    parts.filter(|path| !path.is_symlink()).collect()
}

/// Returns `true` if a path is in one of the folders, or is one of the files.
pub(crate) fn covers(shown: &[PathBuf], path: &Path) -> bool {
    shown.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_files_and_their_companions_are_omitted() {
        let folder = tempfile::tempdir().expect("a folder");
        let here = folder.path();
        std::fs::create_dir(here.join("sub")).expect("a folder");
        for file in ["a.py", "arena.sqlite", "arena.sqlite-journal", "sub/b.py", "sub/log"] {
            std::fs::write(here.join(file), "").expect("a file");
        }
        let shown = |hidden: &[&str]| -> Vec<String> {
            let hidden: Vec<PathBuf> = hidden.iter().map(|file| here.join(file)).collect();
            let names = visible(here, &hidden, is_companion).into_iter();
            names.map(|path| path.strip_prefix(here).unwrap_or(&path).display().to_string()).collect()
        };
        assert_eq!(shown(&[]), [""]);
        assert_eq!(shown(&["arena.sqlite"]), ["a.py", "sub"]);
        assert_eq!(shown(&["sub/log"]), ["a.py", "arena.sqlite", "arena.sqlite-journal", "sub/b.py"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn links_do_not_lead_back_to_concealed_programs() {
        let folder = tempfile::tempdir().expect("a folder");
        let here = folder.path().canonicalize().expect("a folder");
        std::fs::create_dir(here.join("bin")).expect("a folder");
        for file in ["bin/loa", "bin/loadkeys", "bin/sh"] {
            std::fs::write(here.join(file), "").expect("a file");
        }
        for (target, link) in [(".", "bin/X11"), ("loa", "bin/lines"), ("bin", "sbin")] {
            std::os::unix::fs::symlink(target, here.join(link)).expect("a link");
        }
        let concealed = [here.join("bin/loa")];
        let shown = ["bin/loadkeys", "bin/sh"].map(|name| here.join(name));
        assert_eq!(without(&here, &concealed), shown);
        assert_eq!(without(&here.join("sbin"), &concealed), shown);
        assert!(without(&here.join("bin/loa"), &concealed).is_empty());
        assert_eq!(without(&here, &[]), [here]);
    }
}
