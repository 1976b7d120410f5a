//! The file with which commands find the running server of a course.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use process::system::keep_private;
use serde::{Deserialize, Serialize};

use crate::tokens::Token;

/// Name of the file in the folder of temporary files.
const NAME: &str = "console.json";

/// The address of the commands' connection, and the secret that it needs.
#[derive(Serialize, Deserialize)]
struct Content {
    address: SocketAddr,
    secret: String,
}

/// The file of a running server. It is removed on drop.
pub(super) struct DoorFile(PathBuf);

impl DoorFile {
    /// Writes the file of the course with this store. Only the user who runs the server can read it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write(store: &Path, address: SocketAddr, secret: &Token) -> io::Result<Self> {
        let path = path(store);
        let part = path.with_extension("part");
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => (),
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        keep_private(&mut options);
        let content = serde_json::to_string(&Content { address, secret: secret.reveal().to_owned() })?;
        options.open(&part)?.write_all(content.as_bytes())?;
        // A reader finds the whole file or none.
        fs::rename(&part, &path)?;
        Ok(Self(path))
    }

    /// Reads the address and the secret of the running server, if there is one.
    pub(super) fn read(store: &Path) -> Option<(SocketAddr, String)> {
        let text = fs::read_to_string(path(store)).ok()?;
        let content: Content = serde_json::from_str(&text).ok()?;
        Some((content.address, content.secret))
    }
}

impl Drop for DoorFile {
    fn drop(&mut self) {
        // The server ends either way. The next one replaces the file.
        let _ = fs::remove_file(&self.0);
    }
}

fn path(store: &Path) -> PathBuf {
    store.with_extension("work").join(NAME)
}
