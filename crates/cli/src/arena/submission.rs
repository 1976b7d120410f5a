//! Checks of submissions, which come from untrusted people: their `agent.toml`, files and names.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};
use arena::{AgentSpec, looks};
use process::sandbox::Bytes;

use super::agents;
use super::escaping::quoted_path;

/// Maximum size of a submission together with the files that its build creates, in bytes.
const MAX_SIZE: u64 = agents::BUILD_LIMITS.scratch.0;

/// Reads the agent of a submission, whose `agent.toml` may only state how to build and start its own files. The time
/// limit of its build is that of `defaults`, or less if `agent.toml` sets less.
///
/// # Errors
/// Returns an error if `agent.toml` has a setting that is not permitted.
pub(super) fn read(folder: &Path, defaults: &AgentSpec) -> anyhow::Result<AgentSpec> {
    // This comes first because `agent.toml` itself may be a link.
    check_files(folder)?;
    let mut agent = agents::in_folder(folder, defaults)?;
    let max = defaults.build_time.unwrap_or(agents::DEFAULT_BUILD_TIME);
    agent.build_time = Some(agent.build_time.map_or(max, |time| time.min(max)));
    if let Some(words) = &agent.builtin {
        bail!(
            "builtin: `{}` found, expected `command`: built-in engines cannot be submitted",
            game::text::excerpt(words)
        );
    }
    ensure!(agent.writes.is_empty(), "writes: found, but only `arena enter` may set this field");
    arena::check_name(&agent.name)
        .map_err(|why| anyhow::anyhow!("name `{}`: {why}", game::text::excerpt(&agent.name)))?;
    check_directory(folder, &agent)?;
    check_command(folder, &agent)?;
    Ok(agent)
}

/// Checks that links stay within the folder, that no file has privileges, and that the files are not too large.
///
/// # Errors
/// Returns an error if the target of a link is missing or outside the folder, a file has privileges (which are then
/// removed), or the files are too large.
pub(super) fn check_files(folder: &Path) -> anyhow::Result<()> {
    let home = folder.canonicalize().with_context(|| format!("folder {}", folder.display()))?;
    agents::check_privileges(&home)?;
    let (mut size, mut folders) = (0, vec![home.clone()]);
    while let Some(here) = folders.pop() {
        for entry in here.read_dir().with_context(|| format!("folder {}", here.display()))? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_symlink() && !path.canonicalize().is_ok_and(|target| target.starts_with(&home)) {
                let name = path.strip_prefix(&home).unwrap_or(&path).display().to_string();
                bail!("link `{}`: its target is missing or outside the submission's folder", quoted_path(&name));
            } else if kind.is_file() {
                size += entry.metadata()?.len();
                ensure!(size <= MAX_SIZE, "more than {} of files found, expected at most that", Bytes(MAX_SIZE));
            }
        }
    }
    Ok(())
}

fn check_directory(folder: &Path, agent: &AgentSpec) -> anyhow::Result<()> {
    let home = folder.canonicalize()?;
    let directory = agent.directory.as_deref().unwrap_or(folder);
    let shown = || format!("directory `{}`", quoted_path(&directory.display().to_string()));
    let found = directory.canonicalize().with_context(shown)?;
    let has_parent = directory.components().any(|part| part == Component::ParentDir);
    ensure!(found.starts_with(&home) && !has_parent, "{}: expected a folder within the submission", shown());
    Ok(())
}

/// Checks that no word of the command is the path of another submission's file.
fn check_command(folder: &Path, agent: &AgentSpec) -> anyhow::Result<()> {
    let home = folder.canonicalize()?;
    let submissions = home.parent().map_or_else(PathBuf::new, Path::to_owned);
    let here = agent.directory.clone().unwrap_or_default();
    for word in agent.command.iter().flat_map(arena::Words::words) {
        if let Ok(found) = here.join(&word).canonicalize()
            && found.starts_with(&submissions)
            && !found.starts_with(&home)
        {
            bail!("command: `{}` found, which belongs to another submission", quoted_path(&word));
        }
    }
    Ok(())
}

/// Returns, for each submission, the folder of another submission with which its name could be confused. A submission
/// always owns the name of its folder. Any other name must not look like the name of another folder, or like a name
/// that another submission chose.
pub(super) fn look_alikes(submissions: &[(&str, Option<&str>)]) -> Vec<Option<String>> {
    let looks: Vec<_> = submissions.iter().map(|(folder, name)| (looks(folder), name.map(looks))).collect();
    let is_like = |i: usize, j: usize| {
        let chosen = looks[i].1.as_ref().filter(|_| submissions[i].1 != Some(submissions[i].0));
        chosen.is_some_and(|name| {
            let (folder, other) = &looks[j];
            !name.is_disjoint(folder) || other.as_ref().is_some_and(|other| !name.is_disjoint(other))
        })
    };
    let all = 0..submissions.len();
    let taken_for = |i: usize| all.clone().find(|&j| i != j && is_like(i, j)).map(|j| submissions[j].0.to_owned());
    all.clone().map(taken_for).collect()
}

/// Renames an agent to the name of its folder, because its own name looks like the name of the submission `other`. A
/// submission is identified by its folder, so no submission can exclude another one by taking its name.
///
/// # Errors
/// Returns an error if the folder's name is not a valid name.
pub(super) fn under_folders_name(
    agent: AgentSpec,
    folder: &str,
    other: &str,
    out: &mut dyn Write,
) -> anyhow::Result<AgentSpec> {
    arena::check_name(folder).map_err(|why| anyhow::anyhow!("name `{}`: {why}", game::text::excerpt(folder)))?;
    writeln!(
        out,
        "    note    name `{}`: it looks like the name of `{other}`, so the agent plays as `{folder}`",
        agent.name
    )?;
    Ok(AgentSpec { name: folder.to_owned(), ..agent })
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
            read(folder.path(), &defaults).expect("an agent").build_time
        };
        assert_eq!(time("build_time = 4000000\n", Some(5)), Some(5));
        assert_eq!(time("build_time = 4000000\n", None), Some(agents::DEFAULT_BUILD_TIME));
        assert_eq!(time("build_time = 3\n", Some(5)), Some(3));
        assert_eq!(time("", Some(600)), Some(600));
        let huge = std::fs::File::create(folder.path().join("huge")).expect("a file");
        huge.set_len(MAX_SIZE + 1).expect("a sparse file");
        let error = check_files(folder.path()).expect_err("too large").to_string();
        assert_eq!(error, "more than 1G of files found, expected at most that");
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

    #[test]
    fn names_that_look_like_those_of_other_submissions_are_found() {
        let found = look_alikes(&[
            ("ann", Some("ann")),
            ("bob", Some("Аnn")), // with a Cyrillic letter
            ("eve", Some("The Eve")),
            ("mallory", Some("the EVE")),
            ("team1", Some("team1")),
            ("teaml", Some("teaml")),
            ("zoe", None),
        ]);
        let text = |name: &str| Some(name.to_owned());
        assert_eq!(found, [None, text("ann"), text("mallory"), text("eve"), None, None, None]);
    }
}
