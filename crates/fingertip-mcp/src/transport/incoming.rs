//! A message posted over HTTP: read within the limits, or refused with the JSON-RPC error and status that fit.

use axum::body::{Body, Bytes, HttpBody};
use http::{HeaderValue, Response, StatusCode, Version, header, request::Parts};
use rmcp::model::ErrorCode;

use super::{
    accept,
    body::{self, Unread},
    limits::HttpLimits,
    refusal::Refusal,
    reply,
};

/// The bytes of a posted message, or the answer to one that cannot be read.
pub(crate) async fn message<B>(
    parts: &Parts,
    body: B,
    limits: &HttpLimits,
) -> Result<Bytes, Box<Response<Body>>>
where
    B: HttpBody<Data = Bytes> + Send + Unpin + 'static,
{
    if !accept::sends_json(&parts.headers) {
        body::discard(body, limits);
        let message = "Content-Type must be application/json";
        return Err(invalid(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    match body::read(body, limits.body_bytes, limits.body_timeout).await {
        Ok(bytes) => Ok(bytes),
        Err(Unread::TooLarge(rest)) => {
            body::discard(rest, limits);
            let refusal = Refusal::too_large(limits.body_bytes);
            Err(Box::new(reply::refusal(StatusCode::PAYLOAD_TOO_LARGE, &refusal)))
        }
        Err(Unread::TooSlow) => {
            let mut refused = invalid(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
            if parts.version < Version::HTTP_2 {
                refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
            }
            Err(refused)
        }
        Err(Unread::Broken) => Err(invalid(StatusCode::BAD_REQUEST, "the body broke off")),
    }
}

/// The answer to a message that was read and is refused.
pub(crate) fn refused(refusal: &Refusal<'_>) -> Response<Body> {
    // Wrong params are the method's answer, not a failure of the transport.
    let is_answer = refusal.code == ErrorCode::INVALID_PARAMS;
    reply::refusal(if is_answer { StatusCode::OK } else { StatusCode::BAD_REQUEST }, refusal)
}

fn invalid(status: StatusCode, message: &'static str) -> Box<Response<Body>> {
    Box::new(reply::refusal(status, &Refusal::new(ErrorCode::INVALID_REQUEST, message, None)))
}
