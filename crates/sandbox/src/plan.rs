//! What a sandbox shows of the machine.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Limits, Tier};

/// Everything that the supervisor and the launcher inside have to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Plan {
    pub(crate) tier: Tier,
    pub(crate) limits: Limits,
    /// The program's own folder, where it is started.
    pub(crate) folder: PathBuf,
    /// Folders and files that it may read and execute.
    pub(crate) readable: Vec<PathBuf>,
    /// The folder for its own files, made by the arena. Unset where `/tmp` is the sandbox's own.
    pub(crate) scratch: Option<PathBuf>,
    /// Programs in readable folders that it may neither read nor start.
    pub(crate) concealed: Vec<PathBuf>,
    /// Folders that it may write, beside its scratch folder.
    pub(crate) writable: Vec<PathBuf>,
    /// `PATH` of its processes.
    pub(crate) path: String,
    /// `LANG` of its processes.
    pub(crate) lang: String,
    /// The number of processes that its user may have in all; a second bound beside the supervisor's count.
    pub(crate) most_processes: Option<u64>,
}

/// The system's folders and files that every program may read: programs, libraries and their settings, but no list of
/// users, no keys and no other settings.
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

/// The settings of languages that lie in `/etc` under names with their versions, such as `java-17-openjdk`.
const LANGUAGES: [&str; 3] = ["java", "python", "perl"];

/// Whether a file lies in a folder of the system, which other machines of its kind have too.
pub fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// What there is of the system's folders and files.
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

/// Reports whether a path is that of a file, or of a companion whose name begins alike (a journal, a lock).
pub(crate) fn is_companion(path: &Path, file: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    file.parent() == path.parent() && name(path).zip(name(file)).is_some_and(|(found, file)| found.starts_with(&file))
}

/// Returns the parts of a folder that may be shown if some files must stay hidden. `is_hidden` compares a path with
/// one of these files.
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

/// Returns the parts of a readable folder without the concealed programs in it, for rules that hold for everything in
/// a folder.
#[cfg(target_os = "linux")]
pub(crate) fn without(path: &Path, concealed: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(real) = path.canonicalize() else { return Vec::new() };
    if !concealed.iter().any(|file| file.starts_with(&real)) {
        return vec![real];
    }
    let parts = visible(&real, concealed, |path, file| path == file).into_iter();
    // A rule for a link would hold for its target, such as `/usr/bin` for `/usr/bin/X11`.
    parts.filter(|path| !path.is_symlink()).collect()
}

/// Whether a path lies in one of the folders, or is one of the files.
pub(crate) fn covers(shown: &[PathBuf], path: &Path) -> bool {
    shown.iter().any(|folder| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_files_and_their_companions_are_left_out() {
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
