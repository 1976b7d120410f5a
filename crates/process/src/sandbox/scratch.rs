//! Scratch folders of sandboxes without their own file system.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Once;

use super::watch;

/// Prefix of the folders' names.
const PREFIX: &str = "plyhouse-sandbox-";

/// A folder that one sandbox may write to. It is removed on drop.
#[derive(Debug)]
pub(crate) struct Scratch {
    folder: PathBuf,
    /// Locked while this process lives, so that other processes do not remove the folder as a leftover.
    _lock: File,
}

impl Scratch {
    /// Creates a private folder in the folder for temporary files. The first call also removes folders that killed
    /// processes have left there.
    pub(crate) fn new() -> io::Result<Self> {
        static TIDY: Once = Once::new();
        let place = std::env::temp_dir();
        TIDY.call_once(|| remove_stale(&place));
        Self::new_in(&place)
    }

    fn new_in(place: &Path) -> io::Result<Self> {
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix(PREFIX).permissions(private).tempdir_in(place)?;
        let lock = File::open(folder.path())?;
        lock.lock()?;
        Ok(Self { folder: folder.keep(), _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Removes a scratch folder if it exists. All processes of the sandbox must have ended.
pub(crate) fn remove(folder: &Path) {
    // A program may have removed permissions that are needed to remove folders.
    watch::unlock(folder);
    // On an error, the next tournament removes the folder.
    let _ = fs::remove_dir_all(folder);
}

/// Removes the scratch folders of this user that no process uses.
fn remove_stale(place: &Path) {
    let user = rustix::process::getuid().as_raw();
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_own = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.metadata().is_ok_and(|data| data.is_dir() && data.uid() == user);
        if is_own && File::open(entry.path()).is_ok_and(|folder| folder.try_lock().is_ok()) {
            remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unused_folders_are_removed() {
        let place = tempfile::tempdir().expect("a folder");
        let used = Scratch::new_in(place.path()).expect("a folder");
        assert_eq!(used.path().metadata().expect("a folder").mode() & 0o777, 0o700);
        let stale = place.path().join(format!("{PREFIX}stale"));
        let locked = stale.join("locked");
        fs::create_dir_all(locked.join("inner")).expect("a folder");
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).expect("its owner");
        let other = place.path().join("other");
        fs::create_dir(&other).expect("a folder");
        std::os::unix::fs::symlink(&other, place.path().join(format!("{PREFIX}link"))).expect("a link");
        remove_stale(place.path());
        assert!(!stale.exists() && other.exists() && used.path().exists());
        let path = used.path().to_owned();
        drop(used);
        assert!(!path.exists());
    }
}
