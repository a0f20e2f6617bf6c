//! The tools by name: plain replies here, those that ask the client something in modules of their own.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, ErrorData,
    LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProtocolVersion,
    ResourceContents, Tool, object,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use crate::server::Fixtures;
use crate::subscriptions::Change;
use crate::{elicitation, input_required};

/// A red pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";

/// An empty sound: only the header of a WAV file.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/// The pause between two notifications, so that they arrive one by one.
const PAUSE: Duration = Duration::from_millis(50);

/// Tools without parameters.
const PLAIN: [&str; 24] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_tool_with_progress",
    "test_error_handling",
    "test_reconnection",
    "test_elicitation_sep1034_defaults",
    "test_elicitation_sep1330_enums",
    "test_missing_capability",
    "test_streaming_elicitation",
    "test_trigger_tool_change",
    "test_trigger_prompt_change",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
];

pub(crate) fn list() -> Vec<Tool> {
    let mut tools: Vec<Tool> =
        PLAIN.iter().map(|name| tool(name, json!({ "type": "object", "properties": {} }))).collect();
    tools.push(tool("test_sampling", one_text("prompt")));
    tools.push(tool("test_elicitation", one_text("message")));
    let mut region = one_text("region");
    region["properties"]["region"]["x-mcp-header"] = "Region".into();
    tools.push(tool("test_parameter_in_header", region));
    tools.push(tool("json_schema_2020_12_tool", schema_2020_12()));
    tools
}

pub(crate) async fn call(
    fixtures: &Fixtures,
    request: CallToolRequestParams,
    context: RequestContext<RoleServer>,
) -> Result<CallToolResponse, ErrorData> {
    let capabilities = context.client_capabilities().unwrap_or_default();
    if let Some(response) = input_required::call(fixtures, &request, &capabilities) {
        return response;
    }
    let peer = &context.peer;
    let result = match request.name.as_ref() {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => CallToolResult::success(vec![image()]),
        "test_audio_content" => CallToolResult::success(vec![ContentBlock::audio(WAV, "audio/wav")]),
        "test_embedded_resource" => CallToolResult::success(vec![resource(
            "test://embedded-resource",
            "text/plain",
            "This is an embedded resource content.",
        )]),
        "test_multiple_content_types" => CallToolResult::success(vec![
            ContentBlock::text("Multiple content types test:"),
            image(),
            resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_error_handling" => CallToolResult::error(vec![ContentBlock::text(
            "This tool intentionally returns an error for testing",
        )]),
        "test_tool_with_logging" | "test_logging_tool" => log(&context).await,
        "test_tool_with_progress" => report_progress(&context).await,
        "test_reconnection" => {
            tokio::time::sleep(PAUSE).await;
            text("Reconnection test completed")
        }
        "test_sampling" => elicitation::sample(peer, argument(&request, "prompt")?).await?,
        "test_elicitation" => {
            elicitation::elicit(peer, argument(&request, "message")?, elicitation::contact_form()).await?
        }
        "test_elicitation_sep1034_defaults" => {
            elicitation::elicit(peer, "Please review", elicitation::form_with_defaults()).await?
        }
        "test_elicitation_sep1330_enums" => {
            elicitation::elicit(peer, "Please choose", elicitation::form_with_choices()).await?
        }
        "test_streaming_elicitation" => return input_required::greet(request.input_responses.as_ref()),
        "test_missing_capability" if capabilities.sampling.is_none() => {
            let required = ClientCapabilities::builder().enable_sampling().build();
            return Err(ErrorData::missing_required_client_capability(required));
        }
        "test_missing_capability" => text("The client declared sampling."),
        "test_trigger_tool_change" => announce(fixtures, Change::Tools),
        "test_trigger_prompt_change" => announce(fixtures, Change::Prompts),
        "test_parameter_in_header" => text(argument(&request, "region")?),
        "json_schema_2020_12_tool" => text("The schema was listed."),
        unknown => return Err(ErrorData::invalid_params(format!("Unknown tool: {unknown}"), None)),
    };
    Ok(result.into())
}

/// Sends three log messages, but none to a client of 2026-07-28 that set no level in its request.
async fn log(context: &RequestContext<RoleServer>) -> CallToolResult {
    let per_request =
        context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28);
    let wanted = !per_request || context.meta.log_level().is_some();
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        if wanted {
            let param = LoggingMessageNotificationParam::new(LoggingLevel::Info, message.into());
            let _client_may_be_gone = context.peer.notify_logging_message(param).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    text("Logging test completed")
}

async fn report_progress(context: &RequestContext<RoleServer>) -> CallToolResult {
    let token = context.meta.get_progress_token();
    for progress in [0.0, 50.0, 100.0] {
        if let Some(token) = token.clone() {
            let param = ProgressNotificationParam::new(token, progress).with_total(100.0);
            let _client_may_be_gone = context.peer.notify_progress(param).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
    text("Progress test completed")
}

fn announce(fixtures: &Fixtures, change: Change) -> CallToolResult {
    fixtures.changes.announce(change);
    text("Announced")
}

fn argument<'a>(request: &'a CallToolRequestParams, name: &str) -> Result<&'a str, ErrorData> {
    let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
    value
        .and_then(Value::as_str)
        .ok_or_else(|| ErrorData::invalid_params(format!("Missing argument: {name}"), None))
}

fn text(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn image() -> ContentBlock {
    ContentBlock::image(PNG, "image/png")
}

fn resource(uri: &str, mime_type: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(text, uri).with_mime_type(mime_type))
}

fn tool(name: &'static str, schema: Value) -> Tool {
    Tool::new(name, format!("Conformance fixture {name}"), Arc::new(object(schema)))
}

fn one_text(parameter: &str) -> Value {
    json!({
        "type": "object",
        "properties": { parameter: { "type": "string" } },
        "required": [parameter],
    })
}

/// Uses the keywords that servers with a narrower idea of JSON Schema lose.
fn schema_2020_12() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    })
}
