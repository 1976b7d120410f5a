//! Tests of encrypted connections, in the modes of libpq.

use devtools::Database;
use ledger::Address;

/// Folder of the certificates, which its script `make.sh` creates.
const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/certificates");

/// Connects to a URL. Returns whether the connection is encrypted, or the error of the connection.
fn is_encrypted(url: &str) -> Result<bool, String> {
    let mut client = url.parse::<Address>().expect("a URL").connect().map_err(|error| format!("{error:?}"))?;
    let row = client.query_one("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()", &[]).expect("a row");
    Ok(row.get(0))
}

#[test]
fn connections_are_encrypted_and_certificates_checked_as_the_url_says() {
    let Some(database) = Database::alone().expect("a server") else { return };
    let url = database.url();
    assert_eq!(is_encrypted(&url), Ok(false), "the server has no certificate yet");
    is_encrypted(&format!("{url}?sslmode=require")).expect_err("encryption is not available");

    let [root, other] = ["authority", "other"].map(|name| format!("{CERTIFICATES}/{name}.pem"));
    // The certificate is for a host name, so a connection to the IP address has the wrong host.
    let read = |name: &str| std::fs::read_to_string(format!("{CERTIFICATES}/{name}")).expect(name);
    database.encrypt(&read("server.pem"), &read("server.key")).expect("encryption");

    let named = url.replace("127.0.0.1", "localhost");
    for (url, expected) in [
        (url.clone(), true),
        (format!("{url}?sslmode=disable"), false),
        (format!("{url}?sslmode=require"), true),
        (format!("{url}?sslmode=verify-ca&sslrootcert={root}"), true),
        (format!("{named}?sslmode=verify-full&sslrootcert={root}&connect_timeout=5"), true),
    ] {
        assert_eq!(is_encrypted(&url), Ok(expected), "{url}");
    }
    for (url, why) in [
        (format!("{url}?sslmode=require&sslrootcert={other}"), "UnknownIssuer"),
        (format!("{url}?sslmode=verify-ca&sslrootcert={other}"), "UnknownIssuer"),
        (format!("{url}?sslmode=verify-full&sslrootcert={root}"), "NotValidForName"),
    ] {
        let error = is_encrypted(&url).expect_err(&url);
        assert!(error.contains(why), "{url}: {error}");
    }
}
