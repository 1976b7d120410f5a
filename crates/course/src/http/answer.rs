//! Answers in JSON, with entity tags.

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::failure::Failure;
use super::site::{Access, Caller, Shared};
use crate::service::course::{Service, Who};
use crate::service::pulse::Topic;
use crate::service::refusal::Refused;

/// Runs a function that blocks in a thread of its own.
pub(super) async fn blocking<T: Send + 'static>(
    run: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    // The task fails only if it panics.
    tokio::task::spawn_blocking(run).await.unwrap_or_else(|error| Err(Failure::internal(&error.to_string())))
}

/// Reads a part of the course for a caller, and returns it in JSON. If the caller knows the current state of the topic,
/// the answer is 304, without a body.
pub(super) async fn view<T: Serialize>(
    site: Shared,
    caller: Caller,
    topic: Topic,
    read: impl FnOnce(&Arc<Service>, Who<'_>) -> Result<T, Refused> + Send + 'static,
) -> Response {
    with_tag(site, caller, topic, |service, who| Ok(json(&read(service, who)?))).await
}

/// Like [`view`], for any form of answer.
pub(super) async fn with_tag(
    site: Shared,
    caller: Caller,
    topic: Topic,
    read: impl FnOnce(&Arc<Service>, Who<'_>) -> Result<Response, Refused> + Send + 'static,
) -> Response {
    answer(site, caller, move |service, who, caller| {
        // The tag must not be newer than the answer.
        let tag = service.etag(topic, who);
        let is_known = caller.known.as_deref().is_some_and(|known| matches(known, &tag));
        let mut response = if is_known { StatusCode::NOT_MODIFIED.into_response() } else { read(service, who)? };
        if let Ok(tag) = tag.parse() {
            response.headers_mut().insert(header::ETAG, tag);
        }
        Ok(response)
    })
    .await
}

/// Performs an action of a caller, and returns its result in JSON.
pub(super) async fn act<T: Serialize, E: Into<Failure>>(
    site: Shared,
    caller: Caller,
    act: impl FnOnce(&Arc<Service>, Who<'_>) -> Result<T, E> + Send + 'static,
) -> Response {
    answer(site, caller, |service, who, _| act(service, who).map(|value| json(&value)).map_err(E::into)).await
}

async fn answer(
    site: Shared,
    caller: Caller,
    answer: impl FnOnce(&Arc<Service>, Who<'_>, &Caller) -> Result<Response, Failure> + Send + 'static,
) -> Response {
    let answered = blocking(move || {
        let access = site.role(&caller)?;
        let mut response = answer(&site.service, access.role(), &caller).unwrap_or_else(IntoResponse::into_response);
        if matches!(access, Access::Unknown) {
            forget(response.headers_mut(), &site.cookie(""));
        }
        Ok(response)
    });
    answered.await.unwrap_or_else(IntoResponse::into_response)
}

/// Sets a cookie.
pub(super) fn forget(headers: &mut HeaderMap, cookie: &str) {
    if let Ok(cookie) = cookie.parse() {
        headers.append(header::SET_COOKIE, cookie);
    }
}

/// Returns an answer in JSON, which depends on the cookie.
pub(super) fn json<T: Serialize>(value: &T) -> Response {
    let text = house::desk::as_json(value);
    let mut response = ([(header::CONTENT_TYPE, "application/json")], text).into_response();
    mark_private(response.headers_mut());
    response
}

/// Marks an answer that shared caches must not keep.
pub(super) fn mark_private(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("Cookie"));
}

/// Returns `true` if a value of `If-None-Match` has a tag. `*` is none: it would hide that the caller has no right.
fn matches(known: &str, tag: &str) -> bool {
    known.split(',').map(str::trim).any(|known| known.trim_start_matches("W/") == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_match_also_in_lists_and_after_a_proxy_weakened_them() {
        for known in ["\"a\"", "W/\"a\"", "\"b\", \"a\""] {
            assert!(matches(known, "\"a\""), "{known}");
        }
        assert!(["\"b\"", "", "a", "*"].iter().all(|known| !matches(known, "\"a\"")));
    }
}
