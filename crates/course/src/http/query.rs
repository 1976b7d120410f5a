//! Values in the addresses and bodies of requests.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::time::timeout;

use super::failure::Failure;
use super::site::Shared;

/// Maximum size of the body of an action, in bytes.
const LONGEST: usize = 64 << 10;
/// Timeout for receiving the body of an action or a question.
const PATIENCE: Duration = Duration::from_secs(10);

/// The values of the query.
pub(super) struct Asked<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<Shared> for Asked<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Self, Failure> {
        let read = Query::<T>::try_from_uri(&parts.uri);
        read.map(|Query(values)| Self(values)).map_err(|error| Failure::malformed(&error.body_text()))
    }
}

/// The values of the path. A path with other values names nothing.
pub(super) struct Named<T>(pub(super) T);

impl<T: DeserializeOwned + Send> FromRequestParts<Shared> for Named<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, site: &Shared) -> Result<Self, Failure> {
        let read = Path::<T>::from_request_parts(parts, site).await;
        read.map(|Path(values)| Self(values)).map_err(|_| Failure::not_found())
    }
}

/// Receives a body of at most `longest` bytes.
///
/// # Errors
/// If the body is longer, is cut off, or arrives too slowly.
pub(super) async fn body(body: Body, longest: usize) -> Result<Vec<u8>, Failure> {
    use hyper::body::Body as _;
    if body.size_hint().lower() > longest as u64 {
        return Err(Failure::too_long(longest));
    }
    match timeout(PATIENCE, to_bytes(body, longest)).await {
        Ok(Ok(bytes)) => Ok(bytes.into()),
        // `to_bytes` does not distinguish its limit from a lost connection, which receives no answer.
        Ok(Err(_)) => Err(Failure::too_long(longest)),
        Err(_) => Err(Failure::too_slow()),
    }
}

/// Receives a JSON value. An empty body is `null`.
///
/// # Errors
/// If the body is too long, cut off, too slow, or not JSON.
pub(super) async fn json(request: Body) -> Result<Value, Failure> {
    let bytes = body(request, LONGEST).await?;
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&bytes).map_err(|error| Failure::malformed(&error.to_string()))
}
