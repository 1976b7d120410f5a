//! Requests that only read.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::answer::{mark_private, view, with_tag};
use super::query::{Asked, Named};
use super::site::{Caller, Shared};
use crate::grades::{self, Grade};
use crate::service::games::GamesQuery;
use crate::service::pulse::Topic;
use crate::service::refusal::Refused;
use crate::views::BoardKind;

/// The query of the scoreboard.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct StandingsQuery {
    page: Option<usize>,
    kind: Option<String>,
}

/// A query for a team.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TeamQuery {
    team: Option<String>,
}

/// A query for entries before one.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct BeforeQuery {
    before: Option<i64>,
}

pub(super) async fn about(State(site): State<Shared>, caller: Caller) -> Response {
    view(site, caller, Topic::About, |service, who| service.about(who)).await
}

pub(super) async fn standings(
    State(site): State<Shared>,
    caller: Caller,
    Asked(query): Asked<StandingsQuery>,
) -> Response {
    view(site, caller, Topic::Standings, move |service, who| {
        let kind = match query.kind.as_deref() {
            None => None,
            Some("ladder") => Some(BoardKind::Ladder),
            Some("final") => Some(BoardKind::Final),
            Some(other) => return Err(Refused::invalid("kind", other, "ladder or final")),
        };
        service.standings(who, kind, query.page.unwrap_or(1))
    })
    .await
}

pub(super) async fn team(State(site): State<Shared>, caller: Caller, Named(id): Named<String>) -> Response {
    view(site, caller, Topic::Team, move |service, who| service.team(who, &id)).await
}

pub(super) async fn games(State(site): State<Shared>, caller: Caller, Asked(query): Asked<GamesQuery>) -> Response {
    view(site, caller, Topic::Games, move |service, who| service.games(who, &query)).await
}

pub(super) async fn game(State(site): State<Shared>, caller: Caller, Named(id): Named<String>) -> Response {
    view(site, caller, Topic::Games, move |service, who| service.game(who, &id)).await
}

pub(super) async fn live(State(site): State<Shared>, caller: Caller) -> Response {
    view(site, caller, Topic::Live, |service, who| service.live(who)).await
}

pub(super) async fn uploads(
    State(site): State<Shared>,
    caller: Caller,
    Asked(TeamQuery { team }): Asked<TeamQuery>,
) -> Response {
    view(site, caller, Topic::Own, move |service, who| service.uploads(who, team.as_deref())).await
}

pub(super) async fn practice(State(site): State<Shared>, caller: Caller) -> Response {
    view(site, caller, Topic::Own, |service, who| service.practice_requests(who)).await
}

pub(super) async fn advice(State(site): State<Shared>, caller: Caller) -> Response {
    view(site, caller, Topic::Games, |service, who| service.advice(who)).await
}

pub(super) async fn staff_teams(State(site): State<Shared>, caller: Caller) -> Response {
    view(site, caller, Topic::Staff, |service, who| service.staff_teams(who)).await
}

pub(super) async fn audit(
    State(site): State<Shared>,
    caller: Caller,
    Asked(BeforeQuery { before }): Asked<BeforeQuery>,
) -> Response {
    view(site, caller, Topic::Staff, move |service, who| service.audit(who, before)).await
}

pub(super) async fn copies(State(site): State<Shared>, caller: Caller) -> Response {
    view(site, caller, Topic::Staff, |service, who| service.copies(who)).await
}

pub(super) async fn copy(State(site): State<Shared>, caller: Caller, Named((a, b)): Named<(i64, i64)>) -> Response {
    view(site, caller, Topic::Staff, move |service, who| service.copy(who, a, b)).await
}

pub(super) async fn grades_csv(site: State<Shared>, caller: Caller) -> Response {
    grades(site, caller, "text/csv; charset=utf-8", "attachment; filename=\"grades.csv\"", grades::grades_csv).await
}

pub(super) async fn grades_json(site: State<Shared>, caller: Caller) -> Response {
    grades(site, caller, "application/json", "attachment; filename=\"grades.json\"", grades::grades_json).await
}

async fn grades<E: ToString>(
    State(site): State<Shared>,
    caller: Caller,
    kind: &'static str,
    file: &'static str,
    write: impl FnOnce(&[Grade]) -> Result<String, E> + Send + 'static,
) -> Response {
    with_tag(site, caller, Topic::Staff, move |service, who| {
        let mut response = write(&service.grades(who)?).map_err(Refused::internal)?.into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
        headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(file));
        mark_private(headers);
        Ok(response)
    })
    .await
}
