//! Steps before and after each request: access checks, security headers, the log.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use web::{Connection, add_security_headers};

use super::failure::Cause;
use super::gate::Client;
use super::site::Shared;

/// Checks a request, and adds headers to its answer.
pub(super) async fn check(State(site): State<Shared>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let (method, path) = (request.method().clone(), shown_path(request.uri().path()));
    let connection = request.extensions().get::<Connection>().cloned();
    let peer = connection.as_ref().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |connection| connection.from);
    let admitted = match &site.gate {
        None => Ok(peer),
        Some(gate) => gate.admit(&method, request.headers()).map(|()| gate.client(peer, request.headers())),
    };
    let mut response = match admitted {
        Ok(client) => {
            request.extensions_mut().insert(Client(client));
            next.run(request).await
        }
        Err(failure) => {
            // The client may be sending a file.
            if let Some(connection) = connection {
                connection.drain_at_end();
            }
            failure.into_response()
        }
    };
    add_security_headers(response.headers_mut());
    let cause = response.extensions_mut().remove::<Cause>();
    if site.log.is_verbose || cause.is_some() {
        let (status, ms) = (response.status().as_u16(), began.elapsed().as_millis());
        let cause = cause.map_or_else(String::new, |Cause(cause)| format!(": {cause}"));
        (site.log.write)(&game::text::printable(&format!("{method} {path} {status} {ms} ms{cause}")));
    }
    response
}

/// Returns a path for the log, without the secret of a link.
fn shown_path(path: &str) -> String {
    if path.starts_with("/t/") { "/t/…".to_owned() } else { path.chars().take(200).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_logged() {
        assert_eq!(shown_path("/t/0123456789abcdef0123456789abcdef"), "/t/…");
        assert_eq!(shown_path("/course/about"), "/course/about");
    }
}
