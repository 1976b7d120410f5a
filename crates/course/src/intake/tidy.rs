//! Corrects unpacked files: the name and the first bytes of `agent.toml`, the line ends of scripts, and permissions.

use std::fs;
use std::path::{Path, PathBuf};

use arena::entry::{has_extension, is_makefile, read_folder};
use arena::{AgentSpec, Words};
use process::system::set_mode;

use super::kind::{self, ELF};
use super::missing::DESCRIPTION;
use super::outcome::{IntakeError, Notes, at, refuse};
use super::root::is_description;
use super::shown::{listed, quoted};
use super::unpack::Written;

/// Maximum size of a script that is corrected, in bytes.
const MAX_SCRIPT: u64 = 4 << 20;
/// Byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Corrects the files of an agent. `defaults` is the course's `[agent]` section.
pub(super) fn tidy(
    folder: &Path,
    files: &mut [Written],
    defaults: &AgentSpec,
    notes: &mut Notes,
) -> Result<(), IntakeError> {
    correct_description(folder, files, notes)?;
    let started = started(folder, defaults);
    let (mut converted, mut marked, mut permitted) = (Vec::new(), Vec::new(), Vec::new());
    for file in files {
        let head = kind::head(&file.path).map_err(at(&file.path))?;
        let text = head.strip_prefix(MARK).unwrap_or(&head);
        let is_script = text.starts_with(b"#!");
        let has_lines = is_script || has_extension(file.shown(), &["sh"]) || is_makefile(base(file));
        if has_lines {
            let change = correct_script(file)?;
            if change.line_ends {
                converted.push(file.shown().to_owned());
            }
            if change.mark {
                marked.push(file.shown().to_owned());
            }
        }
        let is_program = is_script || head.starts_with(ELF);
        // An interpreter needs no permission to run the script that it reads.
        if is_program && !file.may_run && is_started(file, &started) {
            permitted.push(file.shown().to_owned());
        }
        file.may_run |= is_program;
        set_mode(&file.path, if file.may_run { 0o755 } else { 0o644 }).map_err(at(&file.path))?;
    }
    for (names, what, done) in [
        (converted, "line ends of Windows (CR LF) in", "converted to Unix line ends"),
        (marked, "a byte-order mark at the beginning of", "removed"),
        (permitted, "no permission to run", "run permission set"),
    ] {
        if !names.is_empty() {
            notes.add(format!("{what} {}", listed(&names)), done);
        }
    }
    Ok(())
}

/// Returns the programs that the agent's command and build start themselves.
fn started(folder: &Path, defaults: &AgentSpec) -> Vec<PathBuf> {
    // An invalid description is refused later.
    let Ok(agent) = read_folder(folder, defaults) else { return Vec::new() };
    let home = agent.directory.unwrap_or_default();
    let command = agent.command.as_ref().map(Words::words).unwrap_or_default();
    let build = agent.build.unwrap_or_default();
    let steps = build.split([';', '&', '|', '(', ')', '\n']).filter_map(|step| step.split_whitespace().next());
    command.first().map(String::as_str).into_iter().chain(steps).map(|word| home.join(word)).collect()
}

fn is_started(file: &Written, started: &[PathBuf]) -> bool {
    std::path::absolute(&file.path).is_ok_and(|path| started.contains(&path))
}

/// Returns the name of a file without its folders.
fn base(file: &Written) -> &str {
    file.shown().rsplit('/').next().unwrap_or_default()
}

/// Corrects the name of `agent.toml`, and removes its byte-order mark.
fn correct_description(folder: &Path, files: &mut [Written], notes: &mut Notes) -> Result<(), IntakeError> {
    let exact = files.iter().position(|file| file.shown() == DESCRIPTION);
    let Some(at_index) = exact.or_else(|| files.iter().position(|file| is_description(file.shown()))) else {
        return Ok(());
    };
    if exact.is_none() {
        let old = &files[at_index];
        let new = Written::new(folder, DESCRIPTION, false);
        fs::rename(&old.path, &new.path).map_err(at(&old.path))?;
        notes.add(format!("the file is called {}", quoted(old.shown())), format!("renamed to {}", quoted(DESCRIPTION)));
        files[at_index] = new;
    }
    let path = &files[at_index].path;
    let head = kind::head(path).map_err(at(path))?;
    let plain = "save it as plain text in UTF-8, with a code editor";
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return refuse("`agent.toml` is in UTF-16", plain);
    }
    if head.starts_with(b"{\\rtf") {
        return refuse("`agent.toml` is a text with formatting (RTF)", plain);
    }
    if head.starts_with(MARK) {
        let text = fs::read(path).map_err(at(path))?;
        fs::write(path, text.strip_prefix(MARK).unwrap_or(&text)).map_err(at(path))?;
        notes.add("a byte-order mark at the beginning of `agent.toml`", "removed");
    }
    Ok(())
}

/// Corrections of a script.
#[derive(Default)]
struct Change {
    line_ends: bool,
    mark: bool,
}

/// Removes the byte-order mark of a script, and converts its line ends.
///
/// # Errors
/// If the first line ends in CR LF and the file has binary data, which must not be converted.
fn correct_script(file: &Written) -> Result<Change, IntakeError> {
    let path: &PathBuf = &file.path;
    let is_large = fs::metadata(path).map_err(at(path))?.len() > MAX_SCRIPT;
    let text = if is_large { kind::head(path) } else { fs::read(path) }.map_err(at(path))?;
    if is_large || text.contains(&0) {
        let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
        if line.starts_with(b"#!") && line.ends_with(b"\r") {
            let name = quoted(file.shown());
            let what = format!("line 1 of {name} ends in CR LF, and the file contains more than text");
            return refuse(what, "save its first line with a Unix line end (LF)");
        }
        return Ok(Change::default());
    }
    let body = text.strip_prefix(MARK).unwrap_or(&text);
    let lines = without_returns(body);
    let change = Change { line_ends: lines.len() != body.len(), mark: body.len() != text.len() };
    if change.line_ends || change.mark {
        fs::write(path, lines).map_err(at(path))?;
    }
    Ok(change)
}

/// Returns a text with each CR LF replaced by LF.
fn without_returns(text: &[u8]) -> Vec<u8> {
    let mut lines = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_suffix(b"\r\n") {
            Some(line) => {
                lines.extend_from_slice(line);
                lines.push(b'\n');
            }
            None => lines.extend_from_slice(line),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_line_ends_are_converted() {
        assert_eq!(without_returns(b"a\r\nb\r\r\nc\rd\n\r\ne\r"), b"a\nb\r\nc\rd\n\ne\r");
        assert_eq!(without_returns(b""), b"");
    }
}
