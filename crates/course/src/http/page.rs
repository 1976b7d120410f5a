//! The files of the page, and its questions about positions.

use axum::extract::{Path, Request, State};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use house::desk::{self, LONGEST_QUESTION};
use web::Running;

use super::answer::blocking;
use super::failure::Failure;
use super::query;
use super::site::Shared;

/// Returns the page.
pub(super) async fn start(site: State<Shared>) -> Response {
    file(site, Path(String::new())).await
}

/// Returns a file of the page, or a document about a game.
pub(super) async fn file(State(site): State<Shared>, Path(path): Path<String>) -> Response {
    if let Some(file) = web::course_file(&path) {
        return ([(header::CONTENT_TYPE, file.kind), (header::CACHE_CONTROL, file.cache)], file.bytes).into_response();
    }
    match site.documents.at(&path) {
        Some(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        None => Failure::not_found().into_response(),
    }
}

/// Returns the version of the program.
pub(super) async fn version() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], desk::as_json(&Running::of_course())).into_response()
}

/// Answers a question about a position. Questions that need an engine are refused.
pub(super) async fn ask(State(site): State<Shared>, request: Request) -> Response {
    let question = match query::body(request.into_body(), LONGEST_QUESTION).await {
        Ok(question) => question,
        Err(failure) => return failure.into_response(),
    };
    let _permit = site.questions.acquire().await.expect("invariant: the semaphore is never closed");
    let answered = blocking(move || Ok(desk::as_json(&desk::answer(&question)))).await;
    answered.map_or_else(IntoResponse::into_response, |text| {
        ([(header::CONTENT_TYPE, "application/json")], text).into_response()
    })
}

/// Refuses a request for an unknown path.
pub(super) async fn nothing() -> Failure {
    Failure::not_found()
}

/// Refuses a request with a wrong method.
pub(super) async fn wrong_method(method: Method) -> Failure {
    Failure::wrong_method(method.as_str())
}
