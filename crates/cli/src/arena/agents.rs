//! Parses agents given on the command line or by a folder, builds them, and checks their files.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use arena::{AgentSpec, Changes, Entrant, Manifest, Spec, Venue, Words};
use process::sandbox::{Access, Bytes, Limits, remove_privileges};
use process::{Child, Command, Exit, Output, Stream};
use referee::{Fault, FaultKind};

use super::archives;
use super::escaping::quoted_path;

/// Accepted forms of an agent on the command line, for error messages.
pub(super) const FORMS: &str = "expected `[NAME=]DIALECT:COMMAND` such as `nus:python3 agent.py`, `builtin:level=5`, or a folder with an `agent.toml`";

/// Default time limit of a build, in seconds.
pub(super) const DEFAULT_BUILD_TIME: u32 = 120;
/// Length of the recorded build output after which further lines are dropped, in bytes.
const MAX_BUILD_OUTPUT: usize = 64 << 10;
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
            "cs61b" | "nus" | "comp10002" | "ugi" => {
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
        return in_folder(folder, &AgentSpec::default());
    }
    bail!("agent `{}`: {FORMS}", quoted_path(text));
}

/// Maximum size of an `agent.toml`, in bytes.
const MAX_DESCRIPTION: u64 = 64 << 10;

/// Reads the agent of a folder from its `agent.toml`. Fields missing there come from `defaults`.
pub(super) fn in_folder(folder: &Path, defaults: &AgentSpec) -> anyhow::Result<AgentSpec> {
    let file = folder.join("agent.toml");
    let name = folder.file_name().map_or_else(|| "agent".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut agent = if file.symlink_metadata().is_ok() {
        let read = || anyhow::Ok(arena::read_agent(&read_small(&file)?, &name)?);
        read().with_context(|| format!("file {}", file.display()))?
    } else {
        AgentSpec { name, ..AgentSpec::default() }
    };
    if agent.builtin.is_none() {
        agent.command = agent.command.or_else(|| defaults.command.clone());
        agent.dialect = agent.dialect.or_else(|| defaults.dialect.clone());
        agent.build = agent.build.or_else(|| defaults.build.clone());
        agent.build_time = agent.build_time.or(defaults.build_time);
        agent.directory = Some(std::path::absolute(folder)?.join(agent.directory.unwrap_or_default()));
        if agent.command.is_none() || agent.dialect.is_none() {
            let what = "the command or the dialect is missing: expected both in `agent.toml` or as options";
            bail!("folder {}: {what}{}", folder.display(), location_hint(folder));
        }
    }
    Ok(agent)
}

/// Returns a hint about a folder without an `agent.toml`: the subfolder that has one, or an archive to unpack.
fn location_hint(folder: &Path) -> String {
    if folder.join("agent.toml").exists() {
        return String::new();
    }
    let subfolders = folders(folder).unwrap_or_default();
    if let Some(nested) = subfolders.iter().find(|folder| folder.join("agent.toml").is_file()) {
        let name = nested.file_name().unwrap_or_default().to_string_lossy();
        return format!("; its folder `{name}` has an `agent.toml`: move the files of that folder up");
    }
    let all = std::iter::once(folder.to_owned()).chain(subfolders);
    let archive = all.flat_map(|folder| archives::in_folder(&folder)).next();
    let but = archive.map(|archive| format!(", but `{}`: {}; {}", archive.name, archive.what, archive.remedy));
    format!("; it has no `agent.toml`{}", but.unwrap_or_default())
}

/// Reads a text file of at most [`MAX_DESCRIPTION`] bytes.
fn read_small(path: &Path) -> anyhow::Result<String> {
    let mut text = String::new();
    arena::open_ordinary(path)?.take(MAX_DESCRIPTION + 1).read_to_string(&mut text)?;
    ensure!(text.len() as u64 <= MAX_DESCRIPTION, "more than {MAX_DESCRIPTION} bytes found, expected a few lines");
    Ok(text)
}

/// The result of a build.
pub(super) struct Built {
    /// Reason why the build failed; `None` if it succeeded.
    pub(super) failure: Option<String>,
    /// Standard output and standard error.
    pub(super) output: String,
}

/// Limits of a build, higher than a player's because compilers need more. `scratch` also limits the bytes that a build
/// adds to its own folder.
pub(super) const BUILD_LIMITS: Limits = Limits {
    memory: Bytes(4 << 30),
    processes: 1024,
    files: 1024,
    scratch: Bytes(1 << 30),
    output: Bytes(1 << 30),
    cpu: 3600,
};

/// Starts a process of an agent. The caller must keep the returned host as long as the process should live.
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
    let limit = agent.build_time.unwrap_or(DEFAULT_BUILD_TIME);
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
        Some(exit) => Some(build_failure(line, exit)),
        None => Some(format!("`{line}` did not end within {limit} s")),
    };
    Built { failure, output }
}

/// Checks that a folder contains no setuid or setgid file and no file with capabilities.
///
/// # Errors
/// Returns an error if it contains one. The error names the file, whose privileges have been removed by then.
pub(super) fn check_privileges(folder: &Path) -> anyhow::Result<()> {
    let found = remove_privileges(folder).with_context(|| format!("folder {}", folder.display()))?;
    let Some(file) = found.first() else { return Ok(()) };
    let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
    let name = quoted_path(&name);
    bail!("file `{name}`: it had a setuid bit, a setgid bit or capabilities, which have been removed")
}

/// Describes how a failed build command ended.
fn build_failure(line: &str, exit: Exit) -> String {
    match exit {
        Exit::Limit(limit) => format!("`{line}` was ended at its limit of {limit}"),
        Exit::Code(_) | Exit::Signal(_) => format!("`{line}` ended with {exit}"),
    }
}

/// Returns the output of a build, and its exit if it ended before the deadline. Kills the processes that the build has
/// left behind, because they would keep its output open.
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
        let pause_end = deadline.min(Instant::now() + Duration::from_millis(20));
        read_until(child, pause_end);
        child.wait(pause_end);
    }
    let exit = child.exit();
    child.kill();
    host.clear();
    read_until(child, Instant::now() + Duration::from_secs(1));
    (output, exit)
}

/// Appends a line unless the text has reached [`MAX_BUILD_OUTPUT`].
fn keep_line(text: &mut String, line: &[u8]) {
    if text.len() < MAX_BUILD_OUTPUT {
        text.push_str(&String::from_utf8_lossy(line));
        text.push('\n');
    }
}

/// Requests the name of an agent of the 6×6 competition.
///
/// # Errors
/// Returns an error if the agent does not answer with a valid name.
pub(super) fn identify(agent: &AgentSpec, spec: &Spec, venue: &Venue) -> Result<String, Fault> {
    let words = agent.command.as_ref().map(Words::words).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs_f64(spec.time.start);
    let (_host, mut child) =
        start(agent, venue, Access::Read, words).map_err(|error| Fault::new(FaultKind::NoStart, error))?;
    for line in protocol::dialects::identify().lines {
        child.send(line.into_bytes());
    }
    child.close_input();
    let mut errors = String::new();
    while let Some(output) = child.output(deadline) {
        match output {
            Output::Line(Stream::Stderr, line) => keep_line(&mut errors, &line),
            Output::Line(Stream::Stdout, line) => {
                let name = String::from_utf8_lossy(&line).trim_end().to_owned();
                protocol::dialects::check_name(&name).map_err(|why| Fault::new(FaultKind::Unreadable, why))?;
                return Ok(name);
            }
            Output::End(Stream::Stdout) => break,
            _ => (),
        }
    }
    // The rest of its standard error may still arrive.
    let last = deadline.min(Instant::now() + Duration::from_secs(1));
    while let Some(output) = child.output(last) {
        if let Output::Line(Stream::Stderr, line) = output {
            keep_line(&mut errors, &line);
        }
    }
    let mut why = match child.wait(deadline) {
        Some(exit) => format!("it ended without printing a name: {exit}"),
        None => format!("no name within {} s", spec.time.start),
    };
    if let Some(line) = referee::error_line(&errors) {
        why = format!("{why}; its standard error: {}", game::text::printable(&line));
    }
    Err(Fault::new(FaultKind::Unreadable, why))
}

/// Returns `true` if all files in an agent's folder belong to the agent.
fn owns_folder(agent: &AgentSpec) -> bool {
    agent.directory.as_ref().is_some_and(|folder| folder.join("agent.toml").exists())
}

/// Returns the files of an agent with their hashes.
pub(super) fn files(agent: &AgentSpec) -> anyhow::Result<Manifest> {
    arena::manifest(agent, owns_folder(agent)).with_context(|| format!("files of agent `{}`", agent.name))
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

/// Builds every agent of a tournament.
///
/// # Errors
/// Returns an error if an agent cannot be built, or its files have changed since its submission was accepted.
pub(super) fn prepare(spec: &Spec, venue: &Venue) -> anyhow::Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    for agent in &spec.agents {
        if let Some(accepted) = &agent.sha256
            && arena::agent_hash(agent, &files(agent)?) != *accepted
        {
            bail!(
                "agent `{}`: its files or its command have changed since it was accepted: enter it again, or remove \
                 `sha256` from the tournament file",
                agent.name
            );
        }
        let built = build(agent, venue);
        if let Some(failure) = built.failure {
            bail!("agent `{}` cannot be built: {failure}\n{}", agent.name, built.output.trim_end());
        }
        // A missing name is not an error.
        let has_title = agent.dialect.as_deref() == Some("nus");
        let title = if has_title { identify(agent, spec, venue).unwrap_or_default() } else { String::new() };
        let files = files(agent)?;
        entrants.push(Entrant { hash: arena::agent_hash(agent, &files), files, build_output: built.output, title });
    }
    Ok(entrants)
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

/// Returns the subfolders of a folder, sorted by name, without hidden ones.
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
    fn a_moved_file_is_not_reported_as_missing() {
        let manifest = |files: &[(&str, &str)]| -> Manifest {
            files.iter().map(|&(name, hash)| (name.to_owned(), hash.to_owned())).collect()
        };
        let entered = manifest(&[("/usr/bin/agent", "1"), ("a.py", "2"), ("b.py", "2")]);
        let now = manifest(&[("/opt/bin/agent", "1"), ("b.py", "2")]);
        assert_eq!(describe_missing("/usr/bin/agent", &entered, &now), "/usr/bin/agent (moved to /opt/bin/agent)");
        assert_eq!(describe_missing("a.py", &entered, &now), "a.py (missing)", "b.py with the same content is not new");
    }

    #[test]
    fn a_failed_build_reports_how_it_ended() {
        let text = |exit| build_failure("make", exit);
        assert_eq!(text(Exit::Limit(process::Limit::Memory)), "`make` was ended at its limit of memory");
        assert_eq!(text(Exit::Code(2)), "`make` ended with exit code 2");
    }

    #[test]
    fn a_build_has_a_time_limit_and_its_output_is_recorded() {
        let agent =
            |build: &str| AgentSpec { build: Some(build.to_owned()), build_time: Some(1), ..AgentSpec::default() };
        let venue = Venue::default();
        let built = build(&agent("echo one; echo two >&2; exit 3"), &venue);
        assert_eq!(built.failure.as_deref(), Some("`echo one; echo two >&2; exit 3` ended with exit code 3"));
        assert!(built.output.contains("one\n") && built.output.contains("two\n"));
        assert!(build(&agent("sleep 60"), &venue).failure.is_some_and(|why| why.contains("within 1 s")));
        assert!(build(&AgentSpec::default(), &venue).failure.is_none());
    }
}
