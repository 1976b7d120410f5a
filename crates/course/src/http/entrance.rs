//! Personal links.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::answer::{blocking, forget, json};
use super::query::Named;
use super::site::{Caller, Shared};
use crate::tokens::Role;

/// Stores the token of a link in a cookie, and redirects to the page of its role.
pub(super) async fn enter(State(site): State<Shared>, caller: Caller, Named(token): Named<String>) -> Response {
    let entered = blocking(move || {
        let role = site.role_of(&token, caller.from)?;
        let place = match role {
            Some(Role::Team(_)) => "/#/course/mine",
            Some(Role::Staff) => "/#/course/staff",
            None => return Ok(unknown_link()),
        };
        site.service.mark_used(&token)?;
        let mut headers = HeaderMap::new();
        headers.insert(header::LOCATION, HeaderValue::from_static(place));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        forget(&mut headers, &site.cookie(&token));
        Ok((StatusCode::SEE_OTHER, headers).into_response())
    });
    // A person sees this answer, not the page.
    entered.await.unwrap_or_else(|failure| {
        let text = format!("{}\n", failure.message);
        let mut response = (failure.status, text).into_response();
        if let Some(cause) = failure.cause {
            response.extensions_mut().insert(super::failure::Cause(cause));
        }
        response
    })
}

fn unknown_link() -> Response {
    let text = "This link is not valid, or was replaced by a new one. Ask the staff of the course for your link.\n";
    (StatusCode::NOT_FOUND, text).into_response()
}

/// Removes the cookie.
pub(super) async fn leave(State(site): State<Shared>) -> Response {
    let mut response = json(&json!({}));
    forget(response.headers_mut(), &site.cookie(""));
    response
}
