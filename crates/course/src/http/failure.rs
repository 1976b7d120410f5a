//! Errors that clients receive.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use game::{Message, message};
use serde_json::json;

use crate::service::refusal::Refused;

/// An error for a client: a status, and a message without details of the server.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) status: StatusCode,
    pub(super) message: Message,
    /// Cause for the server's log.
    pub(super) cause: Option<String>,
}

/// The cause of an error, attached to its answer for the log.
#[derive(Clone)]
pub(super) struct Cause(pub(super) String);

impl Failure {
    fn new(status: StatusCode, message: Message) -> Self {
        Self { status, message, cause: None }
    }

    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, message!("notFound", "There is nothing at this address."))
    }

    pub(super) fn wrong_method(method: &str) -> Self {
        let method = game::text::excerpt(method);
        let text = message!("notAllowed", "{method} is not possible at this address.", method = method.as_str());
        Self::new(StatusCode::METHOD_NOT_ALLOWED, text)
    }

    pub(super) fn foreign_host(host: &str) -> Self {
        let host = game::text::excerpt(host);
        let text = message!(
            "foreignHost",
            "This server is not {host}. Its public address is `public` in the section [server] of the course file.",
            host = host.as_str()
        );
        Self::new(StatusCode::FORBIDDEN, text)
    }

    pub(super) fn foreign_origin() -> Self {
        Self::new(StatusCode::FORBIDDEN, message!("foreignOrigin", "This server answers only its own pages."))
    }

    pub(super) fn not_staff() -> Self {
        Self::new(StatusCode::FORBIDDEN, message!("notStaff", "Only the staff of the course can do that."))
    }

    pub(super) fn malformed(why: &str) -> Self {
        let why = game::text::excerpt(why);
        let text = message!("malformed", "The request is malformed: {why}", why = why.as_str());
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    pub(super) fn too_long(limit: usize) -> Self {
        let text = message!("tooLong", "The request is longer than {limit} bytes, the maximum.", limit);
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, text)
    }

    pub(super) fn too_slow() -> Self {
        let text = message!("tooSlow", "The transfer was too slow, so nothing was changed. Send it again.");
        Self::new(StatusCode::REQUEST_TIMEOUT, text)
    }

    pub(super) fn cut_off() -> Self {
        let text = message!("cutOff", "The transfer was cut off, so nothing was changed. Send it again.");
        Self::new(StatusCode::BAD_REQUEST, text)
    }

    pub(super) fn too_many_guesses() -> Self {
        let text = message!(
            "tooManyGuesses",
            "Too many unknown links were opened from your network address. Try again in a minute."
        );
        Self::new(StatusCode::TOO_MANY_REQUESTS, text)
    }

    pub(super) fn internal(cause: &str) -> Self {
        Self::from(Refused::internal(cause))
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let status = StatusCode::from_u16(refused.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, message: refused.message, cause: refused.cause }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let text = json!({ "error": self.message }).to_string();
        let mut response = (self.status, [(header::CONTENT_TYPE, "application/json")], text).into_response();
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(Cause(cause));
        }
        response
    }
}
