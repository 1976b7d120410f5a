//! Accepts an upload that is a single file.

use std::fs;
use std::path::Path;

use arena::AgentSpec;
use arena::entry::has_extension;

use super::missing::{first_lines, shown_command};
use super::names;
use super::outcome::{IntakeError, Notes, at, refuse};
use super::programs::Programs;
use super::shown::quoted;
use super::unpack::Written;

/// Returns the last part of a file's name, without the folders that some browsers send.
pub(super) fn base_name(name: &str) -> &str {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    if base.is_empty() { "upload" } else { base }
}

/// Copies a file to the new folder `into`, if the course's command or build line names it.
pub(super) fn accept(
    file: &Path,
    name: &str,
    into: &Path,
    defaults: &AgentSpec,
    notes: &mut Notes,
) -> Result<Vec<Written>, IntakeError> {
    let parts = names::parts(name)?;
    names::check(&parts, usize::MAX, 0)?;
    let name = parts.concat();
    let programs = Programs::of(defaults);
    let target = if programs.names(&name) { Some(name.as_str()) } else { meant(&name, &programs) };
    let Some(target) = target.filter(|target| !target.contains('/')) else { return refuse_file(&name, defaults) };
    if target != name {
        notes.add(format!("the file is called {}", quoted(&name)), format!("renamed to {}", quoted(target)));
    }
    let path = into.join(target);
    fs::copy(file, &path).map_err(at(&path))?;
    // Uploads of a single file never have permissions, so a missing one is no mistake.
    Ok(vec![Written::new(into, target, true)])
}

/// Returns the name under which the course expects a file: that of the only source file of the same language. A Java
/// file must have the name of its class, so its name may differ only by a number that a browser added.
fn meant<'a>(name: &str, programs: &'a Programs) -> Option<&'a str> {
    let extension = Path::new(name).extension()?.to_str()?;
    let expected = programs.only_source(extension)?;
    let is_java = has_extension(name, &["java", "class"]);
    (!is_java || without_copy_number(name) == stem(expected)).then_some(expected)
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Returns a name without its extension and without the number that a browser added: `Agent` for `Agent (1).java`.
fn without_copy_number(name: &str) -> &str {
    let stem = stem(name);
    let number = stem.rsplit_once(" (").and_then(|(rest, end)| Some((rest, end.strip_suffix(')')?)));
    match number {
        Some((rest, digits)) if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) => rest,
        _ => stem,
    }
}

/// Refuses a file that the course's command does not name.
fn refuse_file<T>(name: &str, defaults: &AgentSpec) -> Result<T, IntakeError> {
    let expected: Vec<String> = Programs::of(defaults).needed().map(quoted).collect();
    let lines = first_lines(&[name], defaults);
    let pack = format!("hand in a zip archive with it and a text file `agent.toml` with these lines:\n{lines}");
    match expected.first() {
        Some(file) => refuse(
            format!("{} is a single file, but the course starts {}", quoted(name), shown_command(defaults)),
            format!("rename it to {file}, or {pack}"),
        ),
        None => refuse(format!("{} is a single file, and nothing says how to start it", quoted(name)), pack),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_uploads_lose_folders_and_numbers() {
        assert_eq!(base_name("C:\\fakepath\\agent.zip"), "agent.zip");
        assert_eq!(base_name("a/b/agent.py"), "agent.py");
        assert_eq!(base_name("x/"), "upload");
        assert_eq!(without_copy_number("Agent (12).java"), "Agent");
        assert_eq!(without_copy_number("Agent (b).java"), "Agent (b)");
        assert_eq!(without_copy_number("Agent.java"), "Agent");
    }
}
