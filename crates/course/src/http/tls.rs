//! Encryption with certificates from files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{Error, ServerConfig};
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;
use web::{Patient, Transport};

use super::serve_error::ServeError;

/// Timeout of a handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Encryption of connections. New connections use the latest valid files.
#[derive(Clone)]
pub(super) struct Tls(Arc<Files>);

struct Files {
    certificate: PathBuf,
    key: PathBuf,
    current: Mutex<Current>,
}

struct Current {
    config: Arc<ServerConfig>,
    /// State of the files when they were last read.
    stamp: Stamp,
}

/// Times and sizes of the files.
type Stamp = [Option<(SystemTime, u64)>; 2];

impl Tls {
    /// Reads the certificate and its key.
    ///
    /// # Errors
    /// If a file cannot be read, is not PEM, or they do not belong together.
    pub(super) fn read(certificate: &Path, key: &Path) -> Result<Self, ServeError> {
        let stamp = stamp(certificate, key);
        let current = Mutex::new(Current { config: config(certificate, key)?, stamp });
        Ok(Self(Arc::new(Files { certificate: certificate.to_owned(), key: key.to_owned(), current })))
    }

    /// Reads the files again if they have changed, or always if `is_forced`. Returns `true` if they were read.
    ///
    /// # Errors
    /// If they are invalid. The previous ones stay in use.
    pub(super) fn reload(&self, is_forced: bool) -> Result<bool, ServeError> {
        let Files { certificate, key, current } = &*self.0;
        let stamp = stamp(certificate, key);
        {
            let mut current = current.lock().unwrap_or_else(PoisonError::into_inner);
            if current.stamp == stamp && !is_forced {
                return Ok(false);
            }
            // A program that replaces both files may not have finished. Then the next change is read.
            current.stamp = stamp;
        }
        let config = config(certificate, key)?;
        current.lock().unwrap_or_else(PoisonError::into_inner).config = config;
        Ok(true)
    }
}

impl Transport for Tls {
    type Stream = TlsStream<Patient>;

    async fn begin(&self, stream: Patient) -> io::Result<TlsStream<Patient>> {
        let config = Arc::clone(&self.0.current.lock().unwrap_or_else(PoisonError::into_inner).config);
        timeout(HANDSHAKE, TlsAcceptor::from(config).accept(stream)).await?
    }
}

fn stamp(certificate: &Path, key: &Path) -> Stamp {
    [certificate, key].map(|path| {
        let found = fs::metadata(path).ok()?;
        Some((found.modified().ok()?, found.len()))
    })
}

fn config(certificate: &Path, key: &Path) -> Result<Arc<ServerConfig>, ServeError> {
    let wrong = |path: &Path, what: String| ServeError::Tls { path: path.to_owned(), what };
    let chain = CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let chain = chain.map_err(|error| wrong(certificate, unread(&error, "certificate")))?;
    if chain.is_empty() {
        return Err(wrong(certificate, "no certificate found, expected at least one in PEM".to_owned()));
    }
    let secret = PrivateKeyDer::from_pem_file(key).map_err(|error| wrong(key, unread(&error, "private key")))?;
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder =
        builder.with_safe_default_protocol_versions().map_err(|error| wrong(certificate, error.to_string()))?;
    let made = builder.with_no_client_auth().with_single_cert(chain, secret);
    let mut made = made.map_err(|error| match error {
        Error::InconsistentKeys(_) => {
            wrong(key, format!("not the key of the certificate in {}", certificate.display()))
        }
        Error::InvalidCertificate(_) => {
            wrong(certificate, format!("{error}; expected an X.509 certificate of version 3 for a server"))
        }
        error => wrong(key, error.to_string()),
    })?;
    made.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(made))
}

/// Describes why a PEM file cannot be read. `kind` is the expected content.
fn unread(error: &pem::Error, kind: &str) -> String {
    match error {
        pem::Error::Io(error) => error.to_string(),
        pem::Error::NoItemsFound => format!("no {kind} found, expected one in PEM, without a password"),
        error => format!("{error}, expected a {kind} in PEM"),
    }
}
