//! Tools that ask the client something while they run: the way of protocol versions before 2026-07-28.

use std::time::Duration;

use rmcp::model::{
    CallToolResult, ContentBlock, CreateMessageRequestParams, ElicitRequestParams, ErrorData, SamplingMessage,
};
use rmcp::service::{Peer, RoleServer, ServiceError};
use serde_json::{Value, json};

/// How long a client may take to answer; without a limit a lost answer would hold the call for ever.
const ANSWER_LIMIT: Duration = Duration::from_secs(10);

/// Tokens the client may spend on one answer.
const MAX_TOKENS: u32 = 100;

/// `test_sampling`: lets the client's model answer the prompt.
pub(crate) async fn sample(peer: &Peer<RoleServer>, prompt: &str) -> Result<CallToolResult, ErrorData> {
    let params = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], MAX_TOKENS);
    let answer = tokio::time::timeout(ANSWER_LIMIT, peer.create_message(params))
        .await
        .map_err(|_| ErrorData::internal_error("the client did not answer", None))?
        .map_err(|error| refused(&error))?;
    let content = serde_json::to_value(&answer.message.content).unwrap_or_default();
    Ok(CallToolResult::success(vec![ContentBlock::text(format!("LLM response: {content}"))]))
}

/// Asks the user to fill in a form and reports what came back.
pub(crate) async fn elicit(
    peer: &Peer<RoleServer>,
    message: &str,
    schema: Value,
) -> Result<CallToolResult, ErrorData> {
    let requested_schema =
        serde_json::from_value(schema).map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    let params = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema,
    };
    let answer = peer
        .create_elicitation_with_timeout(params, Some(ANSWER_LIMIT))
        .await
        .map_err(|error| refused(&error))?;
    let action = serde_json::to_value(&answer.action).unwrap_or_default();
    let content = answer.content.unwrap_or_default();
    let text =
        format!("Elicitation completed: action={}, content={content}", action.as_str().unwrap_or("unknown"));
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}

/// The form of `test_elicitation`.
pub(crate) fn contact_form() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        },
        "required": ["username", "email"],
    })
}

/// The form of `test_elicitation_sep1034_defaults`: a default for each primitive type.
pub(crate) fn form_with_defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string", "default": "John Doe" },
            "age": { "type": "integer", "default": 30 },
            "score": { "type": "number", "default": 95.5 },
            "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
            "verified": { "type": "boolean", "default": true },
        },
    })
}

/// The form of `test_elicitation_sep1330_enums`: each way to write a choice.
pub(crate) fn form_with_choices() -> Value {
    let titled = json!([
        { "const": "value1", "title": "First Option" },
        { "const": "value2", "title": "Second Option" },
        { "const": "value3", "title": "Third Option" },
    ]);
    let plain = json!(["option1", "option2", "option3"]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled } },
        },
    })
}

fn refused(error: &ServiceError) -> ErrorData {
    ErrorData::internal_error(format!("the client cannot be asked: {error}"), None)
}
