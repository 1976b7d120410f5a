//! HTTPS with certificates from files.

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use course::http::Server;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::support::{Answer, Served, config, wait_until};

const SETTINGS: &str = "public = 'https://localhost'\ncertificate = 'certificate.pem'\nkey = 'key.pem'\n";

/// Writes a new certificate into a folder, and returns it.
fn write_certificate(folder: &Path) -> CertificateDer<'static> {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    fs::write(folder.join("key.pem"), signing_key.serialize_pem()).expect("written");
    fs::write(folder.join("certificate.pem"), cert.pem()).expect("written");
    cert.der().clone()
}

/// Requests a path from a server with this certificate.
fn get(host: &str, trusted: &CertificateDer<'static>, path: &str) -> Result<Answer, std::io::Error> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).map_err(std::io::Error::other)?;
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().map_err(std::io::Error::other)?;
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("localhost").map_err(std::io::Error::other)?;
    let connection = ClientConnection::new(Arc::new(config), name).map_err(std::io::Error::other)?;
    let mut stream = StreamOwned::new(connection, TcpStream::connect(host)?);
    let port = host.rsplit(':').next().unwrap_or_default();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n")?;
    stream.flush()?;
    Ok(Answer::read(&mut stream))
}

#[test]
fn a_new_certificate_is_used_without_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = write_certificate(folder.path());
    let course = config(folder.path(), SETTINGS);
    let served = Served::of(folder, course, |options| options.certificates = Duration::from_millis(20));
    let answer = get(&served.host, &first, &format!("/t/{}", served.tokens["ann"])).expect("an answer");
    assert_eq!(answer.status, 303);
    assert!(answer.header("set-cookie").is_some_and(|cookie| cookie.ends_with("; Secure")), "{answer:?}");
    // A client that speaks plain HTTP receives no page.
    let mut plain = TcpStream::connect(&served.host).expect("a connection");
    plain.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut answer = Vec::new();
    let _ = std::io::Read::read_to_end(&mut plain, &mut answer);
    assert!(!answer.starts_with(b"HTTP"));

    fs::write(served.folder.path().join("certificate.pem"), "no certificate").expect("written");
    let has_logged = |text: &str| served.log.lock().expect("no panic").iter().any(|line| line.contains(text));
    wait_until("the invalid file is reported", || has_logged("the previous certificate stays in use"));
    assert_eq!(get(&served.host, &first, "/version").expect("an answer").status, 200);

    let second = write_certificate(served.folder.path());
    wait_until("the new certificate is used", || get(&served.host, &second, "/version").is_ok());
    assert!(get(&served.host, &first, "/version").is_err());
}

#[test]
fn an_invalid_certificate_is_refused_with_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    write_certificate(folder.path());
    let course = config(folder.path(), SETTINGS);
    let error = |name: &str, content: &str| {
        write_certificate(folder.path());
        fs::write(folder.path().join(name), content).expect("written");
        Server::bind(&course).err().map(|error| error.to_string()).unwrap_or_default()
    };
    let other = rcgen::KeyPair::generate().expect("a key").serialize_pem();
    for (name, content, expected) in [
        ("certificate.pem", "", "no certificate found"),
        ("key.pem", "?", "no private key found, expected one in PEM"),
        ("key.pem", &other, "not the key of the certificate in"),
    ] {
        let error = error(name, content);
        assert!(error.contains(name) && error.contains(expected), "{name} {content:?}: {error}");
    }
    fs::remove_file(folder.path().join("key.pem")).expect("removed");
    assert!(Server::bind(&course).is_err_and(|error| error.to_string().contains("key.pem")));
}
