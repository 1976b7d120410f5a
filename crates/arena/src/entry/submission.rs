//! Checks of submissions, which come from untrusted people: their `agent.toml` and files.

use std::path::{Component, Path, PathBuf};

use process::sandbox::Bytes;

use crate::agent_spec::{AgentSpec, Words};
use crate::entry::build::{BUILD_LIMITS, DEFAULT_BUILD_TIME};
use crate::entry::error::{EntryError, at};
use crate::entry::folder::read_folder;
use crate::entry::paths::quoted_path;
use crate::entry::privileges::check_privileges;
use crate::names::check_name;

/// Maximum size of a submission together with the files that its build creates.
const MAX_SIZE: Bytes = BUILD_LIMITS.scratch;

/// Reads the agent of a submission, whose `agent.toml` may only state how to build and start its own files. Fields
/// missing there come from `defaults`. The time limit of its build is that of `defaults`, or less if `agent.toml` sets
/// less.
///
/// # Errors
/// If `agent.toml` is invalid or has a setting that is not permitted, or if a file is not permitted.
pub fn read_submission(folder: &Path, defaults: &AgentSpec) -> Result<AgentSpec, EntryError> {
    // This comes first because `agent.toml` itself may be a link.
    check_files(folder)?;
    let mut agent = read_folder(folder, defaults)?;
    let max = defaults.build_time.unwrap_or(DEFAULT_BUILD_TIME);
    agent.build_time = Some(agent.build_time.map_or(max, |time| time.min(max)));
    if let Some(words) = agent.builtin {
        return Err(EntryError::Builtin(words));
    }
    if !agent.writes.is_empty() {
        return Err(EntryError::Writes);
    }
    check_name(&agent.name).map_err(|why| EntryError::Name { name: agent.name.clone(), why })?;
    check_directory(folder, &agent)?;
    check_command(folder, &agent)?;
    agent.submitted = true;
    Ok(agent)
}

/// Checks that links stay within the folder, that no file has privileges, and that the files are not too large.
///
/// # Errors
/// If the target of a link is missing or outside the folder, a file has privileges (which are then removed), or the
/// files are too large.
pub(crate) fn check_files(folder: &Path) -> Result<(), EntryError> {
    let named = |folder: &Path| format!("folder {}", folder.display());
    let home = folder.canonicalize().map_err(at(named(folder)))?;
    check_privileges(&home)?;
    let (mut size, mut folders) = (0, vec![home.clone()]);
    while let Some(here) = folders.pop() {
        for entry in here.read_dir().map_err(at(named(&here)))? {
            let entry = entry.map_err(at(named(&here)))?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(at(named(&here)))?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_symlink() && !path.canonicalize().is_ok_and(|target| target.starts_with(&home)) {
                let name = path.strip_prefix(&home).unwrap_or(&path).display().to_string();
                return Err(EntryError::Link(quoted_path(&name)));
            } else if kind.is_file() {
                size += entry.metadata().map_err(at(named(&here)))?.len();
                if size > MAX_SIZE.0 {
                    return Err(EntryError::Size(MAX_SIZE));
                }
            }
        }
    }
    Ok(())
}

fn check_directory(folder: &Path, agent: &AgentSpec) -> Result<(), EntryError> {
    let home = folder.canonicalize().map_err(at(format!("folder {}", folder.display())))?;
    let directory = agent.directory.as_deref().unwrap_or(folder);
    let shown = quoted_path(&directory.display().to_string());
    let found = directory.canonicalize().map_err(at(format!("directory `{shown}`")))?;
    let has_parent = directory.components().any(|part| part == Component::ParentDir);
    if has_parent || !found.starts_with(&home) {
        return Err(EntryError::Directory(shown));
    }
    Ok(())
}

/// Checks that no word of the command is the path of another submission's file.
fn check_command(folder: &Path, agent: &AgentSpec) -> Result<(), EntryError> {
    let home = folder.canonicalize().map_err(at(format!("folder {}", folder.display())))?;
    let submissions = home.parent().map_or_else(PathBuf::new, Path::to_owned);
    let here = agent.directory.clone().unwrap_or_default();
    for word in agent.command.iter().flat_map(Words::words) {
        if let Ok(found) = here.join(&word).canonicalize()
            && found.starts_with(&submissions)
            && !found.starts_with(&home)
        {
            return Err(EntryError::Foreign(quoted_path(&word)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_have_limits_of_time_and_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let description = "command = './a'\ndialect = 'ugi'\nbuild = 'make'\n";
        let time = |own: &str, default: Option<u32>| {
            std::fs::write(folder.path().join("agent.toml"), format!("{description}{own}")).expect("a file");
            let defaults = AgentSpec { build_time: default, ..AgentSpec::default() };
            read_submission(folder.path(), &defaults).expect("an agent").build_time
        };
        assert_eq!(time("build_time = 4000000\n", Some(5)), Some(5));
        assert_eq!(time("build_time = 4000000\n", None), Some(DEFAULT_BUILD_TIME));
        assert_eq!(time("build_time = 3\n", Some(5)), Some(3));
        assert_eq!(time("", Some(600)), Some(600));
        let huge = std::fs::File::create(folder.path().join("huge")).expect("a file");
        huge.set_len(MAX_SIZE.0 + 1).expect("a sparse file");
        let error = check_files(folder.path()).expect_err("too large").to_string();
        assert_eq!(error, "the files together have more than 1G, which is the maximum");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn setuid_files_are_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("suid");
        std::fs::write(&file, "").expect("a file");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o4755)).expect("its owner");
        let error = check_files(folder.path()).expect_err("a setuid file").to_string();
        assert_eq!(error, "file `suid`: it had a setuid bit, a setgid bit or capabilities, which have been removed");
        assert!(check_files(folder.path()).is_ok());
    }
}
