//! Reserves a store for one process at a time.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use super::location::Kind;
use super::postgres;
use crate::store::error::StoreError;
use crate::store::location::Location;

/// The reservation of a store for the process that plays. It is released when it is dropped or the process ends.
pub struct Hold {
    location: Location,
    _lock: Lock,
}

enum Lock {
    /// Lock on a file. The operating system releases it.
    File { _file: File },
    /// Lock held by a connection. The server releases it.
    Server { _client: Box<::postgres::Client> },
}

impl Hold {
    /// Reserves a store, so that no other process plays the same games. The file of a store need not exist.
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

    /// Returns the location of the store.
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
