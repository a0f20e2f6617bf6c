//! The first interface, for clients written for it: `GET /mcp/v1/tools/list` and `POST /mcp/v1/tools/call`.
//!
//! Two routes for [`HttpConfig::more_routes`], so that token, Host, Origin and throttling are those of `/mcp`. A call
//! is one JSON-RPC request and gets one JSON-RPC reply: a result with content alone, or an error with its code.
//! Everything between is the one dispatcher; what the policy hides there does not exist here.
//!
//! Status 200 is for whatever a method answers, its errors included; 400 and its kin are for malformed requests.
//! Non-goals: `initialize`, sessions, streams, batches. Clients that want those speak MCP at `/mcp`.
//!
//! [`HttpConfig::more_routes`]: super::HttpConfig::more_routes

mod wire;

use std::sync::Arc;

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    routing::{get, post},
};
use http::{Response, StatusCode};
use rmcp::model::{ErrorCode, JsonObject};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{
    body, envelope,
    envelope::{Envelope, Kind},
    incoming,
    limits::HttpLimits,
    refusal::Refusal,
    reply,
};
use crate::dispatch::Dispatcher;
use crate::policy::{Caller, caller};
use crate::registry::Interface;

pub use wire::{ERROR_CODES, code};

/// Where the tools are listed.
pub const LIST_PATH: &str = "/mcp/v1/tools/list";
/// Where tools are called.
pub const CALL_PATH: &str = "/mcp/v1/tools/call";

/// The one method of [`CALL_PATH`].
const CALL_METHOD: &str = "tools/call";

struct Shared {
    dispatcher: Arc<Dispatcher>,
    limits: HttpLimits,
}

/// The routes of v1 over this dispatcher.
pub fn routes(dispatcher: Arc<Dispatcher>, limits: HttpLimits) -> Router {
    Router::new()
        .route(LIST_PATH, get(list))
        .route(CALL_PATH, post(call))
        .with_state(Arc::new(Shared { dispatcher, limits }))
}

async fn list(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    body::discard(request.into_body(), &shared.limits);
    // As for MCP clients: a list made before the devices are known would be wrong.
    shared.dispatcher.settled().await;
    let tools = shared.dispatcher.tools_of(Interface::V1);
    reply::json(
        StatusCode::OK,
        &wire::Success { jsonrpc: wire::VERSION, id: None, result: wire::list(&tools) },
    )
}

async fn call(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let bytes = match incoming::message(&parts, body, &shared.limits).await {
        Ok(bytes) => bytes,
        Err(refused) => return *refused,
    };
    match envelope::inspect(&bytes).and_then(|envelope| read(&envelope, &bytes)) {
        Ok(asked) => answer(&shared.dispatcher, asked).await,
        // A method that is not there is an answer too, as it is on any JSON-RPC server.
        Err(refusal) if refusal.code == ErrorCode::METHOD_NOT_FOUND => {
            reply::refusal(StatusCode::OK, &refusal)
        }
        Err(refusal) => incoming::refused(&refusal),
    }
}

/// A well-formed call.
struct Asked<'a> {
    id: Option<&'a RawValue>,
    name: String,
    arguments: JsonObject,
}

fn read<'a>(envelope: &Envelope<'a>, bytes: &'a [u8]) -> Result<Asked<'a>, Refusal<'a>> {
    #[derive(Deserialize)]
    struct Message {
        params: Params,
    }
    #[derive(Deserialize)]
    struct Params {
        name: String,
        arguments: Option<JsonObject>,
    }
    let id = envelope.id;
    match envelope.kind {
        Kind::Request => {}
        Kind::Notification => return Err(Refusal::invalid(r#""id" is missing: every call is answered"#, id)),
        Kind::Response => return Err(Refusal::invalid("a response to nothing that was asked", id)),
    }
    if envelope.method != CALL_METHOD {
        let message = format!("Unknown method '{}': this path answers {CALL_METHOD}.", envelope.method);
        return Err(Refusal::new(ErrorCode::METHOD_NOT_FOUND, message, id));
    }
    let Message { params } = serde_json::from_slice(bytes).map_err(|error| {
        if error.is_data() {
            Refusal::new(ErrorCode::INVALID_PARAMS, format!("the params do not fit: {error}"), id)
        } else {
            // The outline skips over the arguments, so what is wrong inside them shows only here.
            Refusal::unreadable(&error)
        }
    })?;
    Ok(Asked { id, name: params.name, arguments: params.arguments.unwrap_or_default() })
}

async fn answer(dispatcher: &Dispatcher, asked: Asked<'_>) -> Response<Body> {
    let Asked { id, name, arguments } = asked;
    // A client that goes away drops the connection, and the call with it.
    match dispatcher.answer(Interface::V1, &name, &arguments, Caller::over(caller::V1)).await {
        Ok(answered) => {
            let result = wire::result(answered);
            reply::json(StatusCode::OK, &wire::Success { jsonrpc: wire::VERSION, id, result })
        }
        Err(unanswered) => {
            let (code, message) = wire::error(&name, &unanswered);
            reply::refusal(StatusCode::OK, &Refusal::new(ErrorCode(code), message, id))
        }
    }
}
