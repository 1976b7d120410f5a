//! The address of a database, and connections to it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use postgres::{Client, Config};
use thiserror::Error;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::tls::Tls;

/// The URL of a database on a PostgreSQL server. Its `Display` omits the password.
#[derive(Clone)]
pub struct Address {
    /// URL without the password.
    shown: String,
    /// Configuration and encryption of connections.
    connection: Box<(Config, Tls)>,
}

/// The error for an invalid database URL. It does not contain the URL, which may include a password.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}; expected postgres://user:password@host:port/database")]
pub struct AddressError(String);

impl AddressError {
    /// Returns the reason without the expected form.
    pub fn why(&self) -> &str {
        &self.0
    }
}

/// Schemes of PostgreSQL URLs.
const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl Address {
    /// Returns `true` if the URL has a password, which `Display` omits.
    pub fn has_password(&self) -> bool {
        self.connection.0.get_password().is_some()
    }

    /// Returns the URL for connections of another user, with the password if one is given.
    pub fn for_user(&self, user: &str, password: Option<&str>) -> String {
        let (scheme, rest) = self.shown.split_once("://").unwrap_or(("postgres", &self.shown));
        let place = rest.split_once('@').map_or(rest, |(_, place)| place);
        let password = password.map_or_else(String::new, |password| format!(":{}", escaped(password)));
        format!("{scheme}://{}{password}@{place}", escaped(user))
    }

    /// Connects with the password from the URL, or else from the environment variable `PGPASSWORD`.
    ///
    /// # Errors
    /// Returns an error if the connection fails.
    pub fn connect(&self) -> Result<Client, postgres::Error> {
        let (mut config, tls) = (*self.connection).clone();
        if let (None, Some(password)) = (config.get_password(), std::env::var_os("PGPASSWORD")) {
            config.password(password.as_encoded_bytes());
        }
        config.connect(MakeRustlsConnect::new((*tls.config).clone()))
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let known = SCHEMES.iter().find_map(|scheme| Some((scheme, text.strip_prefix(scheme)?)));
        let Some((scheme, rest)) = known else {
            let found = text
                .split_once("://")
                .map_or_else(|| "no URL".to_owned(), |(scheme, _)| format!("a URL that begins with {scheme}://"));
            return Err(AddressError(format!("{found} found")));
        };
        read(scheme, rest).map_err(AddressError)
    }
}

fn read(scheme: &str, rest: &str) -> Result<Address, String> {
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
    let parameters: Vec<&str> = parameters.into_iter().flat_map(|all| all.split('&')).collect();
    let value = |name: &str| {
        let value = parameters.iter().find_map(|parameter| parameter.strip_prefix(name)?.strip_prefix('='));
        value.map(|value| percent_decode_str(value).decode_utf8_lossy())
    };
    let tls = Tls::new(value("sslmode").as_deref(), value("sslrootcert").as_deref())?;
    // `Config` supports neither the `verify-…` modes nor a file of certificates.
    let is_tls = |parameter: &&str| parameter.starts_with("sslmode=") || parameter.starts_with("sslrootcert=");
    let others: Vec<&str> = parameters.iter().copied().filter(|parameter| !is_tls(parameter)).collect();
    let user_info = &rest[..rest.len() - place.len()];
    let url = format!("{scheme}{user_info}{base}{}", query(&others));
    let mut config: Config = url.parse().map_err(|error| format!("URL: {}", reasons(&error)))?;
    config.ssl_mode(tls.mode);
    if config.get_hosts().is_empty() {
        return Err("the URL has no host".to_owned());
    }
    set_limits(&mut config);
    let user = credentials.and_then(|both| both.split(':').next());
    // An escaped name could decode to `password`.
    let is_open = |parameter: &&str| {
        let name = parameter.split('=').next().unwrap_or_default();
        name != "password" && !name.contains('%')
    };
    let open: Vec<&str> = parameters.iter().copied().filter(is_open).collect();
    let user = user.map_or(String::new(), |user| format!("{user}@"));
    let shown = format!("{scheme}{user}{base}{}", query(&open));
    Ok(Address { shown, connection: Box::new((config, tls)) })
}

/// Joins the parameters of a URL.
fn query(parameters: &[&str]) -> String {
    if parameters.is_empty() { String::new() } else { format!("?{}", parameters.join("&")) }
}

/// Sets timeouts for connections, unless the URL sets them.
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
    // Firewalls drop idle connections, and a connection is idle during a long game.
    config.keepalives_idle(SILENCE);
}

/// Escapes a text for a URL.
fn escaped(text: &str) -> String {
    const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
    utf8_percent_encode(text, ESCAPED).to_string()
}

/// Formats an error with all its causes.
pub(crate) fn reasons(error: &dyn std::error::Error) -> String {
    let causes = core::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_user_gets_a_url() {
        for (url, expected) in [
            (
                "postgres://ann:secret@host:5433/cups?connect_timeout=3",
                "h%20%40:p%2Fw@host:5433/cups?connect_timeout=3",
            ),
            ("postgres://host/cups", "h%20%40:p%2Fw@host/cups"),
        ] {
            let other = url.parse::<Address>().expect(url).for_user("h @", Some("p/w"));
            assert_eq!(other, format!("postgres://{expected}"));
            assert!(other.parse::<Address>().expect("a URL").has_password());
        }
    }

    #[test]
    fn the_password_is_never_shown() {
        for (url, shown) in [
            ("postgres://host/cups", "postgres://host/cups"),
            ("postgresql://ann@host:5433/cups", "postgresql://ann@host:5433/cups"),
            ("postgres://ann:se%40cret@[::1]:5433/cups", "postgres://ann@[::1]:5433/cups"),
            ("postgres://ann:s:e/c?ret@host/cups", "postgres://ann@host/cups"),
            ("postgres://host/cups?password=secret&connect_timeout=3", "postgres://host/cups?connect_timeout=3"),
            ("postgres://ann@host?p%61ssword=secret", "postgres://ann@host"),
            ("postgres://ann@host/cups?sslmode=require", "postgres://ann@host/cups?sslmode=require"),
        ] {
            let address: Address = url.parse().expect(url);
            assert_eq!((address.to_string().as_str(), format!("{address:?}").as_str()), (shown, shown));
            assert_eq!(address.has_password(), shown.len() < url.len(), "{url}");
        }
        for (url, why) in [
            ("arena.sqlite", "no URL found"),
            ("mysql://ann:secret@host/cups", "begins with mysql://"),
            ("postgres://", "no host"),
            ("postgres:///cups", "no host"),
            ("postgres://ann:secret@host:port/cups", "port"),
            ("postgres://ann:sec@ret@host/cups", "%40"),
            ("postgres://ann:secret@host/cups?colour=secret", "colour"),
            ("postgres://ann:secret@host/cups?sslmode=verify", "verify-ca"),
            ("postgres://ann:secret@host/cups?sslmode=verify-ca&sslrootcert=/no%2Fsuch", "sslrootcert /no/such"),
        ] {
            let error = url.parse::<Address>().expect_err(url).to_string();
            assert!(error.contains(why) && error.contains("expected postgres://"), "{url}: {error}");
            assert!(!error.contains("secret") && !error.contains("ret@"), "{url}: {error}");
        }
    }
}
