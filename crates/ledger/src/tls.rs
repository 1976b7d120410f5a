//! Encryption of connections, controlled by the URL's parameters `sslmode` and `sslrootcert` as in libpq.

use std::fmt::Display;
use std::sync::Arc;

use postgres::config::SslMode;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

/// Encryption of the connections to a server.
#[derive(Clone)]
pub(crate) struct Tls {
    /// Mode of connections: unencrypted, encrypted if the server offers it, or encrypted only.
    pub(crate) mode: SslMode,
    pub(crate) config: Arc<ClientConfig>,
}

/// The check of the server's certificate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    None,
    Authority,
    AuthorityAndHost,
}

impl Tls {
    /// Creates the encryption for these parameters; `root` is a file of certificates in PEM form, or `system`. Without
    /// `root`, the certificates that the system trusts are used.
    ///
    /// # Errors
    /// Returns an error if the mode is unknown or the certificates cannot be read.
    pub(crate) fn new(mode: Option<&str>, root: Option<&str>) -> Result<Self, String> {
        let (mode, check) = match mode {
            None | Some("prefer") => (SslMode::Prefer, Check::None),
            Some("disable") => (SslMode::Disable, Check::None),
            // Like libpq, check the authority in the mode `require` if the URL names certificates.
            Some("require") if root.is_some() => (SslMode::Require, Check::Authority),
            Some("require") => (SslMode::Require, Check::None),
            Some("verify-ca") => (SslMode::Require, Check::Authority),
            Some("verify-full") => (SslMode::Require, Check::AuthorityAndHost),
            Some(other) => {
                let modes = "disable, prefer, require, verify-ca or verify-full";
                return Err(format!("sslmode `{other}`: expected {modes}"));
            }
        };
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| error.to_string())?;
        let config = match check {
            Check::AuthorityAndHost => builder.with_root_certificates(roots(root)?),
            _ => {
                let authority = if check == Check::Authority { Some(verifier(root, &provider)?) } else { None };
                let lenient = Arc::new(Lenient { authority, provider });
                builder.dangerous().with_custom_certificate_verifier(lenient)
            }
        };
        Ok(Self { mode, config: Arc::new(config.with_no_client_auth()) })
    }
}

/// Reads the trusted certificates of a file or of the system.
fn roots(root: Option<&str>) -> Result<RootCertStore, String> {
    let mut store = RootCertStore::empty();
    match root {
        None | Some("system") => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Some(path) => {
            let error = |error: &dyn Display| format!("sslrootcert {path}: {error}");
            let certificates = CertificateDer::pem_file_iter(path).map_err(|found| error(&found))?;
            for certificate in certificates {
                let certificate = certificate.map_err(|found| error(&found))?;
                store.add(certificate).map_err(|found| error(&found))?;
            }
        }
    }
    if store.is_empty() { Err(format!("sslrootcert {}: no certificates", root.unwrap_or("system"))) } else { Ok(store) }
}

fn verifier(root: Option<&str>, provider: &Arc<CryptoProvider>) -> Result<Arc<WebPkiServerVerifier>, String> {
    let builder = WebPkiServerVerifier::builder_with_provider(Arc::new(roots(root)?), Arc::clone(provider));
    builder.build().map_err(|error| error.to_string())
}

/// A verifier that checks a certificate's authority but not the host name, or that checks nothing. The connection is
/// encrypted either way.
#[derive(Debug)]
struct Lenient {
    authority: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Lenient {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        host: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        use CertificateError::{NotValidForName, NotValidForNameContext};
        let Some(authority) = &self.authority else { return Ok(ServerCertVerified::assertion()) };
        match authority.verify_server_cert(certificate, intermediates, host, ocsp_response, now) {
            Err(Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. })) => {
                Ok(ServerCertVerified::assertion())
            }
            checked => checked,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
