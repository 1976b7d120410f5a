//! Bundles: archives of agents' files for machines that share no folder.
//!
//! A bundle is a tar archive of regular files and folders, sorted by name, without times and owners, so that equal
//! files always lead to equal bytes. Its name is the SHA-256 of these bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use process::system::{is_executable, set_mode};
use tar::{Archive, Builder, EntryType, Header};
use thiserror::Error;

use crate::machine::{hash_of, sha256};

/// Maximum size of a bundle, in bytes: 128 MiB.
pub const LARGEST_BUNDLE: u64 = 128 << 20;

/// An archive of an agent's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// SHA-256 of the bytes, as hexadecimal digits.
    pub hash: String,
    /// Archive.
    pub bytes: Vec<u8>,
}

/// Errors of packing, fetching and unpacking bundles.
#[derive(Debug, Error)]
pub enum BundleError {
    /// A file cannot be read or written.
    #[error("{path}: {error}", path = .path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Error of the system.
        error: io::Error,
    },
    /// An entry is neither a regular file nor a folder.
    #[error("{path}: {found} found, expected only ordinary files and folders", path = game::text::excerpt(.path))]
    Kind {
        /// Path in the folder or the bundle.
        path: String,
        /// Kind of the entry.
        found: &'static str,
    },
    /// A path leads out of the bundle or is a duplicate, or its folder is missing.
    #[error("bundle: path `{path}`: {why}", path = game::text::excerpt(.path))]
    Path {
        /// Path.
        path: String,
        /// Reason.
        why: &'static str,
    },
    /// The files are too large.
    #[error("{0}: more than {most} MiB found, expected an agent's own files only", most = LARGEST_BUNDLE >> 20)]
    Large(String),
    /// The bytes are not an archive.
    #[error("bundle: {0}")]
    Archive(io::Error),
    /// The SHA-256 of the bytes differs from the bundle's name.
    #[error("bundle {wanted}: its bytes have the SHA-256 {found}")]
    Hash {
        /// Name of the bundle.
        wanted: String,
        /// Hash of the bytes.
        found: String,
    },
    /// The bundle is not available.
    #[error("bundle {hash}: {why}")]
    Missing {
        /// Name of the bundle.
        hash: String,
        /// Reason.
        why: String,
    },
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> BundleError {
    let path = path.to_owned();
    move |error| BundleError::Io { path, error }
}

impl Bundle {
    /// Packs a folder without the excluded files, whose paths are relative to it.
    ///
    /// # Errors
    /// If the folder contains anything other than regular files and folders, or is too large.
    pub fn pack(folder: &Path, excluded: &[String]) -> Result<Self, BundleError> {
        let mut packer = Packer { folder, excluded, archive: Builder::new(Vec::new()), remaining: LARGEST_BUNDLE };
        packer.add_folder(Path::new(""))?;
        let bytes = packer.archive.into_inner().map_err(at(folder))?;
        Ok(Self { hash: sha256([bytes.as_slice()]), bytes })
    }

    /// Returns the bundle without files.
    pub fn empty() -> Self {
        // A tar archive ends with two empty blocks of 512 bytes.
        let bytes = vec![0; 1024];
        Self { hash: sha256([bytes.as_slice()]), bytes }
    }

    /// Creates a bundle from bytes that must have this hash.
    ///
    /// # Errors
    /// If the hash differs.
    pub fn check(hash: &str, bytes: Vec<u8>) -> Result<Self, BundleError> {
        let found = sha256([bytes.as_slice()]);
        if found != hash {
            return Err(BundleError::Hash { wanted: hash.to_owned(), found });
        }
        Ok(Self { hash: found, bytes })
    }

    /// Unpacks the bundle into an empty folder. The bytes are not trusted.
    ///
    /// # Errors
    /// If the bundle contains anything other than regular files and folders, contains a path that leads out of it, or
    /// is too large, or if a file cannot be written. Some files may have been written by then.
    pub fn unpack(&self, folder: &Path) -> Result<(), BundleError> {
        let mut archive = Archive::new(self.bytes.as_slice());
        let mut remaining = LARGEST_BUNDLE;
        for entry in archive.entries().map_err(BundleError::Archive)? {
            let mut entry = entry.map_err(BundleError::Archive)?;
            let path = entry.path().map_err(BundleError::Archive)?.into_owned();
            let shown = path.to_string_lossy().into_owned();
            if path.components().any(|part| !matches!(part, Component::Normal(_))) {
                return Err(BundleError::Path { path: shown, why: "expected a path inside the bundle" });
            }
            let to = folder.join(&path);
            match entry.header().entry_type() {
                EntryType::Directory => fs::create_dir(&to).map_err(at(&to))?,
                EntryType::Regular => {
                    let is_program = entry.header().mode().map_err(BundleError::Archive)? & 0o111 != 0;
                    let mut file = OpenOptions::new().write(true).create_new(true).open(&to).map_err(|error| {
                        let why = "it is a duplicate, or its folder is missing";
                        match error.kind() {
                            io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound => {
                                BundleError::Path { path: shown.clone(), why }
                            }
                            _ => at(&to)(error),
                        }
                    })?;
                    let copied = io::copy(&mut entry.by_ref().take(remaining + 1), &mut file).map_err(at(&to))?;
                    remaining = remaining
                        .checked_sub(copied)
                        .ok_or_else(|| BundleError::Large(format!("bundle {}", self.hash)))?;
                    file.flush().map_err(at(&to))?;
                    drop(file);
                    set_mode(&to, if is_program { 0o755 } else { 0o644 }).map_err(at(&to))?;
                }
                other => return Err(BundleError::Kind { path: shown, found: kind_of_entry(other) }),
            }
        }
        Ok(())
    }
}

fn kind_of_entry(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink | EntryType::Link => "a link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        _ => "something else",
    }
}

/// A folder that is being packed.
struct Packer<'a> {
    folder: &'a Path,
    excluded: &'a [String],
    archive: Builder<Vec<u8>>,
    /// Number of bytes that may still be added.
    remaining: u64,
}

impl Packer<'_> {
    fn add_folder(&mut self, within: &Path) -> Result<(), BundleError> {
        let here = if within.as_os_str().is_empty() { self.folder.to_owned() } else { self.folder.join(within) };
        let entries = fs::read_dir(&here).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(at(&here))?;
        let mut names: Vec<_> = entries.iter().map(fs::DirEntry::file_name).collect();
        names.sort();
        for name in names {
            let path = within.join(&name);
            if self.excluded.iter().any(|excluded| Path::new(excluded) == path) {
                continue;
            }
            let full = self.folder.join(&path);
            let found = fs::symlink_metadata(&full).map_err(at(&full))?;
            if found.is_dir() {
                self.add(&path, EntryType::Directory, true, &[])?;
                self.add_folder(&path)?;
            } else if found.is_file() {
                self.remaining = self
                    .remaining
                    .checked_sub(found.len())
                    .ok_or_else(|| BundleError::Large(format!("folder {}", self.folder.display())))?;
                let bytes = fs::read(&full).map_err(at(&full))?;
                self.add(&path, EntryType::Regular, is_executable(&found), &bytes)?;
            } else {
                let found = if found.is_symlink() { "a link" } else { "a device, a pipe or a socket" };
                return Err(BundleError::Kind { path: full.to_string_lossy().into_owned(), found });
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, kind: EntryType, is_program: bool, bytes: &[u8]) -> Result<(), BundleError> {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(if is_program { 0o755 } else { 0o644 });
        header.set_mtime(0);
        header.set_size(bytes.len() as u64);
        self.archive.append_data(&mut header, path, bytes).map_err(at(path))
    }
}

/// A folder of unpacked bundles, which several processes may share.
#[derive(Debug)]
pub struct BundleCache {
    folder: PathBuf,
    /// Bundles whose files this process has verified.
    verified: Mutex<BTreeSet<String>>,
    /// SHA-256 of files outside the cache, computed by this process.
    others: Mutex<BTreeMap<PathBuf, String>>,
}

impl BundleCache {
    /// Creates a cache in this folder, which need not exist.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, verified: Mutex::default(), others: Mutex::default() }
    }

    /// Returns the SHA-256 of a file outside the cache. The hash of each file is computed only once.
    pub(crate) fn hash_of(&self, file: &Path) -> Result<String, BundleError> {
        let mut others = self.others.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(hash) = others.get(file) {
            return Ok(hash.clone());
        }
        let hash = hash_of(file).map_err(at(file))?;
        others.insert(file.to_owned(), hash.clone());
        Ok(hash)
    }

    /// Returns the folder with the files of a bundle. If the bundle is not cached, or its files were changed, `fetch`
    /// gets its bytes.
    ///
    /// # Errors
    /// If the bundle is not available, has another hash, or cannot be unpacked. In these cases, its files are removed.
    pub fn get(
        &self,
        hash: &str,
        fetch: impl FnOnce() -> Result<Option<Vec<u8>>, String>,
    ) -> Result<PathBuf, BundleError> {
        let missing = |why: String| BundleError::Missing { hash: hash.to_owned(), why };
        if hash.len() != 64 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(missing("expected a name of 64 hexadecimal digits".to_owned()));
        }
        let place = self.folder.join(hash);
        let mut verified = self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if verified.contains(hash) && place.is_dir() {
            return Ok(place);
        }
        let is_intact = || Bundle::pack(&place, &[]).is_ok_and(|bundle| bundle.hash == hash);
        if place.exists() && !is_intact() {
            fs::remove_dir_all(&place).map_err(at(&place))?;
        }
        if !place.exists() {
            let bytes = fetch().map_err(missing)?.ok_or_else(|| missing("it is not in the store".to_owned()))?;
            let bundle = Bundle::check(hash, bytes)?;
            fs::create_dir_all(&self.folder).map_err(at(&self.folder))?;
            let scratch = tempfile::Builder::new().prefix(".new").tempdir_in(&self.folder).map_err(at(&self.folder))?;
            bundle.unpack(scratch.path())?;
            // Sandboxed agents read the folder. By default, only this user can read it.
            set_mode(scratch.path(), 0o755).map_err(at(scratch.path()))?;
            match fs::rename(scratch.path(), &place) {
                // Another process was faster.
                Err(_) if place.is_dir() && is_intact() => (),
                renamed => renamed.map_err(at(&place))?,
            }
        }
        verified.insert(hash.to_owned());
        Ok(place)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs::File;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
        fs::create_dir_all(folder.path().join("src/empty")).expect("a folder");
        write("run.sh", "#!/bin/sh\n");
        write("src/agent.py", "print()");
        write("own.log", "written by itself");
        fs::set_permissions(folder.path().join("run.sh"), fs::Permissions::from_mode(0o700)).expect("a file");
        folder
    }

    #[test]
    fn the_same_files_make_the_same_bundle() {
        let (one, other) = (folder(), folder());
        let left_out = ["own.log".to_owned()];
        let bundle = Bundle::pack(one.path(), &left_out).expect("a bundle");
        assert_eq!(bundle, Bundle::pack(other.path(), &left_out).expect("a bundle"));
        assert_ne!(bundle.hash, Bundle::pack(one.path(), &[]).expect("a bundle").hash);
        let empty = tempfile::tempdir().expect("a folder");
        assert_eq!(Bundle::pack(empty.path(), &[]).expect("a bundle"), Bundle::empty());

        let cache = BundleCache::new(empty.path().join("cache"));
        let place = cache.get(&bundle.hash, || Ok(Some(bundle.bytes.clone()))).expect("unpacked");
        assert_eq!(fs::read_to_string(place.join("src/agent.py")).expect("a file"), "print()");
        assert!(place.join("src/empty").is_dir() && !place.join("own.log").exists());
        let mode = |name: &str| fs::metadata(place.join(name)).expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode("run.sh"), mode("src/agent.py")), (0o755, 0o644));
        // Fetched once, and again after its files were changed.
        cache.get(&bundle.hash, || panic!("it is cached")).expect("unpacked");
        let later = BundleCache::new(empty.path().join("cache"));
        later.get(&bundle.hash, || panic!("it is cached")).expect("unpacked");
        fs::write(place.join("src/agent.py"), "evil()").expect("a file");
        let later = BundleCache::new(empty.path().join("cache"));
        later.get(&bundle.hash, || Ok(Some(bundle.bytes.clone()))).expect("unpacked");
        assert_eq!(fs::read_to_string(place.join("src/agent.py")).expect("a file"), "print()");
    }

    #[test]
    fn links_devices_and_large_folders_are_not_packed() {
        let here = folder();
        let refused = || Bundle::pack(here.path(), &[]).expect_err("refused").to_string();
        let link = here.path().join("src/link");
        symlink("agent.py", &link).expect("a link");
        assert!(
            refused().contains("src/link: a link found, expected only ordinary files and folders"),
            "{}",
            refused()
        );
        fs::remove_file(&link).expect("removed");
        let _socket = std::os::unix::net::UnixListener::bind(here.path().join("socket")).expect("a socket");
        assert!(refused().contains("socket: a device, a pipe or a socket found"), "{}", refused());
        fs::remove_file(here.path().join("socket")).expect("removed");
        File::create(here.path().join("huge")).and_then(|file| file.set_len(LARGEST_BUNDLE)).expect("a file");
        assert!(refused().contains("more than 128 MiB found"), "{}", refused());
        let missing = Bundle::pack(Path::new("/no/such/folder"), &[]).expect_err("refused").to_string();
        assert!(missing.contains("/no/such/folder: "), "{missing}");
    }

    /// Creates an archive with one entry and a manipulated header.
    fn archive(path: &str, change: impl FnOnce(&mut Header)) -> Bundle {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(4);
        // Written directly, because the library refuses to create paths with `..`.
        let name = &mut header.as_old_mut().name;
        name[..path.len()].copy_from_slice(path.as_bytes());
        change(&mut header);
        header.set_cksum();
        let mut builder = Builder::new(Vec::new());
        builder.append(&header, &b"evil"[..]).expect("an entry");
        let bytes = builder.into_inner().expect("an archive");
        Bundle { hash: sha256([bytes.as_slice()]), bytes }
    }

    #[test]
    fn broken_bundles_leave_nothing() {
        let here = tempfile::tempdir().expect("a folder");
        let refused = |hash: &str, bytes: Option<Vec<u8>>, part: &str| {
            let cache = BundleCache::new(here.path().join("cache"));
            let error = cache.get(hash, || Ok(bytes)).expect_err(part).to_string();
            assert!(error.contains(part), "{error}");
            let left = fs::read_dir(here.path().join("cache")).into_iter().flatten().count();
            assert_eq!((left, here.path().join("out").exists()), (0, false), "{part}");
        };
        let kinds = [
            (EntryType::Symlink, "a link found"),
            (EntryType::Link, "a link found"),
            (EntryType::Char, "a device found"),
            (EntryType::Block, "a device found"),
            (EntryType::Fifo, "a pipe found"),
            (EntryType::Continuous, "something else found"),
        ];
        for (kind, part) in kinds {
            let bundle = archive("out", |header| {
                header.set_entry_type(kind);
                header.set_link_name("/etc/passwd").expect("a name");
            });
            refused(&bundle.hash, Some(bundle.bytes), part);
        }
        for path in ["../out", "/out", "a/../../out"] {
            let bundle = archive(path, |_| ());
            refused(&bundle.hash, Some(bundle.bytes), "expected a path inside the bundle");
        }
        let bundle = archive("no/folder", |_| ());
        refused(&bundle.hash, Some(bundle.bytes), "its folder is missing");
        let bundle = archive("out", |header| header.set_size(9999));
        refused(&bundle.hash, Some(bundle.bytes), "");
        let text = b"no archive at all".repeat(99);
        refused(&sha256([text.as_slice()]), Some(text), "bundle: ");
        let good = Bundle::empty();
        refused(&good.hash, Some(b"other bytes".to_vec()), "its bytes have the SHA-256");
        refused(&good.hash, None, "it is not in the store");
        refused("../../etc", Some(Vec::new()), "64 hexadecimal digits");
    }
}
