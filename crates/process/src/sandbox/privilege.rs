//! Setuid and setgid files, and files with capabilities.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The setuid and setgid bits.
const SET_ID: u32 = 0o6000;
/// The attribute that holds a program's capabilities.
const CAPABILITIES: &str = "security.capability";

/// Removes the setuid and setgid bits and the capabilities of all files in a folder. Returns the files that had any.
///
/// # Errors
/// Returns an error if a folder cannot be read.
pub fn remove_privileges(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(here) = folders.pop() {
        for entry in fs::read_dir(here)? {
            let entry = entry?;
            let (path, data) = (entry.path(), entry.metadata()?);
            if data.is_dir() {
                folders.push(path);
                continue;
            }
            if !data.is_file() {
                continue;
            }
            let mode = data.permissions().mode();
            let has_capabilities = rustix::fs::lgetxattr(&path, CAPABILITIES, &mut [0_u8; 64]).is_ok();
            if mode & SET_ID != 0 {
                // Errors are ignored, because the caller refuses the file in any case.
                let _ = fs::set_permissions(&path, Permissions::from_mode(mode & !SET_ID & 0o7777));
            }
            if has_capabilities {
                let _ = rustix::fs::lremovexattr(&path, CAPABILITIES);
            }
            if mode & SET_ID != 0 || has_capabilities {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setuid_files_are_found_and_lose_their_bits() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("sub")).expect("a folder");
        for (name, mode) in [("plain", 0o755), ("sub/user", 0o4755), ("group", 0o2755)] {
            let file = folder.path().join(name);
            fs::write(&file, "").expect("a file");
            fs::set_permissions(&file, Permissions::from_mode(mode)).expect("its owner");
        }
        let expected = ["group", "sub/user"].map(|name| folder.path().join(name));
        assert_eq!(remove_privileges(folder.path()).expect("a folder"), expected);
        assert!(remove_privileges(folder.path()).expect("a folder").is_empty());
        let mode = |name: &str| fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
        assert_eq!(mode("sub/user") & 0o7777, 0o755);
    }
}
