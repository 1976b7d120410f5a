//! Requests to the site, with the token, rate limits and retries.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use thiserror::Error;
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body, BodyReader, http::Response};

/// Waiting times of the bot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// Wait after HTTP 429 before any further request. The site asks for a full minute.
    pub(crate) limited: Duration,
    /// Wait before the second attempt. Each further wait is twice as long, up to `most`.
    pub(crate) first: Duration,
    pub(crate) most: Duration,
    /// Timeout of a silent connection. Streams send an empty line every six seconds.
    pub(crate) silence: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let [limited, first, most, silence] = [61, 1, 60, 20].map(Duration::from_secs);
        Self { limited, first, most, silence }
    }
}

/// Maximum number of attempts of one request.
const TRIES: u32 = 6;
/// Maximum length of a line, and of an explanation, in bytes. A game of 300 moves has 1.5 kB.
const LONGEST_LINE: u64 = 64 << 10;
const LONGEST_REASON: usize = 200;

/// An error of a request to the site.
#[derive(Debug, Error)]
pub(crate) enum SiteError {
    #[error("the address `{0}`: expected https://…, or http://127.0.0.1:PORT for a site on this machine")]
    Address(String),
    #[error("the site refuses the token: HTTP {status}, {reason}")]
    Token { status: u16, reason: String },
    #[error("the site refuses {path}: HTTP {status}, {reason}")]
    Refused { path: String, status: u16, reason: String },
    #[error("{path} has failed: {reason}")]
    Failed { path: String, reason: String },
}

/// Waits with exponential backoff.
pub(crate) struct Waits {
    pace: Pace,
    next: Duration,
    tries: u32,
}

impl Waits {
    /// Waits before the next attempt. Returns `false` if there have been too many attempts.
    pub(crate) fn wait(&mut self) -> bool {
        thread::sleep(self.next);
        self.next = (2 * self.next).min(self.pace.most);
        self.tries += 1;
        self.tries < TRIES
    }

    /// Resets the wait after a success.
    pub(crate) fn reset(&mut self) {
        (self.next, self.tries) = (self.pace.first, 0);
    }
}

/// The site, for one account.
pub(crate) struct Site {
    agent: Agent,
    address: String,
    token: String,
    pace: Pace,
    /// Time before which no request is sent.
    quiet_until: Mutex<Option<Instant>>,
}

impl Site {
    /// Creates a client that sends the token only to this address: it follows no redirects, and it uses HTTPS except on
    /// this machine.
    pub(crate) fn new(address: &str, token: &str, pace: Pace) -> Result<Self, SiteError> {
        let address = address.trim_end_matches('/');
        let is_here = address.strip_prefix("http://127.0.0.1:").is_some_and(|port| port.parse::<u16>().is_ok());
        if !is_here && !address.starts_with("https://") {
            return Err(SiteError::Address(address.to_owned()));
        }
        let mut config = Agent::config_builder()
            .user_agent(concat!("plyhouse-example-bot/", env!("CARGO_PKG_VERSION")))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(pace.silence))
            .timeout_per_read(Some(pace.silence))
            .timeout_per_write(Some(pace.silence));
        config = if is_here { config.proxy(None) } else { config.https_only(true).tls_config(tls()) };
        let (agent, quiet_until) = (config.build().new_agent(), Mutex::new(None));
        Ok(Self { agent, address: address.to_owned(), token: token.trim().to_owned(), pace, quiet_until })
    }

    pub(crate) fn waits(&self) -> Waits {
        Waits { pace: self.pace, next: self.pace.first, tries: 0 }
    }

    /// Requests a JSON value.
    pub(crate) fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, SiteError> {
        let mut response = self.insist(path, None)?;
        let failed = |reason: String| SiteError::Failed { path: path.to_owned(), reason };
        let text = response.body_mut().read_to_string().map_err(|error| failed(error.to_string()))?;
        serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
    }

    /// Sends a form. The content of the answer is ignored.
    pub(crate) fn post(&self, path: &str, form: &[(&str, &str)]) -> Result<(), SiteError> {
        self.insist(path, Some(form)).map(drop)
    }

    /// Opens a stream of lines.
    pub(crate) fn stream(&self, path: &str) -> Result<Lines, SiteError> {
        let body = self.insist(path, None)?.into_body();
        Ok(Lines { path: path.to_owned(), reader: BufReader::new(body.into_reader()) })
    }

    /// Sends a request, and retries while the network or the site fails. A request that the site refuses is not
    /// repeated.
    fn insist(&self, path: &str, form: Option<&[(&str, &str)]>) -> Result<Response<Body>, SiteError> {
        let mut waits = self.waits();
        loop {
            match self.once(path, form) {
                Err(error @ SiteError::Failed { .. }) => {
                    eprintln!("{error}");
                    if !waits.wait() {
                        return Err(error);
                    }
                }
                done => return done,
            }
        }
    }

    fn once(&self, path: &str, form: Option<&[(&str, &str)]>) -> Result<Response<Body>, SiteError> {
        self.keep_quiet();
        let (url, token) = (format!("{}{path}", self.address), format!("Bearer {}", self.token));
        let answer = match form {
            None => self.agent.get(url).header("Authorization", token).call(),
            Some(form) => self.agent.post(url).header("Authorization", token).send_form(form.iter().copied()),
        };
        let path = path.to_owned();
        let mut response =
            answer.map_err(|error| SiteError::Failed { path: path.clone(), reason: error.to_string() })?;
        let status = response.status().as_u16();
        if (200..300).contains(&status) {
            return Ok(response);
        }
        let reason = response.body_mut().read_to_string().unwrap_or_default();
        let reason = reason.chars().filter(|c| !c.is_control()).take(LONGEST_REASON).collect::<String>();
        Err(match status {
            401 => SiteError::Token { status, reason },
            429 => {
                *self.quiet() = Instant::now().checked_add(self.pace.limited);
                SiteError::Failed { path, reason: "HTTP 429, too many requests".to_owned() }
            }
            500.. => SiteError::Failed { path, reason: format!("HTTP {status}, {reason}") },
            _ => SiteError::Refused { path, status, reason },
        })
    }

    fn quiet(&self) -> std::sync::MutexGuard<'_, Option<Instant>> {
        self.quiet_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the site accepts requests again.
    fn keep_quiet(&self) {
        loop {
            let until = *self.quiet();
            match until.map(|until| until.saturating_duration_since(Instant::now())) {
                Some(wait) if !wait.is_zero() => thread::sleep(wait),
                _ => return,
            }
        }
    }
}

/// Returns the certificates that this system trusts. Unreadable certificates are skipped.
fn tls() -> TlsConfig {
    let provider = std::sync::Arc::new(rustls::crypto::ring::default_provider());
    let trusted = rustls_native_certs::load_native_certs().certs;
    let trusted = trusted.iter().map(|certificate| Certificate::from_der(certificate).to_owned());
    TlsConfig::builder().unversioned_rustls_crypto_provider(provider).root_certs(RootCerts::from(trusted)).build()
}

/// A stream of lines. Empty lines, which only keep the stream open, are skipped.
pub(crate) struct Lines {
    path: String,
    reader: BufReader<BodyReader<'static>>,
}

impl Lines {
    /// Waits for the next line. Returns `None` at the end; an incomplete last line is ignored.
    pub(crate) fn next(&mut self) -> Result<Option<String>, SiteError> {
        loop {
            let mut line = Vec::new();
            let read = self.reader.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line);
            read.map_err(|error| self.broken(&error.to_string()))?;
            if line.pop() != Some(b'\n') {
                let is_long = line.len() as u64 + 1 >= LONGEST_LINE;
                return if is_long { Err(self.broken("a line is too long")) } else { Ok(None) };
            }
            if !line.trim_ascii().is_empty() {
                let line = String::from_utf8(line).map_err(|error| self.broken(&error.to_string()))?;
                return Ok(Some(line));
            }
        }
    }

    /// Returns the error for a stream whose content is invalid.
    pub(crate) fn broken(&self, reason: &str) -> SiteError {
        SiteError::Failed { path: self.path.clone(), reason: reason.to_owned() }
    }
}
