//! Lists the files of a zip archive and checks them before anything is unpacked.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Seek};
use std::path::Path;

use zip::read::ZipFileEntry;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::limits::Limits;
use super::names::{self, Taken};
use super::outcome::{IntakeError, Notes, Refusal, at, refuse};
use super::shown::{amount, listed, quoted};

/// Maximum number of entries in an archive that is opened, as a multiple of the limit on files. It exceeds this limit
/// because ignored entries do not count.
const MAX_LISTED: usize = 8;
/// Instruction after an archive with too many files.
const LEAVE_OUT: &str = "leave out files that the agent does not need, such as data, libraries and results of builds";
/// Instruction after a damaged archive.
const AGAIN: &str = "pack the files again, and upload the new archive";

/// An opened archive.
pub(super) type Archive = ZipArchive<BufReader<File>>;

/// An entry that will be unpacked.
#[derive(Debug)]
pub(super) struct Item {
    /// Index in the archive.
    pub(super) index: usize,
    /// Folders and the file name.
    pub(super) parts: Vec<String>,
    /// Set for folders.
    pub(super) is_folder: bool,
    /// Set if the archive says that the file may be run.
    pub(super) may_run: bool,
}

/// Opens a zip archive.
pub(super) fn open(file: &Path, limits: &Limits) -> Result<Archive, IntakeError> {
    let mut reader = BufReader::new(File::open(file).map_err(at(file))?);
    // The list of all entries is kept in memory, so its length is limited first.
    let count = count_listed(&mut reader).map_err(at(file))?;
    if count > limits.entries.saturating_mul(MAX_LISTED) {
        let what = format!("the archive lists {count} files, and at most {} are allowed", limits.entries);
        return refuse(what, LEAVE_OUT);
    }
    reader.rewind().map_err(at(file))?;
    let mut archive = match ZipArchive::new(reader) {
        Ok(archive) => archive,
        Err(error) => {
            if is_of_system(&error) {
                return Err(at(file)(error.into()));
            }
            let size = amount(std::fs::metadata(file).map_err(at(file))?.len());
            let what =
                format!("the zip archive is incomplete or damaged: {size} received, without a list of its files");
            return refuse(what, "compare the size with that of your file, and upload it again or pack it again");
        }
    };
    if archive.has_duplicate_names() {
        return refuse("the archive contains two files of the same name in the same folder", AGAIN);
    }
    match archive.has_overlapping_entries() {
        Ok(false) => Ok(archive),
        Ok(true) => refuse("files of the archive overlap, which only manipulated archives do", AGAIN),
        Err(error) if is_of_system(&error) => Err(at(file)(error.into())),
        Err(error) => refuse(format!("the zip archive is damaged ({})", reason(&error)), AGAIN),
    }
}

/// Returns `true` if the system caused an error, and not the content of an archive. If an archive contains too large an
/// offset, the system reports an invalid input.
pub(super) fn is_of_system(error: &ZipError) -> bool {
    let ZipError::Io(error) = error else { return false };
    error.raw_os_error().is_some() && error.kind() != io::ErrorKind::InvalidInput
}

/// Returns the reason for an error, without the words with which all errors begin.
pub(super) fn reason(error: &ZipError) -> String {
    match error {
        ZipError::InvalidArchive(why) => game::text::excerpt(why),
        ZipError::Io(error) => game::text::excerpt(&error.to_string()),
        other => game::text::excerpt(&other.to_string()),
    }
}

/// Counts the signatures of entries in lists of files. An archive cannot have more entries than that; it can have
/// fewer, because other data may contain these bytes.
fn count_listed(reader: &mut impl BufRead) -> io::Result<usize> {
    let mut count = 0;
    while reader.skip_until(b'P')? > 0 {
        let mut rest = [0; 3];
        for byte in &mut rest {
            match reader.fill_buf()?.first() {
                // The next signature may begin here.
                None | Some(b'P') => break,
                Some(&next) => *byte = next,
            }
            reader.consume(1);
        }
        count += usize::from(rest == *b"K\x01\x02");
    }
    Ok(count)
}

/// Returns the entries to unpack.
///
/// # Errors
/// If an entry must not be unpacked, or there are too many.
pub(super) fn list(archive: &mut Archive, limits: &Limits, notes: &mut Notes) -> Result<Vec<Item>, Refusal> {
    let (mut items, mut taken, mut odd) = (Vec::new(), Taken::default(), Odd::default());
    let mut total = 0_u64;
    for index in 0..archive.len() {
        let Some(item) = item(archive, index, &mut odd)? else { continue };
        let entry = entry(archive, index)?;
        check_entry(&entry, &item.parts, limits)?;
        total = total.saturating_add(entry.size());
        names::check(&item.parts, limits.path, limits.depth)?;
        taken.add(&item.parts, item.is_folder)?;
        items.push(item);
        if taken.len() > limits.entries {
            let path = items.last().map(|item| item.parts.join("/")).unwrap_or_default();
            let what = format!(
                "more than {} files and folders found; the first above the limit is {}",
                limits.entries,
                quoted(&path)
            );
            return refuse(what, LEAVE_OUT);
        }
    }
    if total > limits.total {
        let (found, most) = (amount(total), amount(limits.total));
        return refuse(format!("all files together have {found}, and at most {most} are allowed"), LEAVE_OUT);
    }
    odd.report(notes);
    if items.iter().all(|item| item.is_folder) {
        return refuse("the archive contains no files of an agent", "pack the folder with the agent's files");
    }
    Ok(items)
}

/// Returns an entry of the list of files.
fn entry(archive: &Archive, index: usize) -> Result<ZipFileEntry<'_>, Refusal> {
    archive
        .by_index_data(index)
        .or_else(|error| refuse(format!("the zip archive is damaged ({})", reason(&error)), AGAIN))
}

/// Oddities of an archive that need a note.
#[derive(Default)]
struct Odd {
    /// Number of ignored files of each name.
    ignored: BTreeMap<String, usize>,
    /// Names with backslashes between folders.
    backslashes: Vec<String>,
    /// Names in an encoding other than UTF-8.
    encoded: Vec<String>,
}

impl Odd {
    /// Adds the notes.
    fn report(self, notes: &mut Notes) {
        if !self.ignored.is_empty() {
            let names: Vec<&String> = self.ignored.keys().collect();
            let count: usize = self.ignored.values().sum();
            let files =
                if count == 1 { "1 file that a system or a tool has added" } else { "files of systems and tools" };
            notes.add(format!("the archive contains {files}: {}", listed(&names)), "ignored");
        }
        if !self.backslashes.is_empty() {
            let names = listed(&self.backslashes);
            notes.add(format!("the archive separates folders with backslashes: {names}"), "read as folders");
        }
        if !self.encoded.is_empty() {
            let names = listed(&self.encoded);
            notes.add(format!("names in the archive are not in UTF-8: {names}"), "read as code page 437");
        }
    }
}

/// Returns the item of an entry; `None` if it is ignored.
fn item(archive: &Archive, index: usize, odd: &mut Odd) -> Result<Option<Item>, Refusal> {
    let entry = entry(archive, index)?;
    let name = decoded_name(&entry, odd)?;
    let parts = names::parts(&name)?;
    if entry.encrypted() {
        let what = format!("the archive is encrypted: the entry {} needs a password", quoted(&name));
        return refuse(what, "pack the files without a password");
    }
    if let Some(junk) = names::junk(&parts) {
        *odd.ignored.entry(junk.to_owned()).or_default() += 1;
        return Ok(None);
    }
    let mode = entry.external_attributes() >> 16;
    let is_folder = match mode & 0o170_000 {
        0o040_000 => true,
        0 | 0o100_000 => name.ends_with('/'),
        kind => return refuse_special(&name, kind),
    };
    let is_of_top = parts.is_empty();
    Ok((!is_of_top).then_some(Item { index, parts, is_folder, may_run: mode & 0o111 != 0 }))
}

/// Refuses an entry that is neither a file nor a folder.
fn refuse_special<T>(name: &str, kind: u32) -> Result<T, Refusal> {
    let what = match kind {
        0o120_000 => "a symbolic link",
        0o020_000 | 0o060_000 => "a device",
        0o010_000 => "a pipe",
        0o140_000 => "a socket",
        _ => "neither a file nor a folder",
    };
    let remedy = if kind == 0o120_000 { "replace it with a copy of the file" } else { "leave it out" };
    refuse(format!("the entry {} is {what}, and only files and folders are allowed", quoted(name)), remedy)
}

/// Returns the name of an entry with `/` between folders.
fn decoded_name(entry: &ZipFileEntry<'_>, odd: &mut Odd) -> Result<String, Refusal> {
    let raw = entry.name_raw();
    let lossy = || quoted(&String::from_utf8_lossy(raw));
    // Bit 11 promises UTF-8. Without it, names are in code page 437 by the specification, but macOS and many other
    // systems write UTF-8.
    let is_utf8 = core::str::from_utf8(raw).is_ok();
    if !is_utf8 && entry.flags().as_u16() & (1 << 11) != 0 {
        return refuse(format!("the name of the entry {} is not valid UTF-8", lossy()), "rename the file");
    }
    let Ok(name) = entry.name() else {
        return refuse(format!("the name of the entry {} cannot be read", lossy()), "rename the file");
    };
    if !is_utf8 {
        odd.encoded.push(name.to_string());
    }
    // Older programs of Windows write backslashes, against the specification. On other systems, a backslash is part of
    // a file's name.
    let is_of_windows = matches!(entry.system(), zip::System::Dos | zip::System::WindowsNTFS | zip::System::VFAT);
    if is_of_windows && name.contains('\\') {
        odd.backslashes.push(name.to_string());
        return Ok(name.replace('\\', "/"));
    }
    Ok(name.into_owned())
}

/// Checks the compression of an entry and the size that the archive declares. Unpacking counts the real size.
fn check_entry(entry: &ZipFileEntry<'_>, parts: &[String], limits: &Limits) -> Result<(), Refusal> {
    let method = entry.compression();
    if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
        let what = format!("the file {} is compressed with the method {method}", quoted(&parts.join("/")));
        return refuse(what, "pack the files as an ordinary zip archive (method Deflate)");
    }
    if entry.size() > limits.file {
        return too_large(&parts.join("/"), entry.size(), limits);
    }
    Ok(())
}

/// Refuses a file above the limit of a single file.
pub(super) fn too_large<T, E: From<Refusal>>(path: &str, size: u64, limits: &Limits) -> Result<T, E> {
    let (found, most) = (amount(size), amount(limits.file));
    let what = format!("the file {} has {found}, and a file may have at most {most}", quoted(path));
    refuse(what, "leave it out, or make it smaller")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_lists_are_counted() {
        for (bytes, count) in [
            (&b""[..], 0),
            (b"PK\x01\x02", 1),
            (b"PPK\x01\x02PK\x01PK\x01\x02\x02PKPK\x03\x04", 2),
            (b"PK\x01", 0),
            (b"PKP\x01\x02", 0),
        ] {
            for capacity in 1..6 {
                let mut reader = BufReader::with_capacity(capacity, bytes);
                assert_eq!(count_listed(&mut reader).expect("bytes"), count, "{bytes:?} {capacity}");
            }
        }
    }
}
