//! Description of the machine, and hashes of agents' files.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use game::plural;
use sha2::{Digest, Sha256};

use crate::agent_spec::AgentSpec;

/// Returns the kind of system, such as `linux x86_64`. An agent's programs run only on machines of the same kind.
pub(crate) fn system() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Describes the machine: its processor, cores and system, and the factor by which times are scaled.
pub(crate) fn describe(pace: f64) -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let pace = format!("{pace:.3}");
    let scaled = if pace == "1.000" { String::new() } else { format!(", times × {pace}") };
    format!("{}, {cores} core{}, {}{scaled}", model.unwrap_or("unknown processor"), plural(cores), system())
}

/// Maximum total size of an agent's files whose contents are hashed, in bytes. For the remaining files, only the names
/// and sizes are recorded.
const MAX_HASHED: u64 = 256 << 20;

/// The files of an agent, by path. The value is the file's SHA-256, the target of a link, or the file's size if the
/// maximum total size is exceeded. Paths inside the agent's folder are relative to it.
pub type Manifest = BTreeMap<String, String>;

/// Lists the files of an agent: with `whole_folder`, all files in its folder except those that the agent itself writes;
/// otherwise the files that its command names. Our engines have no files.
///
/// # Errors
/// If a file cannot be read.
pub fn manifest(agent: &AgentSpec, whole_folder: bool) -> io::Result<Manifest> {
    let Some(command) = &agent.command else { return Ok(Manifest::new()) };
    let here = agent.directory.clone().unwrap_or_default();
    let mut files = Vec::new();
    if whole_folder {
        list(&here, &mut files)?;
    } else {
        files.extend(command.words().iter().filter_map(|word| named(&here, word)));
    }
    files.sort();
    let (mut manifest, mut total) = (Manifest::new(), 0);
    for path in files {
        let name = path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().into_owned();
        if agent.writes.contains(&name) {
            continue;
        }
        let found = path.symlink_metadata()?;
        total += found.len();
        let hash = if found.is_symlink() && whole_folder {
            format!("link to {}", path.read_link()?.display())
        } else if total <= MAX_HASHED {
            hash_of(&path)?
        } else {
            format!("{} bytes", found.len())
        };
        manifest.insert(name, hash);
    }
    Ok(manifest)
}

/// Returns the SHA-256 that identifies an agent. It covers the agent's files and command; for one of our engines, its
/// options and version.
pub fn agent_hash(agent: &AgentSpec, files: &Manifest) -> String {
    let Some(command) = &agent.command else {
        let words = agent.builtin.as_deref().unwrap_or_default();
        return sha256([words.as_bytes(), env!("CARGO_PKG_VERSION").as_bytes()]);
    };
    let files = files.iter().flat_map(|(name, hash)| [name.clone(), hash.clone()]);
    let texts: Vec<String> = files.chain(command.words()).map(|text| text + "\0").collect();
    sha256(texts.iter().map(String::as_bytes))
}

/// Differences between an agent's files at entry and its current files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Files whose hash differs.
    pub changed: Vec<String>,
    /// Files that no longer exist.
    pub missing: Vec<String>,
    /// Files that have been added.
    pub new: Vec<String>,
}

impl Changes {
    /// Compares the files as they were on entry with the current files.
    pub fn between(entered: &Manifest, now: &Manifest) -> Self {
        let mut changes = Self::default();
        for (name, hash) in entered {
            match now.get(name) {
                None => changes.missing.push(name.clone()),
                Some(other) if other != hash => changes.changed.push(name.clone()),
                Some(_) => (),
            }
        }
        changes.new.extend(now.keys().filter(|name| !entered.contains_key(*name)).cloned());
        changes
    }
}

/// Returns the SHA-256 of the concatenated texts, as hexadecimal digits.
pub fn sha256<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut sum = Sha256::new();
    texts.into_iter().for_each(|text| sum.update(text));
    hex(&sum.finalize())
}

struct Hasher<'a>(&'a mut Sha256);

impl io::Write for Hasher<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a regular file.
///
/// # Errors
/// If the path cannot be opened, or is a device, a pipe or a folder. Reading a device might never end.
pub fn open_ordinary(path: &Path) -> io::Result<File> {
    // Checked before opening, because opening a pipe blocks until it has a writer.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("a device, a pipe or a folder found, expected an ordinary file"));
    }
    File::open(path)
}

/// Returns the SHA-256 of a file.
pub(crate) fn hash_of(path: &Path) -> io::Result<String> {
    let mut sum = Sha256::new();
    io::copy(&mut File::open(path)?, &mut Hasher(&mut sum))?;
    Ok(hex(&sum.finalize()))
}

/// Returns the file that a word of a command names: a path relative to `here`, or a program on the `PATH`.
pub(crate) fn named(here: &Path, word: &str) -> Option<PathBuf> {
    let direct = here.join(word);
    if direct.is_file() {
        return Some(direct);
    }
    if word.contains('/') {
        return None;
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|path| path.is_file())
}

/// Appends all files and links in a folder, recursively, to `files`. Links are not followed.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() || kind.is_symlink() {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
