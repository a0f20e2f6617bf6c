//! Everything the server says on its own, in JSON.
//!
//! Two shapes: `{"error","message"}` for what happens before the protocol (token, host, path), and a JSON-RPC error for
//! what happens on `/mcp`. The SDK answers some mistakes in plain text; [`in_json`] turns those into JSON-RPC errors
//! with the same status, so that a client never has to parse two languages.

use axum::body::{Body, Bytes, HttpBody};
use http::{HeaderValue, Response, StatusCode, header};
use http_body_util::{BodyExt, Limited};
use rmcp::model::ErrorCode;
use serde::Serialize;
use serde_json::value::RawValue;

use super::refusal::Refusal;

/// Longest plain-text answer of the SDK that is quoted, in bytes.
const MAX_QUOTED_BYTES: usize = 4096;
/// What the SDK says about a message that is JSON but not JSON-RPC.
const UNRECOGNISED: &str = "unrecognized JSON-RPC message";
const JSON: HeaderValue = HeaderValue::from_static("application/json");

#[derive(Serialize)]
struct Problem<'a> {
    error: &'a str,
    message: &'a str,
}

/// A JSON answer.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    // The values are plain structures of strings, which always serialise.
    raw(status, serde_json::to_vec(value).unwrap_or_default())
}

/// A refusal outside the protocol.
pub(crate) fn problem(status: StatusCode, error: &str, message: &str) -> Response<Body> {
    json(status, &Problem { error, message })
}

/// A refusal inside the protocol.
pub(crate) fn refusal(status: StatusCode, refusal: &Refusal<'_>) -> Response<Body> {
    raw(status, refusal.to_json())
}

fn raw(status: StatusCode, body: Vec<u8>) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// Passes the SDK's answer on, with its plain-text errors turned into JSON-RPC errors.
pub(crate) async fn in_json<B>(response: Response<B>, id: Option<&RawValue>) -> Response<Body>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    let status = response.status();
    let is_json = response.headers().get(header::CONTENT_TYPE) == Some(&JSON);
    if !(status.is_client_error() || status.is_server_error()) || is_json {
        return response.map(Body::new);
    }
    let (parts, body) = response.into_parts();
    let text = Limited::new(body, MAX_QUOTED_BYTES).collect().await.map(http_body_util::Collected::to_bytes);
    let text = String::from_utf8_lossy(text.as_deref().unwrap_or_default()).into_owned();
    let (status, code, message) = translate(status, text);
    let mut reply = refusal(status, &Refusal::new(code, message, id));
    if let Some(allow) = parts.headers.get(header::ALLOW) {
        reply.headers_mut().insert(header::ALLOW, allow.clone());
    }
    reply
}

fn translate(status: StatusCode, text: String) -> (StatusCode, ErrorCode, String) {
    match status {
        // The content type was checked before, so the SDK means the body.
        StatusCode::UNSUPPORTED_MEDIA_TYPE if text.contains(UNRECOGNISED) => {
            (StatusCode::BAD_REQUEST, ErrorCode::INVALID_REQUEST, "not a JSON-RPC message".to_owned())
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE => {
            (StatusCode::BAD_REQUEST, ErrorCode::PARSE_ERROR, "the message is not valid JSON".to_owned())
        }
        // Internal errors stay internal; the SDK has logged them.
        _ if status.is_server_error() => (status, ErrorCode::INTERNAL_ERROR, "internal error".to_owned()),
        _ if text.is_empty() => (status, ErrorCode::INVALID_REQUEST, status.to_string()),
        _ => (status, ErrorCode::INVALID_REQUEST, text),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::*;

    async fn translated(status: u16, text: &'static str) -> (u16, serde_json::Value) {
        let mut response = Response::new(Full::new(Bytes::from_static(text.as_bytes())));
        *response.status_mut() = StatusCode::from_u16(status).unwrap();
        let reply = in_json(response, None).await;
        assert_eq!(reply.headers()[header::CONTENT_TYPE], JSON);
        let status = reply.status().as_u16();
        let body = reply.into_body().collect().await.unwrap().to_bytes();
        (status, serde_json::from_slice(&body).unwrap())
    }

    #[tokio::test]
    async fn text_of_the_sdk_becomes_a_json_rpc_error_with_the_same_status() {
        let (status, reply) = translated(404, "Not Found: Session not found").await;
        assert_eq!((status, &reply["error"]["code"]), (404, &(-32600).into()));
        assert_eq!(reply["error"]["message"], "Not Found: Session not found");
        assert_eq!((&reply["jsonrpc"], &reply["id"]), (&"2.0".into(), &serde_json::Value::Null));
    }

    #[tokio::test]
    async fn internal_errors_do_not_leak_their_text() {
        let (status, reply) = translated(500, "Encounter an error when opening /home/user").await;
        assert_eq!((status, &reply["error"]["code"]), (500, &(-32603).into()));
        assert_eq!(reply["error"]["message"], "internal error");
    }

    #[tokio::test]
    async fn unreadable_bodies_are_bad_requests() {
        let (status, reply) = translated(415, "fail to deserialize request body lone surrogate").await;
        assert_eq!((status, &reply["error"]["code"]), (400, &(-32700).into()));
        let (status, reply) =
            translated(415, "fail to deserialize request body unrecognized JSON-RPC message").await;
        assert_eq!((status, &reply["error"]["code"]), (400, &(-32600).into()));
    }
}
