//! Submissions of people who are not trusted: what a folder may ask for, and what it may not.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};
use arena::{AgentSpec, looks};
use sandbox::Bytes;

use super::agents;
use super::foreign::quoted_path;

/// The most bytes of a submission, with what its build makes.
const LARGEST: u64 = agents::BUILD_LIMITS.scratch.0;

/// Reads the agent of a submission. Its `agent.toml` may only say how its own files are built and started. A build has
/// the time that `usual` says, or less if `agent.toml` says so.
///
/// # Errors
/// If it asks for more; the text says what.
pub(super) fn read(folder: &Path, usual: &AgentSpec) -> anyhow::Result<AgentSpec> {
    // First of all, because `agent.toml` itself may be a link.
    check_files(folder)?;
    let mut agent = agents::in_folder(folder, usual)?;
    let most = usual.build_time.unwrap_or(agents::BUILD_TIME);
    agent.build_time = Some(agent.build_time.map_or(most, |time| time.min(most)));
    if let Some(words) = &agent.builtin {
        bail!(
            "builtin: `{}` found, expected `command`: one of our engines is not a submission",
            game::text::excerpt(words)
        );
    }
    ensure!(agent.writes.is_empty(), "writes: found, but only `arena enter` says what an agent writes");
    arena::check_name(&agent.name)
        .map_err(|why| anyhow::anyhow!("name `{}`: {why}", game::text::excerpt(&agent.name)))?;
    check_directory(folder, &agent)?;
    check_command(folder, &agent)?;
    Ok(agent)
}

/// Checks that no link leads out of a folder, that no file has privileges, and that the files are not too large.
///
/// # Errors
/// If a link leads out of the folder or nowhere, or a file has privileges, which are removed; the text names it.
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
                bail!("link `{}`: it leads out of the submission's folder, or nowhere", quoted_path(&name));
            } else if kind.is_file() {
                size += entry.metadata()?.len();
                ensure!(size <= LARGEST, "more than {} of files found, expected at most that", Bytes(LARGEST));
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
    let climbs = directory.components().any(|part| part == Component::ParentDir);
    ensure!(found.starts_with(&home) && !climbs, "{}: expected a folder within the submission", shown());
    Ok(())
}

/// Checks that no word of the command names a file of another submission.
fn check_command(folder: &Path, agent: &AgentSpec) -> anyhow::Result<()> {
    let home = folder.canonicalize()?;
    let all = home.parent().map_or_else(PathBuf::new, Path::to_owned);
    let here = agent.directory.clone().unwrap_or_default();
    for word in agent.command.iter().flat_map(arena::Words::words) {
        if let Ok(found) = here.join(&word).canonicalize()
            && found.starts_with(&all)
            && !found.starts_with(&home)
        {
            bail!("command: `{}` found, which belongs to another submission", quoted_path(&word));
        }
    }
    Ok(())
}

/// Finds names that look like those of other submissions. A folder's own name belongs to its submission; any other name
/// must not look like a folder's or like one that another submission has chosen. Returns the folder that a submission
/// would be taken for.
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

/// Enters an agent under the name of its folder, because its own name looks like that of the submission `other`. The
/// folder's name is a submission's identity, so that no submission can exclude another one by taking its name.
///
/// # Errors
/// If the folder's name is not a valid name.
pub(super) fn under_folders_name(
    agent: AgentSpec,
    folder: &str,
    other: &str,
    out: &mut dyn Write,
) -> anyhow::Result<AgentSpec> {
    arena::check_name(folder).map_err(|why| anyhow::anyhow!("name `{}`: {why}", game::text::excerpt(folder)))?;
    writeln!(out, "    note    name `{}`: it looks like the name of `{other}`, so `{folder}` plays", agent.name)?;
    Ok(AgentSpec { name: folder.to_owned(), ..agent })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instructor_limits_time_and_size_of_builds() {
        let folder = tempfile::tempdir().expect("a folder");
        let description = "command = './a'\ndialect = 'ugi'\nbuild = 'make'\n";
        let time = |own: &str, usual: Option<u32>| {
            std::fs::write(folder.path().join("agent.toml"), format!("{description}{own}")).expect("a file");
            let usual = AgentSpec { build_time: usual, ..AgentSpec::default() };
            read(folder.path(), &usual).expect("an agent").build_time
        };
        assert_eq!(time("build_time = 4000000\n", Some(5)), Some(5));
        assert_eq!(time("build_time = 4000000\n", None), Some(agents::BUILD_TIME));
        assert_eq!(time("build_time = 3\n", Some(5)), Some(3));
        assert_eq!(time("", Some(600)), Some(600));
        let huge = std::fs::File::create(folder.path().join("huge")).expect("a file");
        huge.set_len(LARGEST + 1).expect("a sparse file");
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
        assert_eq!(error, "file `suid`: it had a setuid or setgid bit or capabilities, which are removed now");
        assert!(check_files(folder.path()).is_ok());
    }

    #[test]
    fn nobody_takes_the_name_of_another_submission() {
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
