//! Detects what an upload is, by its first bytes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use arena::entry::{ArchiveKind, has_extension};

/// Number of bytes that are examined. The format's name is at offset 257 in a tar archive. In an ISO image it comes
/// later, so ISO images are not detected.
const HEAD: u64 = 4096;

/// The kind of an upload.
#[derive(Debug)]
pub(super) enum Kind {
    /// A zip archive.
    Zip,
    /// A text, or a program for Linux or Java.
    File,
    /// Anything else.
    Foreign {
        /// Noun phrase.
        what: String,
        /// Instruction for the sender.
        remedy: String,
    },
}

/// Instruction after another kind of archive.
const REPACK: &str = "unpack it and pack the files again as a zip archive (Windows: \"Send to\", \"Compressed (zipped) \
                      folder\"; macOS: \"Compress\"; Linux: `zip -r agent.zip .`)";
/// Instruction after a file that is no program.
const SOURCE: &str = "hand in the agent's files as a zip archive";
/// Instruction after a text with formatting.
const PLAIN: &str = "save the program as plain text in UTF-8, with a code editor";
/// Instruction after a program for another system.
const REBUILD: &str = "hand in the source code, with a `build` line in `agent.toml`";

/// Magic bytes with their offset, the description, and the instruction.
const FOREIGN: [(usize, &[u8], &str, &str); 20] = [
    (0, b"MSCF", "a cabinet archive of Windows", REPACK),
    (0, b"!<arch>\n", "a library or a Debian package", SOURCE),
    (0, b"%PDF-", "a PDF document", SOURCE),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a Microsoft Office document", SOURCE),
    (0, b"{\\rtf", "a text with formatting (RTF)", PLAIN),
    (0, b"\x89PNG\r\n\x1a\n", "a picture (PNG)", SOURCE),
    (0, b"\xff\xd8\xff", "a picture (JPEG)", SOURCE),
    (0, b"GIF8", "a picture (GIF)", SOURCE),
    (0, b"bplist00", "a web archive or a property list of macOS", SOURCE),
    (0, b"SQLite format 3\0", "an SQLite database", SOURCE),
    (0, b"\xff\xfe", "text in UTF-16", PLAIN),
    (0, b"\xfe\xff", "text in UTF-16", PLAIN),
    (0, b"MZ", "a program for Windows or a self-extracting archive", REBUILD),
    (0, b"\xcf\xfa\xed\xfe", "a program for macOS", REBUILD),
    (0, b"\xce\xfa\xed\xfe", "a program for macOS", REBUILD),
    (0, b"\xca\xfe\xba\xbf", "a program for macOS", REBUILD),
    (0, b"\xca\xfe\xba\xbe\0\0\0\x01", "a program for macOS", REBUILD),
    (0, b"\xca\xfe\xba\xbe\0\0\0\x02", "a program for macOS", REBUILD),
    (0, b"\xca\xfe\xba\xbe\0\0\0\x03", "a program for macOS", REBUILD),
    (4, b"ftyp", "a video", SOURCE),
];

/// Beginning of a program for Linux.
pub(super) const ELF: &[u8] = b"\x7fELF";
/// Beginning of a compiled Java class.
const JAVA: &[u8] = b"\xca\xfe\xba\xbe";

/// Returns the first bytes of a file.
pub(super) fn head(file: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(file)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

/// Returns the kind of a file that its sender called `name`.
pub(super) fn of_file(file: &Path, name: &str) -> io::Result<Kind> {
    Ok(of_head(&head(file)?, name))
}

/// Returns the kind of a file with these first bytes.
fn of_head(head: &[u8], name: &str) -> Kind {
    let foreign = |what: &str, remedy: &str| {
        let misnamed = if is_misnamed(name, what) { ", despite its name" } else { "" };
        Kind::Foreign { what: format!("{what}{misnamed}"), remedy: remedy.to_owned() }
    };
    if head.is_empty() {
        return foreign("empty", "check the file on your computer, and upload it again");
    }
    if let Some(kind) = ArchiveKind::of(head) {
        return match head.get(..4) {
            Some(b"PK\x03\x04") => Kind::Zip,
            Some(b"PK\x05\x06") => foreign(kind.what, "pack the folder with the agent's files"),
            Some(b"PK\x07\x08") => foreign(kind.what, "pack the files into a single archive"),
            _ => foreign(kind.what, REPACK),
        };
    }
    let found = FOREIGN.iter().find(|(at, bytes, ..)| head.get(*at..).is_some_and(|rest| rest.starts_with(bytes)));
    if let Some((_, _, what, remedy)) = found {
        return foreign(what, remedy);
    }
    if head.starts_with(ELF) || head.starts_with(JAVA) {
        return Kind::File;
    }
    if is_web_page(head) {
        return foreign("a web page", "download the file itself instead of the page that shows it, and upload that");
    }
    if is_notebook(head) {
        return foreign("a Jupyter notebook", "export it as a program (`jupyter nbconvert --to script`)");
    }
    if head.contains(&0) {
        return foreign("neither a zip archive nor a text", SOURCE);
    }
    if has_extension(name, &["zip"]) {
        return foreign("text instead of a zip archive", REPACK);
    }
    Kind::File
}

/// Returns `true` if a file's name promises a zip archive.
fn is_misnamed(name: &str, what: &str) -> bool {
    has_extension(name, &["zip"]) && what != "empty" && !what.contains("zip archive")
}

/// Returns the text of the first bytes without leading blanks, in lower case.
fn lower(head: &[u8]) -> String {
    let text = String::from_utf8_lossy(head);
    game::text::without_mark(&text).trim_start().to_ascii_lowercase()
}

fn is_web_page(head: &[u8]) -> bool {
    let text = lower(head);
    text.starts_with("<!doctype html") || text.starts_with("<html")
}

fn is_notebook(head: &[u8]) -> bool {
    let text = lower(head);
    text.starts_with('{') && text.contains("\"cells\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(name: &str, head: &[u8]) -> String {
        match of_head(head, name) {
            Kind::Zip => "zip".to_owned(),
            Kind::File => "file".to_owned(),
            Kind::Foreign { what, remedy } => format!("{what}; {remedy}"),
        }
    }

    #[test]
    fn uploads_are_named_by_their_content() {
        let tar = [vec![b'a'; 257], b"ustar\0".to_vec()].concat();
        for (name, head, expected) in [
            ("a.zip", &b"PK\x03\x04rest"[..], "zip"),
            ("agent.py", b"print(1)\n", "file"),
            ("agent", b"\x7fELF\x02", "file"),
            ("Agent.class", b"\xca\xfe\xba\xbe\0\0\0\x41", "file"),
            ("a.zip", b"Rar!\x1a\x07\x01\0", "a RAR archive, despite its name; unpack it"),
            ("a.rar", b"Rar!\x1a\x07\x01\0", "a RAR archive; unpack it"),
            ("a.zip", b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive, despite its name"),
            ("a.zip", b"\x1f\x8b\x08", "a gzip-compressed file, such as a .tar.gz archive, despite its name"),
            ("a.tar", &tar, "a tar archive; unpack it"),
            ("a.zip", b"PK\x05\x06", "an empty zip archive; pack the folder"),
            ("a.zip", b"", "empty; check the file"),
            ("a.zip", b"hello", "text instead of a zip archive; unpack it"),
            ("a.zip", b"\n<!DOCTYPE html><title>Log in", "a web page, despite its name; download"),
            ("agent.py", b"{\\rtf1\\ansi", "a text with formatting (RTF); save the program"),
            ("agent.py", b"\xff\xfep\0r\0", "text in UTF-16; save"),
            ("agent.ipynb", b"{\n \"cells\": [", "a Jupyter notebook; export it"),
            ("agent.exe", b"MZ\x90\0", "a program for Windows or a self-extracting archive; hand in the source"),
            ("agent", b"\xcf\xfa\xed\xfe\x07", "a program for macOS; hand in the source"),
            ("agent.py", b"a\0b", "neither a zip archive nor a text; hand in"),
        ] {
            let found = described(name, head);
            assert!(found.starts_with(expected), "{name}: {found}");
        }
    }
}
