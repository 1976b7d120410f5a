//! Checks names in archives.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::outcome::{Refusal, refuse};
use super::shown::quoted;

/// Maximum length of a file's name on common file systems, in bytes.
const MAX_NAME: usize = 255;
/// Instruction after a name that leads out of the folder.
const PACK_THE_FOLDER: &str = "pack the folder with the agent's files, so that all names in the archive begin in it";

/// Splits the name of an entry into folders and a file name. Empty parts and `.` are dropped.
///
/// # Errors
/// If the name leads out of the folder that the archive is unpacked to, or is not portable.
pub(super) fn parts(name: &str) -> Result<Vec<String>, Refusal> {
    let has_drive = name.as_bytes().get(1) == Some(&b':') && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if has_drive {
        return refuse(format!("the entry {} begins with a drive letter", quoted(name)), PACK_THE_FOLDER);
    }
    if name.starts_with('/') {
        return refuse(format!("the entry {} has an absolute name", quoted(name)), PACK_THE_FOLDER);
    }
    if name.contains('\\') {
        let what = format!("the name of the entry {} contains a backslash", quoted(name));
        return refuse(what, "rename the file, or pack the folder with another program");
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return refuse(format!("the entry {} leads out of its folder (`..`)", quoted(name)), PACK_THE_FOLDER);
    }
    if parts.is_empty() && !name.ends_with('/') {
        return refuse(format!("the entry {} has no name", quoted(name)), "pack the folder again");
    }
    // macOS decomposes letters with accents, which programs then do not find under the name that they use.
    Ok(parts.iter().map(|part| part.nfc().collect()).collect())
}

/// Files that systems and tools add to folders.
const JUNK: [&str; 9] = [
    "__MACOSX",
    ".DS_Store",
    "Icon\r",
    "Thumbs.db",
    "ehthumbs.db",
    "desktop.ini",
    ".git",
    "__pycache__",
    ".pytest_cache",
];

/// Returns the file or folder within a path that is not part of the agent, such as `__MACOSX`.
pub(super) fn junk(parts: &[String]) -> Option<&str> {
    let is_junk = |part: &str| JUNK.iter().any(|junk| part.eq_ignore_ascii_case(junk)) || part.starts_with("._");
    parts.iter().map(String::as_str).find(|part| is_junk(part))
}

/// Checks the characters and the lengths of a path.
pub(super) fn check(parts: &[String], max_path: usize, max_depth: usize) -> Result<(), Refusal> {
    let path = parts.join("/");
    if let Some(c) = hidden(&path) {
        let kind = if c.is_control() { "control" } else { "invisible" };
        let name = arena::character_name(c).map(|name| format!(" ({name})")).unwrap_or_default();
        let what =
            format!("the name of the entry {} contains the {kind} character U+{:04X}{name}", quoted(&path), c as u32);
        return refuse(what, "type the name of the file or folder again, and pack the folder again");
    }
    let shorten = "use shorter names, or fewer folders";
    if let Some(part) = parts.iter().find(|part| part.len() > MAX_NAME) {
        let what = format!("the name {} has {} bytes, and at most {MAX_NAME} are allowed", quoted(part), part.len());
        return refuse(what, shorten);
    }
    if path.len() > max_path {
        let found = path.len();
        return refuse(
            format!("the path of the entry {} has {found} bytes, and at most {max_path} are allowed", quoted(&path)),
            shorten,
        );
    }
    let depth = parts.len().saturating_sub(1);
    if depth > max_depth {
        let what =
            format!("the entry {} lies {depth} folders deep, and at most {max_depth} are allowed", quoted(&path));
        return refuse(what, shorten);
    }
    Ok(())
}

/// Returns the first hidden character of a path. Emoji and several scripts need joiners between their characters; after
/// an ASCII character, a joiner has no such purpose.
fn hidden(path: &str) -> Option<char> {
    let joins = |c: char| matches!(c, '\u{200c}' | '\u{200d}');
    let mut before = '/';
    path.chars().find(|&c| {
        let is_plain = std::mem::replace(&mut before, c).is_ascii();
        game::text::is_hidden(c) && (is_plain || !joins(c))
    })
}

/// Paths that are already in use, by their lower-case and normalised forms.
#[derive(Debug, Default)]
pub(super) struct Taken(BTreeMap<String, (String, bool)>);

impl Taken {
    /// Returns the number of files and folders.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds the path of a file or folder and the folders above it.
    ///
    /// # Errors
    /// If an earlier path is equal to it on computers that ignore case, or is a file where this one needs a folder.
    pub(super) fn add(&mut self, parts: &[String], is_folder: bool) -> Result<(), Refusal> {
        for count in 1..=parts.len() {
            let (path, is_folder) = (parts[..count].join("/"), is_folder || count < parts.len());
            let Some((other, other_is_folder)) = self.0.get(&folded(&path)) else {
                self.0.insert(folded(&path), (path, is_folder));
                continue;
            };
            if *other != path {
                let what = format!("{} and {} differ only in upper and lower case", quoted(other), quoted(&path));
                return refuse(what, "rename one of them: some computers cannot keep both");
            }
            if is_folder != *other_is_folder {
                let what = format!("the archive contains {} as a file and as a folder", quoted(&path));
                return refuse(what, "rename one of them");
            }
            if !is_folder {
                let what = format!("the archive contains {} twice", quoted(&path));
                return refuse(what, "pack the folder again, into a new archive");
            }
        }
        Ok(())
    }
}

/// Returns a path in lower case and in a normal form.
fn folded(path: &str) -> String {
    path.nfc().collect::<String>().to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(name: &str) -> Result<String, String> {
        let parts = parts(name).map_err(|refusal| refusal.to_string())?;
        check(&parts, 100, 3).map_err(|refusal| refusal.to_string())?;
        Ok(parts.join("/"))
    }

    #[test]
    fn ordinary_names_are_accepted() {
        for (name, expected) in [
            ("agent.py", "agent.py"),
            ("./src//Größe 2.py", "src/Größe 2.py"),
            ("👩\u{200d}💻/❤\u{fe0f}.py", "👩\u{200d}💻/❤\u{fe0f}.py"),
            ("Zoe\u{308}.py", "Zoë.py"),
            ("a..b/...", "a..b/..."),
            ("src/", "src"),
            ("./", ""),
        ] {
            assert_eq!(checked(name), Ok(expected.to_owned()), "{name}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        let (long, wide) = ("x".repeat(256), "é".repeat(60));
        for (name, expected) in [
            ("/etc/passwd", "the entry `/etc/passwd` has an absolute name"),
            ("../agent.py", "the entry `../agent.py` leads out of its folder"),
            ("a/../../b", "leads out of its folder"),
            ("a/..", "leads out of its folder"),
            ("C:/agent.py", "begins with a drive letter"),
            ("c:agent.py", "begins with a drive letter"),
            ("a\\b.py", "contains a backslash"),
            ("", "the entry `` has no name"),
            (".", "has no name"),
            ("a\0.py", "the control character U+0000"),
            ("a\n.py", "the entry `a\\n.py` contains the control character U+000A"),
            ("a\u{202e}yp.py", "the invisible character U+202E (right-to-left override)"),
            ("a\u{200d}b.py", "the invisible character U+200D (zero width joiner)"),
            (&long, "has 256 bytes, and at most 255 are allowed"),
            (&wide, "has 120 bytes, and at most 100 are allowed"),
            ("a/b/c/d/e.py", "lies 4 folders deep, and at most 3 are allowed"),
        ] {
            let error = checked(name).expect_err(name);
            assert!(error.contains(expected) && error.contains("; "), "{name}: {error}");
        }
    }

    #[test]
    fn paths_that_some_computers_confuse_are_refused() {
        let add = |taken: &mut Taken, path: &str| taken.add(&parts(path).expect("a path"), path.ends_with('/'));
        let mut taken = Taken::default();
        for path in ["src/", "src/agent.py", "src/Größe.py", "src/b/c", "data/x"] {
            assert_eq!(add(&mut taken, path), Ok(()), "{path}");
        }
        for (path, expected) in [
            ("src/Agent.py", "`src/agent.py` and `src/Agent.py` differ only in upper and lower case"),
            ("SRC/new.py", "`src` and `SRC` differ only"),
            ("src/GRÖßE.py", "differ only"),
            ("src/agent.py", "`src/agent.py` twice"),
            ("src/b", "`src/b` as a file and as a folder"),
            ("src/agent.py/x", "`src/agent.py` as a file and"),
        ] {
            let refusal = add(&mut taken, path).expect_err(path);
            assert!(refusal.what.contains(expected), "{path}: {refusal}");
        }
    }

    #[test]
    fn files_of_systems_are_recognised() {
        let found = |path: &str| junk(&parts(path).expect("a path")).map(str::to_owned);
        for (path, expected) in [
            ("__MACOSX/a/._b.py", Some("__MACOSX")),
            ("a/.DS_Store", Some(".DS_Store")),
            ("a/THUMBS.DB", Some("THUMBS.DB")),
            ("a/.git/config", Some(".git")),
            ("a/__pycache__/b.pyc", Some("__pycache__")),
            ("a/._agent.py", Some("._agent.py")),
            ("a/.gitignore", None),
            ("git/agent.py", None),
        ] {
            assert_eq!(found(path).as_deref(), expected, "{path}");
        }
    }
}
