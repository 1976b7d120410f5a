//! Parses agents given on the command line, and compares their files with the files that they had at entry.

use std::io::Write;
use std::path::Path;

use anyhow::bail;
use arena::entry::{files, quoted_path, read_folder};
use arena::{AgentSpec, Changes, Entrant, Manifest, Spec, Venue, Words};
use process::Command;
use process::sandbox::Access;
use protocol::dialects::Speaks;

/// Accepted forms of an agent on the command line, for error messages.
pub(super) const FORMS: &str = "expected `[NAME=]DIALECT:COMMAND` such as `nus:python3 agent.py`, `builtin:level=5`, or a folder with an `agent.toml`";

/// Maximum number of files listed in a message.
const MAX_LISTED: usize = 8;

/// Parses an agent from a command-line argument.
pub(super) fn parse(text: &str) -> anyhow::Result<AgentSpec> {
    if let Some((front, rest)) = text.split_once(':') {
        let (name, kind) = front.split_once('=').map_or((None, front), |(name, kind)| (Some(name), kind));
        let name_or = |default: String| name.map_or(default, str::to_owned);
        match kind {
            "builtin" => {
                let default = if rest.is_empty() { "plyhouse".to_owned() } else { format!("plyhouse {rest}") };
                return Ok(AgentSpec {
                    name: name_or(default),
                    builtin: Some(rest.to_owned()),
                    ..AgentSpec::default()
                });
            }
            _ if kind.parse::<Speaks>().is_ok() => {
                return Ok(AgentSpec {
                    name: name_or(rest.to_owned()),
                    command: Some(Words::Text(rest.to_owned())),
                    dialect: Some(kind.to_owned()),
                    ..AgentSpec::default()
                });
            }
            _ => (),
        }
    }
    let folder = Path::new(text);
    if folder.is_dir() {
        return Ok(read_folder(folder, &AgentSpec::default())?);
    }
    bail!("agent `{}`: {FORMS}", quoted_path(text));
}

/// Describes a file that was there at entry and is missing now. If a new file has the same content, the file was moved,
/// for example a program to another folder of `PATH`.
fn describe_missing(file: &str, entered: &Manifest, now: &Manifest) -> String {
    let is_moved = |(name, hash): &(&String, &String)| !entered.contains_key(*name) && entered.get(file) == Some(*hash);
    match now.iter().find(is_moved) {
        Some((place, _)) => format!("{file} (moved to {place})"),
        None => format!("{file} (missing)"),
    }
}

/// Checks that an agent still has the files that it entered the tournament with. New files, such as its logs, are only
/// reported.
///
/// # Errors
/// Returns an error if files have changed or are missing, unless `accept` is set.
pub(super) fn compare(agent: &AgentSpec, entrant: &Entrant, accept: bool) -> anyhow::Result<()> {
    let now = files(agent)?;
    if entrant.hash == arena::agent_hash(agent, &now) {
        return Ok(());
    }
    let Changes { changed, missing, new } = Changes::between(&entrant.files, &now);
    let changed = changed.into_iter().map(|file| format!("{file} (changed)"));
    let missing = missing.iter().map(|file| describe_missing(file, &entrant.files, &now));
    let wrong: Vec<String> = changed.chain(missing).take(MAX_LISTED).collect();
    let is_known = agent.builtin.is_none() && !entrant.files.is_empty();
    let is_accepted = accept || (is_known && wrong.is_empty());
    if !is_accepted {
        let what = match (&agent.builtin, is_known) {
            (Some(_), _) => "the engine belongs to another version of Plyhouse than at its entry".to_owned(),
            (None, false) => "its files were recorded by an earlier version and cannot be compared".to_owned(),
            (None, true) => {
                format!("its files have changed since it entered the tournament: {}; restore them", wrong.join(", "))
            }
        };
        bail!("agent `{}`: {what}, or continue with --accept-changes", agent.name);
    }
    if is_known && !new.is_empty() {
        let new: Vec<String> = new.into_iter().take(MAX_LISTED).collect();
        let note = format!("agent `{}` has new files: {}", agent.name, new.join(", "));
        let _ = writeln!(std::io::stderr(), "{}", game::text::printable(&note));
    }
    Ok(())
}

/// Checks that the sandbox of every agent finds the agent's program.
///
/// # Errors
/// Returns an error if a program is missing.
pub(super) fn check_commands(spec: &Spec, venue: &Venue) -> anyhow::Result<()> {
    for agent in spec.agents.iter().filter(|agent| agent.builtin.is_none()) {
        let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
        let command = Command { words, directory: agent.directory.clone() };
        let mut host = venue.host(agent, Access::Read).map_err(anyhow::Error::msg)?;
        host.check(&command).map_err(|error| anyhow::anyhow!("agent `{}`: {error}", agent.name))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_on_the_command_line() {
        let agent = parse("mine=nus:python3 a.py").expect("an agent");
        assert_eq!((agent.name.as_str(), agent.dialect.as_deref()), ("mine", Some("nus")));
        assert_eq!(agent.command.expect("a command").words(), ["python3", "a.py"]);
        assert_eq!(parse("ugi:x").expect("an agent").name, "x");
        let builtin = parse("builtin:level=5").expect("an engine");
        assert_eq!((builtin.name.as_str(), builtin.builtin.as_deref()), ("plyhouse level=5", Some("level=5")));
        assert!(parse("klingon:x").is_err_and(|error| error.to_string().contains("DIALECT:COMMAND")));
    }

    #[test]
    fn a_moved_file_is_not_reported_as_missing() {
        let manifest = |files: &[(&str, &str)]| -> Manifest {
            files.iter().map(|&(name, hash)| (name.to_owned(), hash.to_owned())).collect()
        };
        let entered = manifest(&[("/usr/bin/agent", "1"), ("a.py", "2"), ("b.py", "2")]);
        let now = manifest(&[("/opt/bin/agent", "1"), ("b.py", "2")]);
        assert_eq!(describe_missing("/usr/bin/agent", &entered, &now), "/usr/bin/agent (moved to /opt/bin/agent)");
        assert_eq!(describe_missing("a.py", &entered, &now), "a.py (missing)", "b.py with the same content is not new");
    }
}
