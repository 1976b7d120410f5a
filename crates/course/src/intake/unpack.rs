//! Unpacks zip archives.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use arena::entry::{has_extension, is_archive_name, is_source};
use zip::read::ZipFile;
use zip::result::ZipError;

use super::entries::{self, Archive, Item, too_large};
use super::limits::Limits;
use super::outcome::{IntakeError, Notes, at, refuse};
use super::programs::Programs;
use super::root::{self, is_description};
use super::shown::{amount, listed, quoted};

/// Size up to which a file may be compressed by any ratio, in bytes.
const FREE_RATIO: u64 = 1 << 20;

/// A file of the agent's folder.
#[derive(Debug)]
pub(super) struct Written {
    /// Path.
    pub(super) path: PathBuf,
    /// Path from the agent's folder, with `/` between folders.
    shown: String,
    /// Set if the file may be run.
    pub(super) may_run: bool,
}

impl Written {
    /// Describes the file `shown` of a folder.
    pub(super) fn new(folder: &Path, shown: &str, may_run: bool) -> Self {
        Self {
            path: shown.split('/').fold(folder.to_owned(), |path, part| path.join(part)),
            shown: shown.to_owned(),
            may_run,
        }
    }

    /// Returns the path from the agent's folder.
    pub(super) fn shown(&self) -> &str {
        &self.shown
    }
}

/// Unpacks a zip archive into an empty folder, and returns its files.
pub(super) fn unpack(
    file: &Path,
    into: &Path,
    limits: &Limits,
    programs: &Programs,
    notes: &mut Notes,
) -> Result<Vec<Written>, IntakeError> {
    let mut archive = entries::open(file, limits)?;
    let mut items = entries::list(&mut archive, limits, notes)?;
    check_nature(&items, notes)?;
    root::flatten(&mut items, programs, notes)?;
    let mut unpacking = Unpacking { archive, limits, total: 0 };
    let mut files = Vec::new();
    for item in &items {
        let written = Written::new(into, &item.parts.join("/"), item.may_run);
        if item.is_folder {
            fs::create_dir_all(&written.path).map_err(at(&written.path))?;
        } else {
            unpacking.write(item, &written)?;
            files.push(written);
        }
    }
    Ok(files)
}

/// Refuses an archive that is a document or a Java program, or that only contains another archive.
fn check_nature(items: &[Item], notes: &mut Notes) -> Result<(), IntakeError> {
    let files: Vec<String> = items.iter().filter(|item| !item.is_folder).map(|item| item.parts.join("/")).collect();
    let has_agent = items.iter().any(|item| {
        let name = item.parts.last().map_or("", String::as_str);
        is_description(name) || (is_source(name) && !has_extension(name, &["class"]))
    });
    if files.iter().any(|file| file == "[Content_Types].xml") {
        return refuse("the file is an Office document", "hand in the agent's files as a zip archive");
    }
    if !has_agent && files.iter().any(|file| file == "META-INF/MANIFEST.MF") {
        let remedy =
            "put it into a zip archive with an `agent.toml` that starts it (`command = \"java -jar agent.jar\"`)";
        return refuse("the file is a Java archive", remedy);
    }
    let inner: Vec<&String> = files.iter().filter(|file| is_archive_name(file)).collect();
    match (has_agent, inner.first()) {
        (_, None) => Ok(()),
        (false, Some(inner)) => refuse(
            format!("the archive contains another archive, {}, and no agent beside it", quoted(inner)),
            "unpack the inner archive, and pack its files directly",
        ),
        (true, Some(_)) => {
            notes.add(format!("the archive contains other archives: {}", listed(&inner)), "kept as they are");
            Ok(())
        }
    }
}

/// An archive that is being unpacked.
struct Unpacking<'a> {
    archive: Archive,
    limits: &'a Limits,
    /// Number of bytes written so far.
    total: u64,
}

impl Unpacking<'_> {
    /// Writes the file of an item.
    fn write(&mut self, item: &Item, to: &Written) -> Result<(), IntakeError> {
        if let Some(parent) = to.path.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        let file = File::create_new(&to.path).map_err(at(&to.path))?;
        let mut entry = self.archive.by_index(item.index).or_else(|error| refuse_entry(to, error))?;
        let left = Left { file: self.limits.file, total: self.limits.total - self.total, limits: self.limits };
        self.total += copy(&mut entry, file, to, &left)?;
        Ok(())
    }
}

/// Bytes that may still be written.
struct Left<'a> {
    file: u64,
    total: u64,
    limits: &'a Limits,
}

/// Copies an entry to a file and returns its size. Checks all limits before each piece is written.
fn copy<R: Read>(
    entry: &mut ZipFile<'_, R>,
    mut file: File,
    to: &Written,
    left: &Left<'_>,
) -> Result<u64, IntakeError> {
    let (mut size, mut buffer) = (0_u64, vec![0; 64 << 10]);
    let compressed = entry.compressed_size().max(1);
    loop {
        let count = match entry.read(&mut buffer) {
            Ok(0) => return Ok(size),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return refuse_entry(to, ZipError::Io(error)),
        };
        size += count as u64;
        if size > left.file {
            return too_large(&to.shown, size, left.limits);
        }
        if size > left.total {
            let most = amount(left.limits.total);
            let what = format!("all files together have more than {most}, which is the limit; it is reached at");
            return refuse(format!("{what} {}", quoted(&to.shown)), "leave out files that the agent does not need");
        }
        if size > FREE_RATIO && size / compressed > left.limits.ratio {
            let most = left.limits.ratio;
            let what = format!("the file {} is compressed more than {most}:1, which is the limit", quoted(&to.shown));
            return refuse(what, "leave it out, or create it when the agent starts");
        }
        file.write_all(&buffer[..count]).map_err(at(&to.path))?;
    }
}

/// Refuses an entry that cannot be unpacked.
fn refuse_entry<T>(to: &Written, error: ZipError) -> Result<T, IntakeError> {
    if entries::is_of_system(&error) {
        return Err(at(&to.path)(error.into()));
    }
    let what = format!("the file {} is damaged ({})", quoted(&to.shown), entries::reason(&error));
    refuse(what, "pack the files again, and upload the new archive")
}
