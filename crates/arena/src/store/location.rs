//! Where a store is: a file, or a database of a PostgreSQL server.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use postgres::Config;
use thiserror::Error;

/// Where a store is. As text it has no password.
#[derive(Clone)]
pub struct Location(Kind);

#[derive(Clone)]
pub(super) enum Kind {
    /// A SQLite file.
    File(PathBuf),
    /// A PostgreSQL database.
    Server {
        /// The URL without its password.
        shown: String,
        /// How to connect.
        config: Box<Config>,
    },
}

/// A text names no store. The text itself is left out, because it may have a password.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}; expected a file or postgres://user:password@host:port/database")]
pub struct LocationError(String);

/// The beginnings of a URL of PostgreSQL.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl Location {
    /// The file, if the store is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.0 {
            Kind::File(path) => Some(path),
            Kind::Server { .. } => None,
        }
    }

    /// Whether it has a password, which its text leaves out.
    pub fn has_password(&self) -> bool {
        matches!(&self.0, Kind::Server { config, .. } if config.get_password().is_some())
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

    /// Reads a path or a URL.
    fn try_from(text: OsString) -> Result<Self, LocationError> {
        let Some((scheme, rest)) = text.to_str().and_then(|text| text.split_once("://")) else {
            return Ok(PathBuf::from(text).into());
        };
        if scheme.is_empty() || !scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) {
            return Ok(PathBuf::from(text).into());
        }
        let scheme = format!("{scheme}://");
        if !SCHEMES.contains(&scheme.as_str()) {
            return Err(LocationError(format!("a URL that begins with {scheme} found")));
        }
        server(&scheme, rest).map_err(LocationError)
    }
}

fn server(scheme: &str, rest: &str) -> Result<Location, String> {
    let (credentials, place) = match rest.split_once('@') {
        Some((credentials, place)) => (Some(credentials), place),
        None => (None, rest),
    };
    let (base, parameters) = match place.split_once('?') {
        Some((base, parameters)) => (base, Some(parameters)),
        None => (place, None),
    };
    if base.contains('@') {
        return Err("the URL has a second `@`: in a password, write %40 for it".to_owned());
    }
    let mut config: Config = format!("{scheme}{rest}").parse().map_err(|error| format!("URL: {}", reasons(&error)))?;
    if config.get_hosts().is_empty() {
        return Err("the URL has no host".to_owned());
    }
    set_limits(&mut config);
    let user = credentials.and_then(|both| both.split(':').next());
    // A name with an escape might be `password` in disguise.
    let is_open = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        name != "password" && !name.contains('%')
    };
    let parameters: Vec<&str> = parameters.into_iter().flat_map(|all| all.split('&')).filter(is_open).collect();
    let user = user.map_or(String::new(), |user| format!("{user}@"));
    let parameters = if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) };
    let shown = format!("{scheme}{user}{base}{parameters}");
    Ok(Location(Kind::Server { shown, config: Box::new(config) }))
}

/// Waits for a server end some time, unless the URL says otherwise.
fn set_limits(config: &mut Config) {
    const WAIT: Duration = Duration::from_secs(10);
    const SILENCE: Duration = Duration::from_secs(30);
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(WAIT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SILENCE);
    }
    if config.get_application_name().is_none() {
        config.application_name("plyhouse");
    }
    // Firewalls forget connections on which nothing is said during a long game.
    config.keepalives_idle(SILENCE);
}

/// An error with all its causes.
pub(super) fn reasons(error: &dyn std::error::Error) -> String {
    let causes = core::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::File(path) => path.display().fmt(f),
            Kind::Server { shown, .. } => f.write_str(shown),
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
    fn files_and_urls_are_told_apart() {
        for file in ["arena.sqlite", "postgres", "cups/a:b.sqlite", "./x://y", "my cup's.sqlite"] {
            assert_eq!(read(file).expect(file).file(), Some(Path::new(file)));
        }
        for (url, shown) in [
            ("postgres://host/cups", "postgres://host/cups"),
            ("postgresql://ann@host:5433/cups", "postgresql://ann@host:5433/cups"),
            ("postgres://ann:se%40cret@[::1]:5433/cups", "postgres://ann@[::1]:5433/cups"),
            ("postgres://ann:s:e/c?ret@host/cups", "postgres://ann@host/cups"),
            ("postgres://host/cups?password=secret&connect_timeout=3", "postgres://host/cups?connect_timeout=3"),
            ("postgres://ann@host?p%61ssword=secret", "postgres://ann@host"),
        ] {
            let location = read(url).expect(url);
            assert_eq!((location.to_string().as_str(), location.file()), (shown, None));
            assert_eq!(format!("{location:?}"), shown);
            assert_eq!(location.has_password(), shown.len() < url.len(), "{url}");
        }
    }

    #[test]
    fn what_is_no_url_is_explained_without_its_password() {
        for (url, why) in [
            ("mysql://ann:secret@host/cups", "begins with mysql://"),
            ("postgres://", "no host"),
            ("postgres:///cups", "no host"),
            ("postgres://ann:secret@host:port/cups", "port"),
            ("postgres://ann:sec@ret@host/cups", "%40"),
            ("postgres://ann:secret@host/cups?colour=secret", "colour"),
        ] {
            let error = read(url).expect_err(url).to_string();
            assert!(error.contains(why) && error.contains("expected a file or postgres://"), "{url}: {error}");
            assert!(!error.contains("secret") && !error.contains("ret@"), "{url}: {error}");
        }
    }
}
