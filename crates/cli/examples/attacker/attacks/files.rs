//! Attacks on files.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::fcntl::AT_FDCWD;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify};
use nix::sys::stat::{UtimensatFlags, utimensat};
use nix::sys::time::TimeSpec;

use super::descriptors::touch;
use super::processes::arena_and_others;
use super::{Range, Verdict, any, context, text};

/// Names of the programs of Plyhouse.
const PROGRAMS: [&str; 5] = ["plyhouse", "loa", "loa6", "checkers", "jump61"];

/// Returns folders in which the agent might be able to write.
pub(super) fn candidate_folders() -> Vec<PathBuf> {
    let named = ["HOME", "TMPDIR", "XDG_RUNTIME_DIR"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let usual = [".", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/run/lock", "/dev", "/var/lock", "/"];
    let mut all: Vec<PathBuf> = named.chain(usual.map(PathBuf::from)).filter(|path| path.is_dir()).collect();
    all.sort();
    all.dedup();
    all
}

/// Creates a folder in each candidate folder that permits it.
pub(super) fn create_own_folders(name: &str) -> Vec<PathBuf> {
    let create = |parent: PathBuf| {
        let folder = parent.join(format!("plyhouse-attacker-{name}-{}", std::process::id()));
        fs::create_dir(&folder).is_ok().then_some(folder)
    };
    candidate_folders().into_iter().filter_map(create).collect()
}

pub(super) fn store(range: &Range) -> Verdict {
    let names = ["arena.sqlite", "arena.sqlite-wal", "arena.sqlite-shm", "arena.sqlite-journal"];
    any(names, |name| touch(&range.folder.join(name).to_string_lossy()))
}

fn read(path: &Path) -> Verdict {
    let mut start = [0; 16];
    let mut file = fs::File::open(path).map_err(text)?;
    let length = file.read(&mut start).map_err(text)?;
    if length == 0 {
        return Err(format!("{} is empty", path.display()));
    }
    Ok(format!("read {} ({length} bytes at once)", path.display()))
}

pub(super) fn sources(range: &Range) -> Verdict {
    any(["agents/victim/agent.toml", "agents/victim/strategy.txt"], |path| read(&range.folder.join(path)))
}

pub(super) fn home(range: &Range) -> Verdict {
    any(["home/.ssh/id_ed25519", "home/.config/secret", "secret.txt"], |path| read(&range.folder.join(path)))
}

/// Folders of the system, which any program may read.
const SYSTEM: [&str; 15] = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/proc", "/sys", "/dev", "/nix", "/gnu", "/boot",
    "/etc", "/opt",
];

/// Files that only the system should be able to read.
const SECRETS: [&str; 5] =
    ["/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/ssh_host_ed25519_key", "/etc/machine-id"];

pub(super) fn snoop(_: &Range) -> Verdict {
    let own =
        [env::current_dir().ok(), env::var_os("HOME").map(PathBuf::from), env::var_os("TMPDIR").map(PathBuf::from)];
    let is_own = |path: &Path| own.iter().flatten().any(|own| own.as_os_str() != "/" && path.starts_with(own));
    let is_system = |path: &Path| SYSTEM.iter().any(|system| path == Path::new(system));
    let mut folders = vec![PathBuf::from("/")];
    let mut found: Vec<PathBuf> = SECRETS.map(PathBuf::from).into();
    found.retain(|path| fs::File::open(path).is_ok());
    let mut visited = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            visited += 1;
            if visited > 20_000 || found.len() > 200 {
                break;
            }
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && !is_system(&path) && !is_own(&path) => folders.push(path),
                Ok(kind) if kind.is_file() && !is_own(&path) && fs::File::open(&path).is_ok() => found.push(path),
                _ => (),
            }
        }
    }
    any(found, |path| Ok(path.display().to_string()))
}

pub(super) fn engine(range: &Range) -> Verdict {
    let search = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&search).collect();
    folders.extend([range.folder.clone(), range.folder.join("bin"), "/run".into(), "/usr/games".into()]);
    let named = folders.iter().flat_map(|folder| PROGRAMS.map(|name| folder.join(name)));
    let guards = [1, nix::unistd::getppid().as_raw()].map(|pid| format!("/proc/{pid}/exe").into());
    let running = arena_and_others(range).into_iter().map(|pid| format!("/proc/{pid}/exe").into());
    let programs: Vec<PathBuf> = named.chain(guards).chain(running).filter(|path| path.exists()).collect();
    any(programs, |path| {
        let output = Command::new(&path).args(["engine", "loa", "--size", "6"]).stdin(Stdio::null()).output();
        match output {
            Ok(output) if output.status.success() => Ok(format!("{} plays", path.display())),
            _ => read(&path),
        }
    })
}

pub(super) fn environment(range: &Range) -> Verdict {
    any(arena_and_others(range), |pid| {
        let bytes = fs::read(format!("/proc/{pid}/environ")).map_err(text)?;
        if bytes.is_empty() {
            Err("it is empty".to_owned())
        } else {
            Ok(format!("read the environment of process {pid}"))
        }
    })
}

pub(super) fn own_environment(_: &Range) -> Verdict {
    const PLAIN: [&str; 8] = ["PATH", "HOME", "LANG", "TMPDIR", "PWD", "SHLVL", "_", "LC_ALL"];
    let names = env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
    any(names.filter(|name| !PLAIN.contains(&name.as_str())), Ok)
}

pub(super) fn proc_root(range: &Range) -> Verdict {
    let secret = range.folder.join("home/.ssh/id_ed25519");
    let inner = secret.strip_prefix("/").unwrap_or(&secret);
    let mut pids = arena_and_others(range);
    pids.extend([1, nix::unistd::getppid().as_raw()]);
    let paths = pids.into_iter().flat_map(|pid| {
        [format!("/proc/{pid}/root").into(), format!("/proc/{pid}/cwd/agent.toml").into()]
            .map(|path: PathBuf| if path.ends_with("root") { path.join(inner) } else { path })
    });
    let own = fs::canonicalize("agent.toml").ok();
    any(paths, |path| {
        if own.is_some() && fs::canonicalize(&path).ok() == own {
            return Err("only its own folder".to_owned());
        }
        read(&path)
    })
}

pub(super) fn links(range: &Range) -> Verdict {
    let targets =
        ["arena.sqlite", "home/.ssh/id_ed25519", "agents/victim/strategy.txt"].map(|name| range.folder.join(name));
    any(create_own_folders("links"), |folder| {
        let verdict = any(targets.iter().enumerate(), |(number, target)| {
            let (soft, hard) = (folder.join(format!("soft{number}")), folder.join(format!("hard{number}")));
            let by_soft = symlink(target, &soft).map_err(context("symlink")).and_then(|()| read(&soft));
            let by_hard = fs::hard_link(target, &hard).map_err(context("link")).and_then(|()| read(&hard));
            any([by_soft, by_hard], |verdict| verdict)
        });
        let _ = fs::remove_dir_all(folder);
        verdict
    })
}

/// Returns files of others that an attacker would read or change.
fn files_of_others(range: &Range) -> Vec<PathBuf> {
    let names = ["agents/victim", "agents/victim/plyhouse", "agents/victim/strategy.txt", "arena.sqlite", "secret.txt"];
    names.iter().map(|name| range.folder.join(name)).collect()
}

pub(super) fn measure(range: &Range) -> Verdict {
    any(files_of_others(range), |path| {
        let data = fs::metadata(&path).map_err(text)?;
        Ok(format!("{} has {} bytes", path.display(), data.len()))
    })
}

pub(super) fn watch(range: &Range) -> Verdict {
    let inotify = Inotify::init(InitFlags::IN_NONBLOCK).map_err(context("inotify"))?;
    any(files_of_others(range), |path| {
        inotify.add_watch(&path, AddWatchFlags::IN_ALL_EVENTS).map_err(text)?;
        Ok(format!("watches {}", path.display()))
    })
}

pub(super) fn modes(range: &Range) -> Verdict {
    any(files_of_others(range), |path| {
        // The values do not change; only the permission to set them matters.
        let data = fs::metadata(&path).map_err(text)?;
        let mode = fs::set_permissions(&path, data.permissions()).map_err(context("chmod"));
        let owner = chown(&path, Some(data.uid()), Some(data.gid())).map_err(context("chown"));
        let time = TimeSpec::new(data.mtime(), data.mtime_nsec());
        let times =
            utimensat(AT_FDCWD, &path, &time, &time, UtimensatFlags::NoFollowSymlink).map_err(context("utimensat"));
        let all = [("permissions", mode), ("owner", owner), ("times", times)];
        any(all, |(what, result)| result.map(|()| format!("{what} of {}", path.display())))
    })
}

pub(super) fn own_folder(_: &Range) -> Verdict {
    let program = env::current_exe().unwrap_or_default();
    let parent = program.parent().unwrap_or(Path::new("."));
    let open = |path: &Path| OpenOptions::new().append(true).open(path).map_err(text).map(|_| ());
    let attempts = [
        fs::write("changed.txt", "changed").map_err(text).map(|()| {
            let _ = fs::remove_file("changed.txt");
        }),
        fs::write(parent.join("changed.txt"), "changed").map_err(text).map(|()| {
            let _ = fs::remove_file(parent.join("changed.txt"));
        }),
        open(Path::new("agent.toml")),
        // A running program cannot be opened for writing, so an attacker would rename it.
        fs::rename(&program, parent.join("moved"))
            .and_then(|()| fs::rename(parent.join("moved"), &program))
            .map_err(text),
        fs::metadata("agent.toml")
            .and_then(|data| fs::set_permissions("agent.toml", fs::Permissions::from_mode(data.permissions().mode())))
            .map_err(text),
    ];
    any(attempts.into_iter().enumerate(), |(number, result)| result.map(|()| format!("attempt {number}")))
}

pub(super) fn remember(_: &Range) -> Verdict {
    const NAME: &str = "plyhouse-attacker-remembers";
    let found = any(candidate_folders().into_iter().filter(|folder| folder.join(NAME).exists()), |folder| {
        Ok(format!("found a note from an earlier game in {}", folder.display()))
    });
    let notes = candidate_folders().into_iter().filter(|folder| fs::write(folder.join(NAME), "note").is_ok()).count();
    found.map_err(|_| format!("nothing from an earlier game; {notes} notes written"))
}

pub(super) fn mess(range: &Range) -> Verdict {
    any(create_own_folders("mess"), |folder| {
        let precious = range.folder.join("precious");
        symlink(&precious, folder.join("link")).map_err(context("symlink"))?;
        fs::write(folder.join("line\nfeed \u{202e}name"), "").map_err(context("a name"))?;
        let locked = folder.join("locked");
        fs::create_dir_all(locked.join("inner")).map_err(context("folder"))?;
        fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).map_err(context("mode"))?;
        // Nests folders until their path exceeds the maximum length of a path.
        let here = env::current_dir();
        let mut depth = 0;
        if env::set_current_dir(&folder).is_ok() {
            let name = "d".repeat(200);
            while depth < 60 && fs::create_dir(&name).is_ok() && env::set_current_dir(&name).is_ok() {
                depth += 1;
            }
        }
        if let Ok(here) = here {
            let _ = env::set_current_dir(here);
        }
        Ok(format!("{depth} folders deep in {}", folder.display()))
    })
}
