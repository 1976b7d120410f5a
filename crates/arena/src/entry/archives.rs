//! Finds files that are named like archives in folders that should contain the files of a program. Their first bytes
//! show what they are.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::entry::paths::{has_extension, quoted_path};

/// File name extensions of archives.
const EXTENSIONS: [&str; 11] = ["zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst"];
/// All kinds of archives.
const KINDS: [ArchiveKind; 10] = [
    ArchiveKind::new(0, b"PK\x03\x04", "a zip archive", "unzip"),
    ArchiveKind::new(0, b"PK\x05\x06", "an empty zip archive", "unzip"),
    ArchiveKind::new(0, b"PK\x07\x08", "a part of a split zip archive", "unzip"),
    ArchiveKind::new(0, b"Rar!\x1a\x07", "a RAR archive", "unar"),
    ArchiveKind::new(0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "7z x"),
    ArchiveKind::new(0, b"\x1f\x8b", "a gzip-compressed file, such as a .tar.gz archive", "tar xf"),
    ArchiveKind::new(0, b"BZh", "a bzip2-compressed file, such as a .tar.bz2 archive", "tar xf"),
    ArchiveKind::new(0, b"\xfd7zXZ\x00", "an xz-compressed file, such as a .tar.xz archive", "tar xf"),
    ArchiveKind::new(0, b"\x28\xb5\x2f\xfd", "a zstd-compressed file, such as a .tar.zst archive", "tar xf"),
    ArchiveKind::new(257, b"ustar", "a tar archive", "tar xf"),
];
/// Number of bytes read at the end of a zip archive. They contain its list of files unless that is very long.
const TAIL: u64 = 128 << 10;

/// A kind of archive.
#[derive(Debug)]
pub struct ArchiveKind {
    /// Noun phrase with an article.
    pub what: &'static str,
    /// Command that unpacks one.
    command: &'static str,
    /// Offset of the magic bytes.
    at: usize,
    magic: &'static [u8],
}

impl ArchiveKind {
    const fn new(at: usize, magic: &'static [u8], what: &'static str, command: &'static str) -> Self {
        Self { what, command, at, magic }
    }

    /// Returns the kind of a file by its first 512 bytes; `None` if it is no archive.
    pub fn of(head: &[u8]) -> Option<&'static Self> {
        KINDS.iter().find(|kind| head.get(kind.at..).is_some_and(|rest| rest.starts_with(kind.magic)))
    }

    /// Returns `true` for zip archives, also for empty ones and for parts of one.
    pub fn is_zip(&self) -> bool {
        self.magic.starts_with(b"PK")
    }
}

/// Returns `true` if a file's name has the extension of an archive.
pub fn is_archive_name(name: &str) -> bool {
    has_extension(name, &EXTENSIONS)
}

/// A file with the name of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// Name of the file in its folder.
    pub name: String,
    /// Description of the file, as a clause.
    pub what: String,
    /// Instruction for the student.
    pub remedy: String,
}

/// Returns the archives in a folder, sorted by name.
pub fn archives(folder: &Path) -> Vec<Archive> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_named_archive(path)).collect();
    paths.sort();
    paths.iter().map(|path| archive(path)).collect()
}

fn is_named_archive(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let is_file = path.symlink_metadata().is_ok_and(|data| data.is_file());
    is_file && !is_hidden && has_extension(path, &EXTENSIONS)
}

fn archive(path: &Path) -> Archive {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut head = Vec::new();
    if let Ok(file) = File::open(path) {
        let _ = file.take(512).read_to_end(&mut head);
    }
    let tail = tail(path).unwrap_or_default();
    let (what, remedy) = describe(&name, &head, &tail);
    Archive { name: quoted_path(&name), what, remedy }
}

/// Reads the last bytes of a file.
fn tail(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let size = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Returns a description of an archive and the remedy.
fn describe(name: &str, head: &[u8], tail: &[u8]) -> (String, String) {
    let again = || "ask for it again, as a zip archive".to_owned();
    let Some(kind) = ArchiveKind::of(head) else {
        return ("it is named like an archive, but it is not one".to_owned(), again());
    };
    let ArchiveKind { what, command, .. } = kind;
    let is_named_zip = has_extension(name, &["zip"]);
    let misnamed = if is_named_zip == kind.is_zip() { "" } else { ", despite its name" };
    let unpack = format!("unpack it into a folder of its own (`{command}`)");
    if !kind.is_zip() {
        return (format!("it is {what}{misnamed}"), unpack);
    }
    // Bit 0 of the first file's flags marks encryption.
    let is_encrypted = head.starts_with(b"PK\x03\x04") && head.get(6).is_some_and(|flags| flags & 1 == 1);
    if is_encrypted {
        return ("it is an encrypted zip archive".to_owned(), "ask for one without a password".to_owned());
    }
    if !tail.windows(4).any(|found| found == b"PK\x05\x06") {
        return ("it is a truncated zip archive".to_owned(), again());
    }
    match archives_within(tail).first() {
        Some(inner) => (
            format!("it is {what}{misnamed} that contains the archive `{}`", quoted_path(inner)),
            format!("{unpack}, then the inner archive"),
        ),
        None => (format!("it is {what}{misnamed}"), unpack),
    }
}

/// Returns the names of archives in the list of files at the end of a zip archive.
fn archives_within(tail: &[u8]) -> Vec<String> {
    let entries = tail.windows(4).enumerate().filter(|(_, found)| *found == b"PK\x01\x02");
    let name = |at: usize| {
        let length = u16::from_le_bytes([*tail.get(at + 28)?, *tail.get(at + 29)?]);
        let name = tail.get(at + 46..at + 46 + usize::from(length))?;
        Some(String::from_utf8_lossy(name).into_owned())
    };
    let names = entries.filter_map(|(at, _)| name(at)).filter(|name| !name.starts_with("__MACOSX/"));
    names.filter(|name| is_archive_name(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a zip archive with one empty file.
    fn zip(flags: u8, name: &str) -> Vec<u8> {
        let length = [u8::try_from(name.len()).expect("a short name"), 0];
        let local = [b"PK\x03\x04\x14\0", &[flags, 0][..], &[0; 18], &length, &[0; 2], name.as_bytes()].concat();
        let listed =
            [b"PK\x01\x02\x14\0\x14\0", &[flags, 0][..], &[0; 18], &length, &[0; 16], name.as_bytes()].concat();
        [local, listed, b"PK\x05\x06".to_vec(), vec![0; 18]].concat()
    }

    #[test]
    fn each_kind_of_archive_is_reported_with_its_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let tar = [vec![0; 257], b"ustar\0".to_vec(), vec![0; 249]].concat();
        let whole = zip(0, "agent.py");
        for (name, content, expected) in [
            ("a.zip", &whole[..], "it is a zip archive; unpack it into a folder of its own (`unzip`)"),
            ("a.ZIP", b"Rar!\x1a\x07\x01\0", "it is a RAR archive, despite its name; unpack it"),
            ("a.rar", b"Rar!\x1a\x07\0", "it is a RAR archive; unpack it into a folder of its own (`unar`)"),
            ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "it is a 7-Zip archive; unpack it into a folder of its own (`7z x`)"),
            ("a.tar.gz", b"\x1f\x8b\x08\0", "it is a gzip-compressed file, such as a .tar.gz archive; unpack it"),
            ("a.zip", b"\x1f\x8b\x08\0", ".tar.gz archive, despite its name; unpack it"),
            ("a.tar", &tar, "it is a tar archive; unpack it into a folder of its own (`tar xf`)"),
            ("a.tgz", &whole, "it is a zip archive, despite its name; unpack it"),
            ("a.zip", &zip(1, "agent.py"), "it is an encrypted zip archive; ask for one without a password"),
            ("a.zip", &whole[..40], "it is a truncated zip archive; ask for it again"),
            (
                "a.zip",
                &zip(0, "U1/agent.zip"),
                "contains the archive `U1/agent.zip`; unpack it into a folder of its own (`unzip`), then the inner archive",
            ),
            ("a.zip", b"", "but it is not one; ask for it again"),
            ("a.7z", b"hello", "but it is not one; ask for it again"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, content).expect("written");
            let [Archive { name: found, what, remedy }] = &archives(folder.path())[..] else { panic!("{name}") };
            assert_eq!(found, name);
            let text = format!("{what}; {remedy}");
            assert!(text.contains(expected), "{text}");
            std::fs::remove_file(&path).expect("removed");
        }
        for other in ["agent.jar", ".hidden.zip", "zip"] {
            std::fs::write(folder.path().join(other), &whole).expect("written");
        }
        std::fs::create_dir(folder.path().join("folder.zip")).expect("a folder");
        assert!(archives(folder.path()).is_empty());
    }
}
