//! A JSON-RPC error said by the transport itself, because the message never got as far as a handler.
//!
//! The id is echoed as the client wrote it, wherever it could be read; otherwise it is null, as JSON-RPC demands.

use std::borrow::Cow;

use rmcp::model::ErrorCode;
use serde::Serialize;
use serde_json::value::RawValue;

/// A message that gets an error instead of being handled.
#[derive(Debug)]
pub(crate) struct Refusal<'a> {
    pub(crate) code: ErrorCode,
    pub(crate) message: Cow<'static, str>,
    pub(crate) id: Option<&'a RawValue>,
}

impl<'a> Refusal<'a> {
    /// An error with any code.
    pub(crate) fn new(
        code: ErrorCode,
        message: impl Into<Cow<'static, str>>,
        id: Option<&'a RawValue>,
    ) -> Self {
        Self { code, message: message.into(), id }
    }

    /// For a message over the limit, which was not read.
    pub(crate) fn too_large(limit: usize) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, format!("the message is larger than {limit} bytes"), None)
    }

    /// For JSON that is no JSON-RPC message.
    pub(crate) fn invalid(message: &'static str, id: Option<&'a RawValue>) -> Self {
        Self::new(ErrorCode::INVALID_REQUEST, message, id)
    }

    /// For what is not JSON at all.
    pub(crate) fn unreadable(error: &serde_json::Error) -> Self {
        Self::new(ErrorCode::PARSE_ERROR, format!("the message is not valid JSON: {error}"), None)
    }

    /// The JSON-RPC error message, without a line end.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        #[derive(Serialize)]
        struct Body<'b> {
            code: i32,
            message: &'b str,
        }
        #[derive(Serialize)]
        struct Message<'b> {
            jsonrpc: &'static str,
            id: Option<&'b RawValue>,
            error: Body<'b>,
        }
        let error = Body { code: self.code.0, message: &self.message };
        // Serialising strings, an integer and checked JSON cannot fail.
        serde_json::to_vec(&Message { jsonrpc: "2.0", id: self.id, error }).unwrap_or_default()
    }
}
