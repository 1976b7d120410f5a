//! The files that are compared: those of a version in its folder, and the starter code.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use super::fingerprint::{Fingerprint, Starter};

/// Maximum number of files of the starter code.
const MAX_FILES: usize = 2000;
/// Maximum size of a file of the starter code, in bytes.
const MAX_SIZE: u64 = 50 << 20;

/// Returns the regular files in a folder and its subfolders, sorted. Their names are their paths in the folder.
pub(crate) fn files_in(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if let Some(name) = path.strip_prefix(folder).ok().filter(|_| kind.is_file()) {
                files.push((name.to_string_lossy().into_owned(), path));
            }
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Computes the fingerprint of the files in a folder.
pub(crate) fn fingerprint_of(folder: &Path) -> io::Result<Fingerprint> {
    let mut result = Fingerprint::default();
    for (name, path) in files_in(folder)? {
        result.add(&name, &fs::read(path)?);
    }
    Ok(result)
}

impl Starter {
    /// Reads the source files in a folder or a zip archive.
    ///
    /// # Errors
    /// If it cannot be read, is too large, or has no source file. The text describes what was found and what was
    /// expected.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let starter = if path.is_dir() { from_folder(path) } else { from_archive(path) };
        let starter = starter.map_err(|error| format!("{}: {error}", path.display()))?;
        if starter.has_source() {
            return Ok(starter);
        }
        Err(format!("{}: no source file found, expected a folder or a zip archive of the starter code", path.display()))
    }
}

fn from_folder(folder: &Path) -> io::Result<Starter> {
    let files = files_in(folder)?;
    check_number(files.len())?;
    let mut starter = Starter::default();
    for (name, path) in files {
        starter.add(&name, &content(File::open(path)?, &name)?);
    }
    Ok(starter)
}

fn from_archive(path: &Path) -> io::Result<Starter> {
    let archive = ZipArchive::new(File::open(path)?);
    let mut archive =
        archive.map_err(|error| io::Error::other(format!("expected a folder or a zip archive ({error})")))?;
    check_number(archive.len())?;
    let mut starter = Starter::default();
    for index in 0..archive.len() {
        let entry = archive.by_index(index)?;
        let name = entry.name()?.into_owned();
        if entry.is_file() {
            starter.add(&name, &content(entry, &name)?);
        }
    }
    Ok(starter)
}

fn check_number(found: usize) -> io::Result<()> {
    if found > MAX_FILES {
        return Err(io::Error::other(format!("{found} files found, expected at most {MAX_FILES}")));
    }
    Ok(())
}

fn content(file: impl Read, name: &str) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    file.take(MAX_SIZE + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_SIZE {
        return Err(io::Error::other(format!("file {name}: expected at most {} MB", MAX_SIZE >> 20)));
    }
    Ok(content)
}
