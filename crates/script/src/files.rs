//! Files of a suite: finds the tests, and reads and writes files with errors that name them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::blocks::{expected_blocks, is_block_script};

/// A test: one script, or two for programs that play each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) scripts: Vec<PathBuf>,
}

/// The expected output of a script's program.
pub(crate) struct Expected {
    /// Name of the `.std` file.
    pub(crate) file: String,
    /// Contents of the file; empty if it is missing.
    pub(crate) text: String,
    pub(crate) is_missing: bool,
}

/// Returns the tests at these paths. A folder has a test for every `X-1.in`, and for every `X.in` in the format of 2010
/// to 2016, sorted by name.
///
/// # Errors
/// Returns an error if a path cannot be read or there is no test.
pub(crate) fn find(paths: &[PathBuf]) -> io::Result<Vec<Test>> {
    let mut scripts = Vec::new();
    for path in paths {
        let metadata = fs::metadata(path).map_err(|error| named(path, &error))?;
        if !metadata.is_dir() {
            scripts.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in fs::read_dir(path).map_err(|error| named(path, &error))? {
            let path = entry?.path();
            if sibling(&path, "-1.in", "-1.in").is_some() || holds_blocks(&path) {
                found.push(path);
            }
        }
        if found.is_empty() {
            return Err(io::Error::other(format!("{}: no scripts, expected files named X-1.in", path.display())));
        }
        found.sort();
        scripts.append(&mut found);
    }
    if scripts.is_empty() {
        return Err(io::Error::other("no scripts: expected a folder or files named X-1.in"));
    }
    Ok(pair(&scripts))
}

/// Returns `true` if a file in a folder is a script in the format of 2010 to 2016.
fn holds_blocks(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "in")
        && path.is_file()
        && fs::read(path).is_ok_and(|text| is_block_script(&text))
}

/// Adds `X-2.in` to the test of `X-1.in`, whether `X-2.in` is one of the paths or only in the same folder.
fn pair(scripts: &[PathBuf]) -> Vec<Test> {
    // `./X-2.in` and `X-2.in` are the same file.
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let seconds: BTreeSet<PathBuf> =
        scripts.iter().filter_map(|path| sibling(path, "-1.in", "-2.in")).map(|path| real(&path)).collect();
    let firsts = scripts.iter().filter(|path| !seconds.contains(&real(path)));
    firsts
        .map(|path| {
            let second = sibling(path, "-1.in", "-2.in").filter(|second| second.exists());
            Test { name: name(path), scripts: std::iter::once(path.clone()).chain(second).collect() }
        })
        .collect()
}

/// Returns the path with its ending replaced by another; `None` if it has a different ending.
fn sibling(path: &Path, ending: &str, other: &str) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?.strip_suffix(ending)?;
    Some(path.with_file_name(format!("{name}{other}")))
}

/// Returns the test name: `X` of `X-1.in`.
fn name(path: &Path) -> String {
    let name = file_name(path);
    name.strip_suffix("-1.in").or_else(|| name.strip_suffix(".in")).unwrap_or(&name).to_owned()
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the expected output from the `.std` file beside a script; empty if the file is missing.
///
/// # Errors
/// Returns an error if the file exists and cannot be read.
pub(crate) fn expected(script: &Path) -> io::Result<Expected> {
    read_expected(&script.with_extension("std"))
}

/// Returns the parts of the `.out` file beside a script in the format of 2010 to 2016; empty if the file is missing.
///
/// # Errors
/// Returns an error if the file exists and cannot be read.
pub(crate) fn expected_of_two(script: &Path) -> io::Result<[Expected; 2]> {
    let Expected { file, text, is_missing } = read_expected(&script.with_extension("out"))?;
    Ok(expected_blocks(&text).map(|text| Expected { file: file.clone(), text, is_missing }))
}

fn read_expected(path: &Path) -> io::Result<Expected> {
    let (text, is_missing) = match fs::read(path) {
        Ok(text) => (String::from_utf8_lossy(&text).into_owned(), false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (String::new(), true),
        Err(error) => return Err(named(path, &error)),
    };
    Ok(Expected { file: file_name(path), text, is_missing })
}

/// Reads a file.
///
/// # Errors
/// Returns an error that names the file if it cannot be read.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).map_err(|error| named(path, &error))
}

/// Writes a file, and replaces an existing one.
///
/// # Errors
/// Returns an error that names the file if it cannot be written.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text).map_err(|error| named(path, &error))
}

/// Copies a file with its permissions, and replaces an existing one.
///
/// # Errors
/// Returns an error that names the file if it cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> io::Result<()> {
    // A running program cannot be overwritten, but it can be replaced.
    let _ = fs::remove_file(to);
    fs::copy(from, to).map(drop).map_err(|error| named(from, &error))
}

/// Creates an empty file in a folder, and the folder if it does not exist.
///
/// # Errors
/// Returns an error that names the folder or the file if it cannot be created.
pub(crate) fn create(folder: &Path, name: &str) -> io::Result<fs::File> {
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    let path = folder.join(name);
    fs::File::create(&path).map_err(|error| named(&path, &error))
}

/// Returns the error with the path prepended to its text.
fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_script_belongs_to_its_first() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in ["b-1.in", "a-1.in", "a-2.in", "c-2.in", "a-1.std", "notes.txt"] {
            fs::write(folder.path().join(file), "").expect("a file");
        }
        let at = |file: &str| folder.path().join(file);
        let a = Test { name: "a".to_owned(), scripts: vec![at("a-1.in"), at("a-2.in")] };
        let b = Test { name: "b".to_owned(), scripts: vec![at("b-1.in")] };
        assert_eq!(find(&[folder.path().to_owned()]).expect("tests"), [a.clone(), b]);
        assert_eq!(find(&[at("a-1.in"), at("a-2.in")]).expect("tests"), [a]);
        assert!(find(&[at("none-1.in")]).is_err_and(|error| error.to_string().contains("none-1.in")));
        assert!(find(&[]).is_err());
    }
}
