//! The routes.

use std::sync::Arc;

use axum::Router;
use axum::middleware;
use axum::routing::{any, get, post};

use super::site::Shared;
use super::{actions, checks, download, entrance, page, upload, views};

/// Returns the handler of all requests.
pub(super) fn router(site: &Shared) -> Router {
    let staff = Router::new()
        .route("/teams", get(views::staff_teams))
        .route("/audit", get(views::audit))
        .route("/grades.csv", get(views::grades_csv))
        .route("/grades.json", get(views::grades_json))
        .route("/copies", get(views::copies))
        .route("/copies/{a}/{b}", get(views::copy))
        .route("/uploads/{id}/file", get(download::file))
        .route("/{action}", post(actions::staff));
    let course = Router::new()
        .route("/about", get(views::about))
        .route("/standings", get(views::standings))
        .route("/teams/{id}", get(views::team))
        .route("/games", get(views::games))
        .route("/games/{id}", get(views::game))
        .route("/live", get(views::live))
        .route("/uploads", get(views::uploads).post(upload::receive))
        .route("/uploads/{id}/play", post(actions::choose))
        .route("/practice", get(views::practice).post(actions::practice))
        .route("/advice", get(views::advice))
        .route("/leave", post(entrance::leave))
        .nest("/staff", staff);
    Router::new()
        .nest("/course", course)
        .route("/course/{*rest}", any(page::nothing))
        .route("/t/{token}", get(entrance::enter))
        .route("/ask", post(page::ask))
        .route("/version", get(page::version))
        .route("/", get(page::start))
        .route("/{*path}", get(page::file))
        .method_not_allowed_fallback(page::wrong_method)
        .fallback(page::nothing)
        .with_state(Arc::clone(site))
        .layer(middleware::from_fn_with_state(Arc::clone(site), checks::check))
}
