//! One process at a time plays the tournaments of a store.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::location::Kind;
use super::{Location, StoreError, postgres};

/// Reserves a store for the process that plays. It is released when the process ends, however it ends.
pub struct Hold {
    location: Location,
    _lock: Lock,
}

enum Lock {
    /// The system releases the lock of a file.
    File { _file: File },
    /// The server releases the locks of a connection.
    Server { _client: Box<::postgres::Client> },
}

impl Hold {
    /// Reserves a store, so that no second process plays the same games. A file need not exist.
    ///
    /// # Errors
    /// If another process has reserved it.
    pub fn take(store: &Location) -> Result<Self, StoreError> {
        let lock = match store.kind() {
            Kind::File(path) => Lock::File { _file: lock_file(store, path)? },
            Kind::Server(address) => Lock::Server { _client: Box::new(postgres::hold(store, address)?) },
        };
        Ok(Self { location: store.clone(), _lock: lock })
    }

    /// The store.
    pub(crate) fn location(&self) -> &Location {
        &self.location
    }
}

fn lock_file(store: &Location, path: &Path) -> Result<File, StoreError> {
    let mut name = path.to_owned().into_os_string();
    name.push(".lock");
    let path = PathBuf::from(name);
    let file = File::create(&path).map_err(|error| StoreError::Lock { path: path.clone(), error })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Busy(store.clone())),
        Err(TryLockError::Error(error)) => Err(StoreError::Lock { path, error }),
    }
}
