//! Submissions of people who are not trusted: what a folder may ask for, and what it may not.

use std::io::Write;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, bail, ensure};
use arena::{AgentSpec, looks};

use super::agents;

/// Reads the agent of a submission. Its `agent.toml` may only say how its own files are built and started.
///
/// # Errors
/// If it asks for more; the text says what.
pub(super) fn read(folder: &Path, usual: &AgentSpec) -> anyhow::Result<AgentSpec> {
    // First of all, because `agent.toml` itself may be a link.
    check_links(folder)?;
    let agent = agents::in_folder(folder, usual)?;
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

/// Checks that no link leads out of a folder.
///
/// # Errors
/// If one does, or leads nowhere; the text names it.
pub(super) fn check_links(folder: &Path) -> anyhow::Result<()> {
    let home = folder.canonicalize().with_context(|| format!("folder {}", folder.display()))?;
    let mut folders = vec![home.clone()];
    while let Some(here) = folders.pop() {
        for entry in here.read_dir().with_context(|| format!("folder {}", here.display()))? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_symlink() && !path.canonicalize().is_ok_and(|target| target.starts_with(&home)) {
                let name = path.strip_prefix(&home).unwrap_or(&path).display().to_string();
                bail!("link `{}`: it leads out of the submission's folder, or nowhere", game::text::excerpt(&name));
            }
        }
    }
    Ok(())
}

fn check_directory(folder: &Path, agent: &AgentSpec) -> anyhow::Result<()> {
    let home = folder.canonicalize()?;
    let directory = agent.directory.as_deref().unwrap_or(folder);
    let shown = || format!("directory `{}`", game::text::excerpt(&directory.display().to_string()));
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
            bail!("command: `{}` found, which belongs to another submission", game::text::excerpt(&word));
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
/// folder's name is a submission's identity, so that nobody can keep another one out by taking its name.
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
