//! Agents of the command line or of a folder, and their builds.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use arena::{AgentSpec, Changes, Entrant, Manifest, Spec, Venue, Words};
use process::{Child, Command, Exit, Output, Stream};
use referee::{Fault, FaultKind};
use sandbox::{Access, Bytes, Limits};

use super::archives;
use super::foreign::quoted_path;

/// The forms of an agent on the command line.
pub(super) const FORMS: &str = "expected `[NAME=]DIALECT:COMMAND` such as `nus:python3 agent.py`, `builtin:level=5`, or a folder with an `agent.toml`";

/// The default time limit of a build, in seconds.
pub(super) const BUILD_TIME: u32 = 120;
/// Bytes of a build's output that are kept.
const BUILD_OUTPUT: usize = 64 << 10;
/// The most files that are named.
const LISTED: usize = 8;

/// Reads an agent of the command line.
pub(super) fn parse(text: &str) -> anyhow::Result<AgentSpec> {
    if let Some((front, rest)) = text.split_once(':') {
        let (name, kind) = front.split_once('=').map_or((None, front), |(name, kind)| (Some(name), kind));
        let named = |usual: String| name.map_or(usual, str::to_owned);
        match kind {
            "builtin" => {
                let usual = if rest.is_empty() { "plyhouse".to_owned() } else { format!("plyhouse {rest}") };
                return Ok(AgentSpec { name: named(usual), builtin: Some(rest.to_owned()), ..AgentSpec::default() });
            }
            "cs61b" | "nus" | "comp10002" | "ugi" => {
                return Ok(AgentSpec {
                    name: named(rest.to_owned()),
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
        return in_folder(folder, &AgentSpec::default());
    }
    bail!("agent `{}`: {FORMS}", quoted_path(text));
}

/// The largest `agent.toml`, in bytes.
const LARGEST: u64 = 64 << 10;

/// Reads the agent of a folder from its `agent.toml`. `usual` has the values of missing fields.
pub(super) fn in_folder(folder: &Path, usual: &AgentSpec) -> anyhow::Result<AgentSpec> {
    let file = folder.join("agent.toml");
    let name = folder.file_name().map_or_else(|| "agent".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut agent = if file.symlink_metadata().is_ok() {
        let read = || anyhow::Ok(arena::read_agent(&read_small(&file)?, &name)?);
        read().with_context(|| format!("file {}", file.display()))?
    } else {
        AgentSpec { name, ..AgentSpec::default() }
    };
    if agent.builtin.is_none() {
        agent.command = agent.command.or_else(|| usual.command.clone());
        agent.dialect = agent.dialect.or_else(|| usual.dialect.clone());
        agent.build = agent.build.or_else(|| usual.build.clone());
        agent.build_time = agent.build_time.or(usual.build_time);
        agent.directory = Some(std::path::absolute(folder)?.join(agent.directory.unwrap_or_default()));
        if agent.command.is_none() || agent.dialect.is_none() {
            let what = "the command or the dialect is missing: expected both in `agent.toml` or as options";
            bail!("folder {}: {what}{}", folder.display(), elsewhere(folder));
        }
    }
    Ok(agent)
}

/// Says where the `agent.toml` is that a folder should have, or that the folder has archives instead.
fn elsewhere(folder: &Path) -> String {
    if folder.join("agent.toml").exists() {
        return String::new();
    }
    let within = folders(folder).unwrap_or_default();
    if let Some(nested) = within.iter().find(|folder| folder.join("agent.toml").is_file()) {
        let name = nested.file_name().unwrap_or_default().to_string_lossy();
        return format!("; there is one in its folder `{name}`: move the files of that folder up");
    }
    let here = std::iter::once(folder.to_owned()).chain(within);
    let archive = here.flat_map(|folder| archives::in_folder(&folder)).next();
    let but = archive.map(|archive| format!(", but `{}`: {}; {}", archive.name, archive.what, archive.remedy));
    format!("; it has no `agent.toml`{}", but.unwrap_or_default())
}

/// Reads a file that should be small.
fn read_small(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    arena::open_ordinary(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    ensure!(text.len() as u64 <= LARGEST, "more than {LARGEST} bytes found, expected a few lines");
    Ok(text)
}

/// The result of a build.
pub(super) struct Built {
    /// The reason of a failure.
    pub(super) failure: Option<String>,
    /// Its output.
    pub(super) output: String,
}

/// Limits of a build: a compiler needs more than a player. The limit of the scratch folder also applies to the bytes
/// that a build adds to its own folder.
pub(super) const BUILD_LIMITS: Limits = Limits {
    memory: Bytes(4 << 30),
    processes: 1024,
    files: 1024,
    scratch: Bytes(1 << 30),
    output: Bytes(1 << 30),
    cpu: 3600,
};

/// Starts a process of an agent. It lasts as long as its place, which comes with it.
fn start(
    agent: &AgentSpec,
    venue: &Venue,
    access: Access,
    words: Vec<String>,
) -> Result<(Box<dyn process::Host>, Child), String> {
    let mut venue = venue.clone();
    if let (Access::Write, Some(confinement)) = (access, &mut venue.confinement) {
        confinement.limits = BUILD_LIMITS;
    }
    let mut host = venue.host(agent, access)?;
    let command = Command { words, directory: agent.directory.clone() };
    let child = host.start(&command).map_err(|error| error.to_string())?;
    Ok((host, child))
}

/// Runs the build command of an agent, if it has one.
pub(super) fn build(agent: &AgentSpec, venue: &Venue) -> Built {
    let Some(line) = &agent.build else { return Built { failure: None, output: String::new() } };
    let limit = agent.build_time.unwrap_or(BUILD_TIME);
    let deadline = Instant::now() + Duration::from_secs(limit.into());
    let words = ["sh", "-c", line].map(str::to_owned).to_vec();
    let (mut host, mut child) = match start(agent, venue, Access::Write, words) {
        Ok(started) => started,
        Err(error) => return Built { failure: Some(error), output: String::new() },
    };
    child.close_input();
    let (output, exit) = read_build(&mut *host, &mut child, deadline);
    let failure = match exit {
        Some(Exit::Code(0)) => {
            let folder = agent.directory.as_deref().unwrap_or(Path::new("."));
            check_privileges(folder).err().map(|error| format!("{error:#}"))
        }
        Some(exit) => Some(failed_build(line, exit)),
        None => Some(format!("`{line}` did not end within {limit} s")),
    };
    Built { failure, output }
}

/// Checks that a folder contains no setuid or setgid file and no file with capabilities.
///
/// # Errors
/// If one does; the text names it. Its privileges are removed.
pub(super) fn check_privileges(folder: &Path) -> anyhow::Result<()> {
    let found = sandbox::remove_privileges(folder).with_context(|| format!("folder {}", folder.display()))?;
    let Some(file) = found.first() else { return Ok(()) };
    let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
    let name = quoted_path(&name);
    bail!("file `{name}`: it had a setuid or setgid bit or capabilities, which are removed now")
}

/// Says how a build command ended that failed.
fn failed_build(line: &str, exit: Exit) -> String {
    match exit {
        Exit::Limit(limit) => format!("`{line}` was ended at its limit of {limit}"),
        Exit::Code(_) | Exit::Signal(_) => format!("`{line}` ended with {exit}"),
    }
}

/// Returns what a build prints, and how it ends if it does before the deadline. What it leaves running is ended then,
/// because that would keep its output open.
fn read_build(host: &mut dyn process::Host, child: &mut Child, deadline: Instant) -> (String, Option<Exit>) {
    let mut output = String::new();
    let mut read_until = |child: &mut Child, end| {
        while Instant::now() < end
            && let Some(piece) = child.output(end)
        {
            if let Output::Line(_, line) = piece {
                keep_line(&mut output, &line);
            }
        }
    };
    while child.exit().is_none() && Instant::now() < deadline {
        let breath = deadline.min(Instant::now() + Duration::from_millis(20));
        read_until(child, breath);
        child.wait(breath);
    }
    let exit = child.exit();
    child.kill();
    host.clear();
    read_until(child, Instant::now() + Duration::from_secs(1));
    (output, exit)
}

/// Adds a line to a text of limited length.
fn keep_line(text: &mut String, line: &[u8]) {
    if text.len() < BUILD_OUTPUT {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
}

/// Asks an agent of the 6×6 competition for its name.
///
/// # Errors
/// If it does not answer with a valid name.
pub(super) fn identify(agent: &AgentSpec, spec: &Spec, venue: &Venue) -> Result<String, Fault> {
    let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs_f64(spec.time.start);
    let (_host, mut child) =
        start(agent, venue, Access::Read, words).map_err(|error| Fault::new(FaultKind::NoStart, error))?;
    for line in protocol::dialects::identify().lines {
        child.send(line.into_bytes());
    }
    child.close_input();
    let mut complaint = String::new();
    while let Some(output) = child.output(deadline) {
        match output {
            Output::Line(Stream::Stderr, line) => keep_line(&mut complaint, &line),
            Output::Line(Stream::Stdout, line) => {
                let name = String::from_utf8_lossy(&line).trim_end().to_owned();
                protocol::dialects::check_name(&name).map_err(|why| Fault::new(FaultKind::Unreadable, why))?;
                return Ok(name);
            }
            Output::End(Stream::Stdout) => break,
            _ => (),
        }
    }
    // Its last words may still be on their way.
    let last = deadline.min(Instant::now() + Duration::from_secs(1));
    while let Some(output) = child.output(last) {
        if let Output::Line(Stream::Stderr, line) = output {
            keep_line(&mut complaint, &line);
        }
    }
    let mut why = match child.wait(deadline) {
        Some(exit) => format!("it ended without printing a name: {exit}"),
        None => format!("no name within {} s", spec.time.start),
    };
    if let Some(line) = referee::error_line(&complaint) {
        why = format!("{why}; its standard error: {}", game::text::printable(&line));
    }
    Err(Fault::new(FaultKind::Unreadable, why))
}

/// Whether all files in an agent's folder belong to the agent.
fn owns_folder(agent: &AgentSpec) -> bool {
    agent.directory.as_ref().is_some_and(|folder| folder.join("agent.toml").exists())
}

/// The files of an agent with their hashes.
pub(super) fn files(agent: &AgentSpec) -> anyhow::Result<Manifest> {
    arena::manifest(agent, owns_folder(agent)).with_context(|| format!("files of agent `{}`", agent.name))
}

/// Says whether a file that an agent entered with is gone, or is found elsewhere, as when another folder on the `PATH`
/// has the program now.
fn missed(file: &str, entered: &Manifest, now: &Manifest) -> String {
    let is_moved = |(name, hash): &(&String, &String)| !entered.contains_key(*name) && entered.get(file) == Some(*hash);
    match now.iter().find(is_moved) {
        Some((place, _)) => format!("{file} (moved to {place})"),
        None => format!("{file} (gone)"),
    }
}

/// Checks that an agent still has the files with which it entered a tournament. Files that came later, such as its
/// logs, are only named.
///
/// # Errors
/// If files were changed or are gone, unless that is accepted.
pub(super) fn compare(agent: &AgentSpec, entrant: &Entrant, accept: bool) -> anyhow::Result<()> {
    let now = files(agent)?;
    if entrant.hash == arena::agent_hash(agent, &now) {
        return Ok(());
    }
    let Changes { changed, missing, new } = Changes::between(&entrant.files, &now);
    let changed = changed.into_iter().map(|file| format!("{file} (changed)"));
    let missing = missing.iter().map(|file| missed(file, &entrant.files, &now));
    let wrong: Vec<String> = changed.chain(missing).take(LISTED).collect();
    let is_known = agent.builtin.is_none() && !entrant.files.is_empty();
    let may_go_on = accept || (is_known && wrong.is_empty());
    if !may_go_on {
        let what = match (&agent.builtin, is_known) {
            (Some(_), _) => "the engine is of another version of Plyhouse than when it entered".to_owned(),
            (None, false) => "an earlier version recorded its files, and they cannot be compared".to_owned(),
            (None, true) => {
                format!("its files have changed since it entered the tournament: {}; restore them", wrong.join(", "))
            }
        };
        bail!("agent `{}`: {what}, or continue with --accept-changes", agent.name);
    }
    if is_known && !new.is_empty() {
        let new: Vec<String> = new.into_iter().take(LISTED).collect();
        let note = format!("agent `{}` has new files: {}", agent.name, new.join(", "));
        let _ = writeln!(std::io::stderr(), "{}", game::text::printable(&note));
    }
    Ok(())
}

/// Builds every agent of a tournament.
///
/// # Errors
/// If one cannot be built.
pub(super) fn prepare(spec: &Spec, venue: &Venue) -> anyhow::Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    for agent in &spec.agents {
        if let Some(accepted) = &agent.sha256
            && arena::agent_hash(agent, &files(agent)?) != *accepted
        {
            bail!(
                "agent `{}`: its files or its command are not those that were accepted: enter it again, or remove \
                 `sha256` from the tournament file",
                agent.name
            );
        }
        let built = build(agent, venue);
        if let Some(failure) = built.failure {
            bail!("agent `{}` cannot be built: {failure}\n{}", agent.name, built.output.trim_end());
        }
        // An agent may play without a name.
        let asked = agent.dialect.as_deref() == Some("nus");
        let title = if asked { identify(agent, spec, venue).unwrap_or_default() } else { String::new() };
        let files = files(agent)?;
        entrants.push(Entrant { hash: arena::agent_hash(agent, &files), files, build_output: built.output, title });
    }
    Ok(entrants)
}

/// Checks that the program of every agent exists, as its sandbox would find it.
///
/// # Errors
/// If one does not.
pub(super) fn check_commands(spec: &Spec, venue: &Venue) -> anyhow::Result<()> {
    for agent in spec.agents.iter().filter(|agent| agent.builtin.is_none()) {
        let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
        let command = Command { words, directory: agent.directory.clone() };
        let mut host = venue.host(agent, Access::Read).map_err(anyhow::Error::msg)?;
        host.check(&command).map_err(|error| anyhow::anyhow!("agent `{}`: {error}", agent.name))?;
    }
    Ok(())
}

/// Lists the folders in a folder by name.
pub(super) fn folders(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).with_context(|| format!("folder {}", path.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
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
    fn a_file_that_moved_is_not_called_gone() {
        let manifest = |files: &[(&str, &str)]| -> Manifest {
            files.iter().map(|&(name, hash)| (name.to_owned(), hash.to_owned())).collect()
        };
        let entered = manifest(&[("/usr/bin/agent", "1"), ("a.py", "2"), ("b.py", "2")]);
        let now = manifest(&[("/opt/bin/agent", "1"), ("b.py", "2")]);
        assert_eq!(missed("/usr/bin/agent", &entered, &now), "/usr/bin/agent (moved to /opt/bin/agent)");
        assert_eq!(missed("a.py", &entered, &now), "a.py (gone)", "the other file was there before");
    }

    #[test]
    fn a_failed_build_says_how_it_ended() {
        let said = |exit| failed_build("make", exit);
        assert_eq!(said(Exit::Limit(process::Limit::Memory)), "`make` was ended at its limit of memory");
        assert_eq!(said(Exit::Code(2)), "`make` ended with exit code 2");
    }

    #[test]
    fn a_build_is_stopped_in_time_and_its_output_is_kept() {
        let agent =
            |build: &str| AgentSpec { build: Some(build.to_owned()), build_time: Some(1), ..AgentSpec::default() };
        let bare = Venue::default();
        let built = build(&agent("echo one; echo two >&2; exit 3"), &bare);
        assert_eq!(built.failure.as_deref(), Some("`echo one; echo two >&2; exit 3` ended with exit code 3"));
        assert!(built.output.contains("one\n") && built.output.contains("two\n"));
        assert!(build(&agent("sleep 60"), &bare).failure.is_some_and(|why| why.contains("within 1 s")));
        assert!(build(&AgentSpec::default(), &bare).failure.is_none());
    }
}
