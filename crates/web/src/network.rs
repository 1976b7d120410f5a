//! Access from the local network: the address of this machine, the access token, and the link with its QR code.

use std::io;
use std::net::{Ipv4Addr, UdpSocket};

use axum::http::{HeaderMap, Uri, header};
use qrcode::QrCode;
use qrcode::render::{svg, unicode};
use sha2::{Digest, Sha256};

/// A link to this server for other devices.
pub struct Link {
    address: String,
    qr: Option<QrCode>,
}

impl Link {
    pub(crate) fn new(address: String) -> Self {
        let qr = QrCode::new(&address).ok();
        Self { address, qr }
    }

    /// Returns the address with the token.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the QR code as lines of text, to be printed black on white.
    pub fn lines(&self) -> Vec<String> {
        let text = self.qr.as_ref().map(|qr| qr.render::<unicode::Dense1x2>().build()).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    /// Returns the QR code as an SVG image.
    pub(crate) fn svg(&self) -> Option<String> {
        self.qr.as_ref().map(|qr| qr.render::<svg::Color<'_>>().min_dimensions(240, 240).build())
    }
}

/// Returns the address of this machine on the network with the default route. Sends no packet.
///
/// # Errors
/// Returns an error if there is no such network.
pub fn own_address() -> io::Result<Ipv4Addr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    // A network reserved for documentation (TEST-NET-1): only its route is looked up.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
    match socket.local_addr()?.ip() {
        std::net::IpAddr::V4(ip) if !ip.is_unspecified() && !ip.is_loopback() => Ok(ip),
        other => Err(io::Error::other(format!("{other} is not an address on a network"))),
    }
}

/// A random access token. Only its hash is kept, so that the duration of a comparison reveals nothing about the token.
#[derive(Clone)]
pub(crate) struct Key {
    hash: [u8; 32],
    cookie: String,
}

impl Key {
    /// Creates a key and its token. Servers at different ports use different cookies.
    ///
    /// # Errors
    /// Returns an error if the system has no source of randomness.
    pub(crate) fn new(port: u16) -> io::Result<(Self, String)> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = format!("{:032x}", u128::from_be_bytes(bytes));
        Ok((Self { hash: Sha256::digest(&token).into(), cookie: format!("plyhouse-{port}") }, token))
    }

    fn fits(&self, token: &str) -> bool {
        <[u8; 32]>::from(Sha256::digest(token)) == self.hash
    }

    /// Returns `true` if the request has the token in its cookie.
    pub(crate) fn is_in_cookie(&self, headers: &HeaderMap) -> bool {
        let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut cookies = all.flat_map(|text| text.split(';')).filter_map(|cookie| cookie.trim().split_once('='));
        cookies.any(|(name, token)| name == self.cookie && self.fits(token))
    }

    /// Returns the cookie to set if the request has the token in its address.
    pub(crate) fn cookie_for(&self, uri: &Uri) -> Option<String> {
        let token = uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))?;
        // `Lax` also allows links from other sites, such as a link in a chat message.
        self.fits(token).then(|| format!("{}={token}; Path=/; HttpOnly; SameSite=Lax", self.cookie))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_accepts_only_its_token() {
        let (key, token) = Key::new(6174).expect("randomness");
        let (_, other) = Key::new(6174).expect("randomness");
        assert_eq!(token.len(), 32);
        let uri = |token: &str| format!("/?token={token}").parse::<Uri>().expect("an address");
        let cookie = key.cookie_for(&uri(&token)).expect("the token is valid");
        assert!(cookie.contains("HttpOnly"));
        for wrong in ["", &other, &token[..31], &format!("{token}0")] {
            assert_eq!(key.cookie_for(&uri(wrong)), None);
        }
        let with = |text: String| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, text.parse().expect("a header"));
            headers
        };
        assert!(key.is_in_cookie(&with(format!("a=b; plyhouse-6174={token}"))));
        assert!(!key.is_in_cookie(&with(format!("plyhouse-6175={token}; plyhouse-6174={other}"))));
        assert!(!key.is_in_cookie(&HeaderMap::new()));
    }

    #[test]
    fn a_qr_code_is_a_square() {
        let link = Link::new("http://192.168.178.20:6174/?token=00112233445566778899aabbccddeeff".into());
        let lines = link.lines();
        let width = lines[0].chars().count();
        assert!(lines.iter().all(|line| line.chars().count() == width) && lines.len() == width.div_ceil(2));
        assert!(link.svg().is_some_and(|svg| svg.contains("<svg")));
    }
}
