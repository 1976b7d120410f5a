//! Archives where the files of a program were expected, recognized by their first bytes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::foreign::quoted_path;

/// Endings of the names of archives.
const ENDINGS: [&str; 11] = ["zip", "rar", "7z", "tar", "gz", "tgz", "bz2", "tbz2", "xz", "txz", "zst"];
/// The first bytes of each kind of archive, its name, and a command that unpacks it.
const KINDS: [(&[u8], &str, &str); 8] = [
    (b"PK\x03\x04", "a zip archive", "unzip"),
    (b"PK\x05\x06", "an empty zip archive", "unzip"),
    (b"Rar!\x1a\x07", "a RAR archive", "unar"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "7z x"),
    (b"\x1f\x8b", "a tar archive packed with gzip, or a file packed with it", "tar xf"),
    (b"BZh", "a tar archive packed with bzip2, or a file packed with it", "tar xf"),
    (b"\xfd7zXZ\x00", "a tar archive packed with xz, or a file packed with it", "tar xf"),
    (b"\x28\xb5\x2f\xfd", "a tar archive packed with zstd, or a file packed with it", "tar xf"),
];
/// Offset and value of the magic bytes in the header of a tar archive.
const TAR: (usize, &[u8]) = (257, b"ustar");
/// Bytes that are read at the end of a zip archive: its list of files, unless it is very long.
const TAIL: u64 = 128 << 10;

/// A file that is an archive by its name.
pub(super) struct Archive {
    /// The file's name in its folder.
    pub(super) name: String,
    /// Description of the file: the predicate of a sentence, without the period.
    pub(super) what: String,
    /// Instruction for the student.
    pub(super) remedy: String,
}

/// Returns the archives in a folder, by name.
pub(super) fn in_folder(folder: &Path) -> Vec<Archive> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| is_named_so(path)).collect();
    paths.sort();
    paths.iter().map(|path| archive(path)).collect()
}

fn is_named_so(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
    let is_file = path.symlink_metadata().is_ok_and(|data| data.is_file());
    is_file && !is_hidden && ends_in(path, &ENDINGS)
}

/// Reports whether a name has one of these endings, in capitals or not.
fn ends_in(path: &Path, endings: &[&str]) -> bool {
    let kind = path.extension().and_then(|kind| kind.to_str());
    kind.is_some_and(|kind| endings.iter().any(|ending| kind.eq_ignore_ascii_case(ending)))
}

fn archive(path: &Path) -> Archive {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut head = Vec::new();
    if let Ok(file) = File::open(path) {
        let _ = file.take(512).read_to_end(&mut head);
    }
    let tail = tail(path).unwrap_or_default();
    let (what, remedy) = judge(&name, &head, &tail);
    Archive { name: quoted_path(&name), what, remedy }
}

/// The last bytes of a file.
fn tail(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let size = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    Ok(tail)
}

/// Says what an archive is and what to do with it.
fn judge(name: &str, head: &[u8], tail: &[u8]) -> (String, String) {
    let by_bytes = KINDS.into_iter().find(|(bytes, ..)| head.starts_with(bytes));
    let is_tar = head.get(TAR.0..).is_some_and(|rest| rest.starts_with(TAR.1));
    let again = || "ask for it again, as a zip archive".to_owned();
    let Some((bytes, what, command)) = by_bytes.or(is_tar.then_some((TAR.1, "a tar archive", "tar xf"))) else {
        return ("it is named like an archive, and its bytes are not those of one".to_owned(), again());
    };
    let is_named_zip = ends_in(Path::new(name), &["zip"]);
    let misnamed = if is_named_zip == bytes.starts_with(b"PK") { "" } else { ", whatever its name says" };
    let unpack = format!("unpack it into a folder of its own (`{command}`)");
    if !bytes.starts_with(b"PK") {
        return (format!("it is {what}{misnamed}"), unpack);
    }
    // Bit 0 of the flags of the first file.
    let is_encrypted = bytes == b"PK\x03\x04" && head.get(6).is_some_and(|flags| flags & 1 == 1);
    if is_encrypted {
        return ("it is an encrypted zip archive".to_owned(), "ask for one without a password".to_owned());
    }
    if !tail.windows(4).any(|found| found == b"PK\x05\x06") {
        return ("it is the beginning of a zip archive, and its end is missing".to_owned(), again());
    }
    match archives_within(tail).first() {
        Some(inner) => (
            format!("it is {what}{misnamed} that contains the archive `{}`", quoted_path(inner)),
            format!("{unpack}, then that one"),
        ),
        None => (format!("it is {what}{misnamed}"), unpack),
    }
}

/// Names of archives in the list of files at the end of a zip archive.
fn archives_within(tail: &[u8]) -> Vec<String> {
    let entries = tail.windows(4).enumerate().filter(|(_, found)| *found == b"PK\x01\x02");
    let name = |at: usize| {
        let length = u16::from_le_bytes([*tail.get(at + 28)?, *tail.get(at + 29)?]);
        let name = tail.get(at + 46..at + 46 + usize::from(length))?;
        Some(String::from_utf8_lossy(name).into_owned())
    };
    let names = entries.filter_map(|(at, _)| name(at)).filter(|name| !name.starts_with("__MACOSX/"));
    names.filter(|name| ends_in(Path::new(name), &ENDINGS)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zip archive with one empty file.
    fn zip(flags: u8, name: &str) -> Vec<u8> {
        let length = [u8::try_from(name.len()).expect("a short name"), 0];
        let local = [b"PK\x03\x04\x14\0", &[flags, 0][..], &[0; 18], &length, &[0; 2], name.as_bytes()].concat();
        let listed =
            [b"PK\x01\x02\x14\0\x14\0", &[flags, 0][..], &[0; 18], &length, &[0; 16], name.as_bytes()].concat();
        [local, listed, b"PK\x05\x06".to_vec(), vec![0; 18]].concat()
    }

    #[test]
    fn each_kind_of_archive_is_named_with_its_remedy() {
        let folder = tempfile::tempdir().expect("a folder");
        let tar = [vec![0; 257], b"ustar\0".to_vec(), vec![0; 249]].concat();
        let whole = zip(0, "agent.py");
        for (name, content, expected) in [
            ("a.zip", &whole[..], "it is a zip archive; unpack it into a folder of its own (`unzip`)"),
            ("a.ZIP", b"Rar!\x1a\x07\x01\0", "it is a RAR archive, whatever its name says; unpack it"),
            ("a.rar", b"Rar!\x1a\x07\0", "it is a RAR archive; unpack it into a folder of its own (`unar`)"),
            ("a.7z", b"7z\xbc\xaf\x27\x1c\0\x04", "it is a 7-Zip archive; unpack it into a folder of its own (`7z x`)"),
            ("a.tar.gz", b"\x1f\x8b\x08\0", "it is a tar archive packed with gzip, or a file"),
            ("a.zip", b"\x1f\x8b\x08\0", "packed with it, whatever its name says; unpack it"),
            ("a.tar", &tar, "it is a tar archive; unpack it into a folder of its own (`tar xf`)"),
            ("a.tgz", &whole, "it is a zip archive, whatever its name says; unpack it"),
            ("a.zip", &zip(1, "agent.py"), "it is an encrypted zip archive; ask for one without a password"),
            ("a.zip", &whole[..40], "and its end is missing; ask for it again"),
            (
                "a.zip",
                &zip(0, "U1/agent.zip"),
                "contains the archive `U1/agent.zip`; unpack it into a folder of its own (`unzip`), then that one",
            ),
            ("a.zip", b"", "its bytes are not those of one; ask for it again"),
            ("a.7z", b"hello", "its bytes are not those of one; ask for it again"),
        ] {
            let path = folder.path().join(name);
            std::fs::write(&path, content).expect("written");
            let [Archive { name: found, what, remedy }] = &in_folder(folder.path())[..] else { panic!("{name}") };
            assert_eq!(found, name);
            let said = format!("{what}; {remedy}");
            assert!(said.contains(expected), "{said}");
            std::fs::remove_file(&path).expect("removed");
        }
        for other in ["agent.jar", ".hidden.zip", "zip"] {
            std::fs::write(folder.path().join(other), &whole).expect("written");
        }
        std::fs::create_dir(folder.path().join("folder.zip")).expect("a folder");
        assert!(in_folder(folder.path()).is_empty());
    }
}
