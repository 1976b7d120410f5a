//! Actions of teams and staff.

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::answer::act;
use super::failure::Failure;
use super::query::{self, Named};
use super::site::{Caller, Shared};
use crate::service::staff::StaffAction;
use crate::tokens::Role;

pub(super) async fn choose(State(site): State<Shared>, caller: Caller, Named(id): Named<i64>) -> Response {
    act(site, caller, move |service, who| service.choose(who, id).map(|()| json!({}))).await
}

pub(super) async fn practice(State(site): State<Shared>, caller: Caller, request: Request) -> Response {
    let values = match query::json(request.into_body()).await {
        Ok(values) => values,
        Err(failure) => return failure.into_response(),
    };
    let level = match &values["level"] {
        Value::String(level) => level.clone(),
        other => other.to_string(),
    };
    act(site, caller, move |service, who| service.practice(who, &level).map(|game| json!({ "game": game }))).await
}

pub(super) async fn staff(
    State(site): State<Shared>,
    caller: Caller,
    Named(action): Named<String>,
    request: Request,
) -> Response {
    let values = match query::json(request.into_body()).await {
        Ok(values) => values,
        Err(failure) => return failure.into_response(),
    };
    act(site, caller, move |service, who| {
        // Others learn nothing about the actions.
        if who != Some(&Role::Staff) {
            return Err(Failure::not_staff());
        }
        Ok(service.act(who, &StaffAction::parse(&action, values)?)?)
    })
    .await
}
