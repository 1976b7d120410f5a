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

/// The parts of a folder that may be shown if some files, and those whose names begin like theirs (journals, locks),
/// must stay hidden.
pub(crate) fn visible(folder: &Path, hidden: &[PathBuf]) -> Vec<PathBuf> {
    if !hidden.iter().any(|file| file.starts_with(folder)) {
        return vec![folder.to_owned()];
    }
    let is_hidden = |path: &Path| {
        hidden.iter().any(|file| {
            let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
            file.parent() == path.parent()
                && name(path).zip(name(file)).is_some_and(|(found, file)| found.starts_with(&file))
        })
    };
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.into_iter().filter(|path| !is_hidden(path)).flat_map(|path| visible(&path, hidden)).collect()
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
            let names = visible(here, &hidden).into_iter();
            names.map(|path| path.strip_prefix(here).unwrap_or(&path).display().to_string()).collect()
        };
        assert_eq!(shown(&[]), [""]);
        assert_eq!(shown(&["arena.sqlite"]), ["a.py", "sub"]);
        assert_eq!(shown(&["sub/log"]), ["a.py", "arena.sqlite", "arena.sqlite-journal", "sub/b.py"]);
    }
}
