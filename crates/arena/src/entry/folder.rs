//! Reads the agent of a folder, with defaults for missing fields.

use std::io::Read;
use std::path::{Path, PathBuf};

use game::text::without_mark;
use protocol::dialects::Speaks;
use serde::Deserialize;

use crate::agent_spec::{AgentSpec, read_agent};
use crate::entry::archives::archives;
use crate::entry::error::{EntryError, at};
use crate::entry::spelling::similar;
use crate::entry::suggestion::suggestion;
use crate::machine::open_ordinary;
use crate::spec_error::SpecError;

/// Maximum size of an `agent.toml`, in bytes.
const MAX_DESCRIPTION: u64 = 64 << 10;

/// Reads the agent of a folder from its `agent.toml`. Fields missing there come from `defaults`.
///
/// # Errors
/// If `agent.toml` is invalid, or the command or the dialect is missing.
pub fn read_folder(folder: &Path, defaults: &AgentSpec) -> Result<AgentSpec, EntryError> {
    let file = folder.join("agent.toml");
    let name = folder.file_name().map_or_else(|| "agent".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut agent = if file.symlink_metadata().is_ok() {
        read_description(&file, &name)?
    } else {
        AgentSpec { name, ..AgentSpec::default() }
    };
    if agent.builtin.is_none() {
        agent.command = agent.command.or_else(|| defaults.command.clone());
        agent.dialect = agent.dialect.or_else(|| defaults.dialect.clone());
        agent.build = agent.build.or_else(|| defaults.build.clone());
        agent.build_time = agent.build_time.or(defaults.build_time);
        let home = std::path::absolute(folder).map_err(at(named(folder)))?;
        agent.directory = Some(home.join(agent.directory.unwrap_or_default()));
        if agent.command.is_none() || agent.dialect.is_none() {
            let hint = hint(folder, agent.dialect.as_deref());
            return Err(EntryError::Undescribed { folder: folder.to_owned(), hint });
        }
    }
    Ok(agent)
}

/// Reads an `agent.toml`. `name` is the name of an agent that sets none.
fn read_description(file: &Path, name: &str) -> Result<AgentSpec, EntryError> {
    let text = read_small(file)?;
    // Editors on Windows write a byte-order mark.
    let text = without_mark(&text);
    let agent = read_agent(text, name).map_err(|error| match misspelt(&error) {
        Some(meant) => EntryError::Misspelt { file: file.to_owned(), error: error.into(), meant },
        None => EntryError::Description { file: file.to_owned(), error: error.into() },
    })?;
    check_dialect(file, text)?;
    Ok(agent)
}

/// Reads a text file of at most [`MAX_DESCRIPTION`] bytes.
fn read_small(file: &Path) -> Result<String, EntryError> {
    let failed = || format!("file {}", file.display());
    let mut text = String::new();
    let opened = open_ordinary(file).map_err(at(failed()))?;
    opened.take(MAX_DESCRIPTION + 1).read_to_string(&mut text).map_err(at(failed()))?;
    if text.len() as u64 > MAX_DESCRIPTION {
        return Err(EntryError::LargeDescription { file: file.to_owned(), most: MAX_DESCRIPTION });
    }
    Ok(text)
}

/// Returns the field that an unknown field of an `agent.toml` was probably meant to be.
fn misspelt(error: &SpecError) -> Option<String> {
    let SpecError::Toml(error) = error else { return None };
    // The parser has no other access to these words: "unknown field `comand`, expected one of `name`, `command`".
    let mut words = error.message().strip_prefix("unknown field ")?.split('`').skip(1).step_by(2);
    let found = words.next()?;
    similar(found, words).map(str::to_owned)
}

/// Checks the dialect of an `agent.toml`.
///
/// # Errors
/// If it is unknown and resembles a dialect.
fn check_dialect(file: &Path, text: &str) -> Result<(), EntryError> {
    #[derive(Deserialize)]
    struct Dialect {
        dialect: Option<toml::Spanned<String>>,
    }
    let Ok(Dialect { dialect: Some(dialect) }) = toml::from_str(text) else { return Ok(()) };
    let Err(error) = dialect.get_ref().parse::<Speaks>() else { return Ok(()) };
    let names = Speaks::ALL.map(|speaks| speaks.to_string());
    let Some(meant) = similar(dialect.get_ref(), names.iter().map(String::as_str)) else { return Ok(()) };
    let before = &text[..dialect.span().start];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    Err(EntryError::UnknownDialect { file: file.to_owned(), line, column, error, meant: meant.to_owned() })
}

/// Returns a hint about a folder without an `agent.toml`: the subfolder that has one, an archive to unpack, or the
/// lines of an `agent.toml` for its files.
fn hint(folder: &Path, dialect: Option<&str>) -> String {
    if folder.join("agent.toml").exists() {
        return String::new();
    }
    let subfolders = folders(folder).unwrap_or_default();
    if let Some(nested) = subfolders.iter().find(|folder| folder.join("agent.toml").is_file()) {
        let name = nested.file_name().unwrap_or_default().to_string_lossy();
        return format!("; its folder `{name}` has an `agent.toml`: move the files of that folder up");
    }
    let all = std::iter::once(folder.to_owned()).chain(subfolders);
    let archive = all.flat_map(|folder| archives(&folder)).next();
    let more = match archive {
        Some(archive) => format!(", but `{}`: {}; {}", archive.name, archive.what, archive.remedy),
        None => suggestion_for(folder, dialect)
            .map(|lines| format!(": create one with these lines:\n{lines}"))
            .unwrap_or_default(),
    };
    format!("; it has no `agent.toml`{more}")
}

/// Returns the lines of an `agent.toml` that suit the files at the top of a folder.
fn suggestion_for(folder: &Path, dialect: Option<&str>) -> Option<String> {
    let entries = folder.read_dir().ok()?.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    suggestion(&names.iter().map(String::as_str).collect::<Vec<_>>(), dialect)
}

/// Returns the subfolders of a folder, sorted by name, without hidden ones.
///
/// # Errors
/// If the folder cannot be read.
pub fn folders(path: &Path) -> Result<Vec<PathBuf>, EntryError> {
    let mut found = Vec::new();
    for entry in path.read_dir().map_err(at(named(path)))? {
        let entry = entry.map_err(at(named(path)))?;
        let is_folder = entry.file_type().map_err(at(named(path)))?.is_dir();
        if is_folder && !entry.file_name().to_string_lossy().starts_with('.') {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

fn named(folder: &Path) -> String {
    format!("folder {}", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the agent of a folder with one file.
    fn read(file: &str, content: &str) -> Result<AgentSpec, String> {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(file), content).expect("written");
        read_folder(folder.path(), &AgentSpec::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_byte_order_mark_is_ignored() {
        let agent = read("agent.toml", "\u{feff}command = './a'\r\ndialect = 'nus'\r\nname = 'Ann'\r\n");
        assert_eq!(agent.map(|agent| agent.name).as_deref(), Ok("Ann"));
    }

    #[test]
    fn a_misspelt_word_is_reported_with_its_place_and_the_probable_word() {
        for (content, place, found, meant) in [
            ("dialect = 'nus'\ncomand = './a'\n", "line 2, column 1", "comand", "command"),
            ("\u{feff}Command = './a'\n", "line 1, column 1", "Command", "command"),
            ("command = './a'\ndialetc = 'nus'\n", "line 2, column 1", "dialetc", "dialect"),
            ("command = './a'\ndialect = 'NUS'\n", "line 2, column 11", "NUS", "nus"),
        ] {
            let why = read("agent.toml", content).expect_err(found);
            let expected = [place, &format!("`{found}`"), &format!("\n`{meant}` was probably meant")];
            assert!(expected.iter().all(|part| why.contains(part)), "{why}");
        }
        for (content, part) in [
            ("command = './a'\nauthor = 'Ann'\n", "unknown field `author`"),
            ("command = './a\n", "line 1, column"),
            ("command = './a'\ndialect = 'nus'\nmove = 99.0\n", "the tournament file sets them"),
        ] {
            let why = read("agent.toml", content).expect_err(content);
            assert!(why.contains(part) && !why.contains("probably"), "{why}");
        }
    }

    #[test]
    fn a_folder_without_a_description_gets_its_lines() {
        let why = read("agent.c", "int main(void) { return 0; }\n").expect_err("no description");
        let lines = "command = \"./agent\"\ndialect = \"ugi\"  # cs61b, nus, comp10002, ugi or uci\nbuild = ";
        assert!(why.contains(&format!("it has no `agent.toml`: create one with these lines:\n{lines}")), "{why}");
        assert!(read("readme.txt", "see mail").expect_err("no program").ends_with("; it has no `agent.toml`"));
    }
}
