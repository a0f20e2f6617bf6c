//! `GET /health`: whether the server is up, for anyone who can reach it.

use axum::body::Body;
use http::{Method, Request, Response, StatusCode};
use serde::Serialize;

use super::reply;

#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

/// The one question that is answered without a token.
pub(crate) fn is_asked<B>(request: &Request<B>) -> bool {
    request.uri().path() == "/health" && matches!(*request.method(), Method::GET | Method::HEAD)
}

pub(crate) fn answer() -> Response<Body> {
    reply::json(StatusCode::OK, &Health { status: "healthy", version: env!("CARGO_PKG_VERSION") })
}
