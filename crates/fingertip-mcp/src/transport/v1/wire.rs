//! How v1 writes tools, results and errors.

use fingertip_core::{ErrorKind, visible};
use rmcp::model::Tool;
use serde::Serialize;
use serde_json::{Value, json, value::RawValue};

use crate::dispatch::{CallError, defect};
use crate::params::shorten;
use crate::picture::Jpeg;
use crate::reply::{Reply, error_text};
use crate::tools::v1::REPLACED;

/// The version every message names.
pub(super) const VERSION: &str = "2.0";

/// JSON-RPC: no such tool.
const METHOD_NOT_FOUND: i32 = -32601;

/// Every code v1 answers with, its name, and when.
pub const ERROR_CODES: [(i32, &str, &str); 9] = [
    (-32700, "Parse Error", "the body is not JSON"),
    (-32600, "Invalid Request", "it is JSON, but no JSON-RPC request; or a batch; or too large"),
    (METHOD_NOT_FOUND, "Method Not Found", "no tool of this name is offered, or no such method"),
    (
        code(ErrorKind::InvalidParams),
        "Invalid Params",
        "an argument is missing, unknown, of the wrong type or out of range",
    ),
    (code(ErrorKind::Internal), "Internal Error", "a defect of the server"),
    (
        code(ErrorKind::PermissionDenied),
        "Permission Denied",
        "no device, no access to it, or the policy forbids it",
    ),
    (code(ErrorKind::ElementNotFound), "Element Not Found", "the element is missing, gone or ambiguous"),
    (
        code(ErrorKind::ActionFailed),
        "Action Failed",
        "it could not be done, or had no effect; screenshots and logs too",
    ),
    (code(ErrorKind::Timeout), "Timeout", "the device did not answer in time"),
];

/// The code of an error of a tool.
#[must_use]
pub const fn code(kind: ErrorKind) -> i32 {
    match kind {
        ErrorKind::InvalidParams => -32602,
        ErrorKind::Internal => -32603,
        ErrorKind::PermissionDenied => -32001,
        ErrorKind::ElementNotFound => -32002,
        ErrorKind::ActionFailed => -32003,
        ErrorKind::Timeout => -32004,
    }
}

/// A reply that is no error.
#[derive(Serialize)]
pub(super) struct Success<'a> {
    pub(super) jsonrpc: &'static str,
    pub(super) id: Option<&'a RawValue>,
    pub(super) result: Value,
}

/// The list of tools: name, description and input of each, and nothing v1 does not know.
pub(super) fn list(tools: &[Tool]) -> Value {
    let listed = tools.iter().map(|tool| {
        let mut schema = Value::Object((*tool.input_schema).clone());
        reword_descriptions(&mut schema);
        json!({
            "name": tool.name,
            "description": reword(tool.description.as_deref().unwrap_or_default()),
            "inputSchema": schema,
        })
    });
    json!({ "tools": listed.collect::<Vec<_>>() })
}

/// The result of a call: content alone, a picture with its size. What marks it as untrusted stays beside it.
pub(super) fn result(reply: Reply) -> Value {
    let text = reply.text.map(|text| json!({ "type": "text", "text": text }));
    let picture = reply.pictures.first().map(|picture| {
        json!({
            "type": "image",
            "data": picture.to_base64(),
            "mimeType": Jpeg::MIME_TYPE,
            "width": picture.width,
            "height": picture.height,
        })
    });
    let content: Vec<Value> = text.into_iter().chain(picture).collect();
    let mut result = json!({ "content": content });
    if !reply.meta.is_empty() {
        result["_meta"] = Value::Object(reply.meta);
    }
    result
}

/// The code and the text of a call without a reply.
pub(super) fn error(tool: &str, unanswered: &CallError) -> (i32, String) {
    match unanswered {
        CallError::UnknownTool => {
            (METHOD_NOT_FOUND, format!("Unknown tool: {}", shorten(&visible::escape(tool))))
        }
        CallError::Failed(error) => {
            let guidance = error.guidance().map(reword);
            (code(error.kind()), error_text(error, guidance.as_deref()))
        }
        // Clients of v1 cannot be asked; the refusal that says so is a failure.
        CallError::Asked => (code(ErrorKind::Internal), defect(tool)),
        CallError::Cancelled => (code(ErrorKind::Internal), "The call was cancelled.".to_owned()),
        CallError::Panicked => (code(ErrorKind::Internal), defect(tool)),
    }
}

/// Our own words, with tools v1 does not have named by those that do their work there.
fn reword(text: &str) -> String {
    REPLACED.iter().fold(text.to_owned(), |text, (newer, older)| text.replace(newer, older))
}

fn reword_descriptions(schema: &mut Value) {
    let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for property in properties.values_mut() {
        if let Some(Value::String(description)) = property.get_mut("description") {
            *description = reword(description);
        }
    }
}
