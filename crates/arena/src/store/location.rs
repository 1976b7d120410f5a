//! Locations of stores: files, and databases of PostgreSQL servers.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use ledger::{Address, AddressError};
use thiserror::Error;

/// The location of a store. Its text does not contain the password.
#[derive(Clone)]
pub struct Location(Kind);

#[derive(Clone)]
pub(super) enum Kind {
    /// A SQLite file.
    File(PathBuf),
    /// A PostgreSQL database.
    Server(Address),
}

/// Error of parsing a location. The message does not contain the text, which may include a password.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}; expected a file or postgres://user:password@host:port/database")]
pub struct LocationError(String);

impl Location {
    /// Returns the path of a store in a file.
    pub fn file(&self) -> Option<&Path> {
        match &self.0 {
            Kind::File(path) => Some(path),
            Kind::Server(_) => None,
        }
    }

    /// Returns the address of a store in a database.
    pub fn address(&self) -> Option<&Address> {
        match &self.0 {
            Kind::File(_) => None,
            Kind::Server(address) => Some(address),
        }
    }

    /// Returns `true` if the address has a password.
    pub fn has_password(&self) -> bool {
        matches!(&self.0, Kind::Server(address) if address.has_password())
    }

    pub(super) fn kind(&self) -> &Kind {
        &self.0
    }
}

impl From<PathBuf> for Location {
    fn from(path: PathBuf) -> Self {
        Self(Kind::File(path))
    }
}

impl TryFrom<OsString> for Location {
    type Error = LocationError;

    /// Parses a path or a URL.
    fn try_from(text: OsString) -> Result<Self, LocationError> {
        let is_url = |text: &str| {
            let scheme = text.split_once("://").map_or("", |(scheme, _)| scheme);
            !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        };
        match text.to_str().filter(|text| is_url(text)) {
            None => Ok(PathBuf::from(text).into()),
            Some(url) => {
                let address = url.parse().map_err(|error: AddressError| LocationError(error.why().to_owned()))?;
                Ok(Self(Kind::Server(address)))
            }
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::File(path) => path.display().fmt(f),
            Kind::Server(address) => address.fmt(f),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Location, LocationError> {
        Location::try_from(OsString::from(text))
    }

    #[test]
    fn files_and_urls_are_distinguished() {
        for file in ["arena.sqlite", "postgres", "cups/a:b.sqlite", "./x://y", "my cup's.sqlite"] {
            assert_eq!(read(file).expect(file).file(), Some(Path::new(file)));
        }
        let location = read("postgres://ann:secret@host/cups").expect("a URL");
        assert_eq!((location.to_string().as_str(), location.file()), ("postgres://ann@host/cups", None));
        assert!(location.has_password());
    }

    #[test]
    fn errors_of_invalid_urls_do_not_contain_the_password() {
        for (url, why) in
            [("mysql://ann:secret@host/cups", "begins with mysql://"), ("postgres://ann:secret@", "no host")]
        {
            let error = read(url).expect_err(url).to_string();
            assert!(error.contains(why) && error.contains("expected a file or postgres://"), "{url}: {error}");
            assert!(!error.contains("secret"), "{url}: {error}");
        }
    }
}
