//! Checks of the hosts and origins of requests, and the addresses of clients.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, Method, header};

use super::failure::Failure;

/// Access rules for requests. A page of another site can make a browser send requests to this server. Such a request
/// names that site as its origin or, after DNS rebinding, as its host.
pub(super) struct Gate {
    /// Public origin, such as `https://course.example.org`.
    public: String,
    /// Scheme that this server speaks, such as `http://`.
    scheme: &'static str,
    port: u16,
    proxies: Vec<IpAddr>,
}

/// Address of a request's client, behind proxies.
#[derive(Clone, Copy)]
pub(super) struct Client(pub(super) IpAddr);

impl Gate {
    pub(super) fn new(public: &str, is_encrypted: bool, port: u16, proxies: &[IpAddr]) -> Self {
        let scheme = if is_encrypted { "https://" } else { "http://" };
        let proxies = proxies.iter().map(IpAddr::to_canonical).collect();
        Self { public: normal(public), scheme, port, proxies }
    }

    /// Checks the host and the origin. Pages of other sites may only link to this server, as mails do.
    ///
    /// # Errors
    /// If they are missing or foreign, or there are two hosts (RFC 9112, section 3.2).
    pub(super) fn admit(&self, method: &Method, headers: &HeaderMap) -> Result<(), Failure> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        if headers.get_all(header::HOST).iter().count() > 1 {
            return Err(Failure::malformed("several Host headers found, expected one"));
        }
        let host = text(header::HOST).unwrap_or_default().to_ascii_lowercase();
        if !self.is_host(&host) {
            return Err(Failure::foreign_host(&host));
        }
        let is_own = |origin: &str| {
            let origin = normal(origin);
            origin == self.public || origin == normal(&format!("{}{host}", self.scheme))
        };
        let is_own = text(header::ORIGIN).map_or(*method != Method::POST, is_own);
        if is_own && !is_embedded(headers) { Ok(()) } else { Err(Failure::foreign_origin()) }
    }

    /// Returns `true` for the public host, and for numeric addresses with the port of this server. Only names can be
    /// bound to this machine by others.
    fn is_host(&self, host: &str) -> bool {
        let usual = if self.scheme == "https://" { 443 } else { 80 };
        let is_public = self
            .public
            .split_once("://")
            .is_some_and(|(scheme, public)| public == host || normal(&format!("{scheme}://{host}")) == self.public);
        let is_address = match host.parse::<SocketAddr>() {
            Ok(address) => address.port() == self.port,
            Err(_) => self.port == usual && host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok(),
        };
        let is_local = host.strip_prefix("localhost").is_some_and(|rest| match rest.strip_prefix(':') {
            Some(port) => port.parse() == Ok(self.port),
            None => rest.is_empty() && self.port == usual,
        });
        is_public || is_address || is_local
    }

    /// Returns the address of the client: that of the connection or, behind proxies of the course file, the last one in
    /// `X-Forwarded-For` that is no such proxy. Earlier entries may be made up by the client.
    pub(super) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
        let entries: Vec<&str> = forwarded.flat_map(|text| text.split(',')).map(str::trim).collect();
        let mut client = peer.to_canonical();
        for entry in entries.into_iter().rev() {
            if !self.proxies.contains(&client) {
                break;
            }
            let Ok(address) = entry.parse::<IpAddr>() else { break };
            client = address.to_canonical();
        }
        client
    }
}

/// Returns `true` if a page of another site requests this as a part of itself, such as an image, a script or a frame. A
/// server at another port of this host is same-site, so its pages send the cookie.
///
/// Source: W3C, "Fetch Metadata Request Headers".
fn is_embedded(headers: &HeaderMap) -> bool {
    let is = |name: &str, value: &str| headers.get(name).is_some_and(|found| found == value);
    let is_foreign = is("sec-fetch-site", "cross-site") || is("sec-fetch-site", "same-site");
    is_foreign && !(is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document"))
}

/// Returns an origin in lower case, without the usual port of its scheme.
fn normal(origin: &str) -> String {
    let origin = origin.to_ascii_lowercase();
    let usual = if origin.starts_with("https://") { ":443" } else { ":80" };
    origin.strip_suffix(usual).map_or_else(|| origin.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(entries: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in entries {
            headers.append(*name, value.parse().expect("a value"));
        }
        headers
    }

    #[test]
    fn hosts_are_the_public_one_and_addresses_with_the_right_port() {
        let gate = Gate::new("https://Course.example.org", false, 8080, &[]);
        for host in ["course.example.org", "course.example.org:443", "127.0.0.1:8080", "[::1]:8080", "localhost:8080"] {
            assert!(gate.is_host(host), "{host}");
        }
        for host in ["", "evil.example.org", "course.example.org:8080", "127.0.0.1", "127.0.0.1:80", "localhost:81"] {
            assert!(!gate.is_host(host), "{host}");
        }
        let direct = Gate::new("http://192.0.2.7", false, 80, &[]);
        assert!(["192.0.2.7", "localhost", "[::1]"].iter().all(|host| direct.is_host(host)));
        assert!(!direct.is_host("localhost.evil.example.org") && !direct.is_host("192.0.2.7.evil.example.org"));
    }

    #[test]
    fn posts_need_an_own_origin() {
        let gate = Gate::new("https://course.example.org", false, 8080, &[]);
        let admit = |method: Method, host: &str, origin: Option<&str>| {
            let mut all = vec![("host", host)];
            all.extend(origin.map(|origin| ("origin", origin)));
            gate.admit(&method, &headers(&all)).is_ok()
        };
        let public = "course.example.org";
        assert!(admit(Method::GET, public, None) && !admit(Method::POST, public, None));
        for (host, origin, admitted) in [
            (public, "https://course.example.org", true),
            (public, "https://course.example.org:443", true),
            (public, "http://course.example.org", true),
            ("127.0.0.1:8080", "http://127.0.0.1:8080", true),
            ("127.0.0.1:8080", "https://course.example.org", true),
            ("127.0.0.1:8080", "http://127.0.0.1:8081", false),
            (public, "https://evil.example.org", false),
            (public, "https://course.example.org.evil.example.org", false),
            (public, "null", false),
            ("evil.example.org", "http://evil.example.org", false),
        ] {
            assert_eq!(admit(Method::POST, host, Some(origin)), admitted, "{host} {origin}");
            assert_eq!(admit(Method::GET, host, Some(origin)), admitted, "{host} {origin}");
        }
    }

    #[test]
    fn pages_of_other_sites_may_only_link() {
        let gate = Gate::new("https://course.example.org", false, 8080, &[]);
        for (site, mode, dest, admitted) in [
            ("same-origin", "cors", "empty", true),
            ("none", "navigate", "document", true),
            ("cross-site", "navigate", "document", true),
            ("same-site", "navigate", "document", true),
            ("cross-site", "navigate", "iframe", false),
            ("same-site", "no-cors", "image", false),
            ("same-site", "no-cors", "script", false),
            ("cross-site", "cors", "empty", false),
        ] {
            let found = headers(&[
                ("host", "course.example.org"),
                ("sec-fetch-site", site),
                ("sec-fetch-mode", mode),
                ("sec-fetch-dest", dest),
            ]);
            assert_eq!(gate.admit(&Method::GET, &found).is_ok(), admitted, "{site} {mode} {dest}");
        }
        let twice = headers(&[("host", "course.example.org"), ("host", "127.0.0.1:8080")]);
        assert!(gate.admit(&Method::GET, &twice).is_err());
    }

    #[test]
    fn only_known_proxies_name_their_clients() {
        let address = |text: &str| text.parse::<IpAddr>().expect("an address");
        let gate = Gate::new("https://course.example.org", false, 80, &[address("127.0.0.1"), address("192.0.2.9")]);
        let named = headers(&[("x-forwarded-for", "203.0.113.1, 198.51.100.7"), ("x-forwarded-for", "192.0.2.9")]);
        assert_eq!(gate.client(address("127.0.0.1"), &named), address("198.51.100.7"));
        assert_eq!(gate.client(address("::ffff:127.0.0.1"), &named), address("198.51.100.7"));
        assert_eq!(gate.client(address("192.0.2.50"), &named), address("192.0.2.50"), "not a proxy");
        assert_eq!(gate.client(address("127.0.0.1"), &headers(&[])), address("127.0.0.1"));
        assert_eq!(gate.client(address("127.0.0.1"), &headers(&[("x-forwarded-for", "?")])), address("127.0.0.1"));
    }
}
