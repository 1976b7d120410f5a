//! Descriptions of the machine and of agents' files.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::AgentSpec;

/// Describes the machine: processor, cores and system.
pub(crate) fn describe() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": ")).map(|(_, model)| model);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (system, processor) = (std::env::consts::OS, std::env::consts::ARCH);
    format!("{}, {cores} cores, {system} {processor}", model.unwrap_or("unknown processor"))
}

/// Maximum number of bytes of file content to hash. Of files beyond it, only names and sizes are hashed.
const MUCH: u64 = 256 << 20;

/// Computes the SHA-256 of an agent. If the folder is the agent's own, the hash covers all files in it; otherwise it
/// covers every file that the command names. For one of our engines, it covers the options and our version.
///
/// # Errors
/// If a file cannot be read.
pub fn hash(agent: &AgentSpec, whole_folder: bool) -> io::Result<String> {
    let mut sum = Sha256::new();
    let Some(command) = &agent.command else {
        sum.update(agent.builtin.as_deref().unwrap_or_default());
        sum.update(env!("CARGO_PKG_VERSION"));
        return Ok(hex(&sum.finalize()));
    };
    let here = agent.directory.clone().unwrap_or_default();
    let mut files = Vec::new();
    if whole_folder {
        list(&here, &mut files)?;
    } else {
        files.extend(command.words().iter().filter_map(|word| named(&here, word)));
    }
    files.sort();
    let mut total = 0;
    for path in files {
        let size = path.metadata()?.len();
        total += size;
        sum.update(path.strip_prefix(&here).unwrap_or(&path).to_string_lossy().as_bytes());
        sum.update(size.to_le_bytes());
        if total <= MUCH {
            io::copy(&mut File::open(&path)?, &mut Hasher(&mut sum))?;
        }
    }
    for word in command.words() {
        sum.update(word);
        sum.update([0]);
    }
    Ok(hex(&sum.finalize()))
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

/// The file that a word of a command names, as a path or as a program on the search path.
fn named(here: &Path, word: &str) -> Option<PathBuf> {
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

/// Lists every file of a folder. Links are not followed.
fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(&entry.path(), files)?;
        } else if kind.is_file() {
            files.push(entry.path());
        }
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from(b"0123456789abcdef"[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
