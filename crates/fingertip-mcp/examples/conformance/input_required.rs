//! Tools that ask the client something between two calls: the way of protocol version 2026-07-28.
//!
//! The first call is answered with questions, the next one carries the answers. What the server must remember goes
//! through the client as a sealed state, so no round needs to reach the same process.

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ContentBlock, ErrorData,
    InputRequests, InputRequiredResult, InputResponses,
};
use serde_json::{Value, json};

use crate::server::Fixtures;

/// The prompt that asks for its context.
pub(crate) const PROMPT: &str = "test_input_required_result_prompt";

/// Where a call stands.
pub(crate) enum Round<T> {
    /// The client has to answer this first.
    Ask(InputRequiredResult),
    /// Everything is known.
    Done(T),
}

/// Runs the tool of that name; `None` if it is none of these.
pub(crate) fn call(
    fixtures: &Fixtures,
    request: &CallToolRequestParams,
    capabilities: &ClientCapabilities,
) -> Option<Result<CallToolResponse, ErrorData>> {
    let answers = request.input_responses.as_ref();
    let response = match request.name.strip_prefix("test_input_required_result_")? {
        "elicitation" => greet(answers),
        "sampling" => ask_once(answers, "capital_question", &question("What is the capital of France?")),
        "list_roots" => ask_once(answers, "client_roots", &roots()),
        "request_state" | "tampered_state" => confirm(fixtures, request),
        "multiple_inputs" => ask_three(fixtures, request),
        "multi_round" => ask_twice(fixtures, request),
        "capabilities" => ask_what_is_declared(capabilities),
        _ => return None,
    };
    Some(response)
}

/// `test_streaming_elicitation`: asks in its result, never by a request of its own on the stream.
pub(crate) fn greet(answers: Option<&InputResponses>) -> Result<CallToolResponse, ErrorData> {
    match accepted(answers, "user_name", "name") {
        Some(name) => Ok(done(format!("Hello, {name}!"))),
        None => ask(json!({ "user_name": form("What is your name?", "name") }), None),
    }
}

/// The context [`PROMPT`] needs.
pub(crate) fn prompt_context(answers: Option<&InputResponses>) -> Result<Round<&str>, ErrorData> {
    match accepted(answers, "user_context", "context") {
        Some(context) => Ok(Round::Done(context)),
        None => {
            let questions = json!({ "user_context": form("What context should the prompt use?", "context") });
            input_required(questions, None).map(Round::Ask)
        }
    }
}

fn ask_once(
    answers: Option<&InputResponses>,
    key: &str,
    question: &Value,
) -> Result<CallToolResponse, ErrorData> {
    match answers.and_then(|answers| answers.get(key)).filter(|answer| answer.is_object()) {
        Some(answer) => Ok(done(format!("The client answered: {answer}"))),
        None => ask(json!({ key: question }), None),
    }
}

fn confirm(fixtures: &Fixtures, request: &CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
    let Some(state) = open_state(fixtures, request)? else {
        let confirmation = json!({
            "method": "elicitation/create",
            "params": {
                "message": "Please confirm",
                "requestedSchema": {
                    "type": "object",
                    "properties": { "ok": { "type": "boolean" } },
                    "required": ["ok"],
                },
            },
        });
        let state = seal_state(fixtures, &json!({ "asked": request.name }))?;
        return ask(json!({ "confirm": confirmation }), Some(state));
    };
    Ok(done(format!("state-ok {state}")))
}

fn ask_three(fixtures: &Fixtures, request: &CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
    let questions = json!({
        "user_name": form("What is your name?", "name"),
        "greeting": question("Generate a greeting"),
        "client_roots": roots(),
    });
    let answers = request.input_responses.as_ref();
    let complete = ["user_name", "greeting", "client_roots"]
        .iter()
        .all(|key| answers.is_some_and(|answers| answers.contains_key(*key)));
    match open_state(fixtures, request)? {
        Some(_) if complete => Ok(done("All three questions are answered.".to_owned())),
        _ => ask(questions, Some(seal_state(fixtures, &json!({ "asked": 3 }))?)),
    }
}

fn ask_twice(fixtures: &Fixtures, request: &CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
    let answers = request.input_responses.as_ref();
    let state = open_state(fixtures, request)?;
    if let Some(name) = accepted(answers, "step1", "name").filter(|_| state.is_some()) {
        let questions = json!({ "step2": form("Step 2: What is your favorite color?", "color") });
        return ask(questions, Some(seal_state(fixtures, &json!({ "name": name }))?));
    }
    let name = state.as_ref().and_then(|state| state["name"].as_str());
    match (name, accepted(answers, "step2", "color")) {
        (Some(name), Some(color)) => Ok(done(format!("{name} likes {color}."))),
        _ => {
            let questions = json!({ "step1": form("Step 1: What is your name?", "name") });
            ask(questions, Some(seal_state(fixtures, &json!({ "round": 1 }))?))
        }
    }
}

/// Asks only what the client said it can answer.
fn ask_what_is_declared(capabilities: &ClientCapabilities) -> Result<CallToolResponse, ErrorData> {
    let mut questions = serde_json::Map::new();
    if capabilities.elicitation.is_some() {
        questions.insert("user_name".to_owned(), form("What is your name?", "name"));
    }
    if capabilities.sampling.is_some() {
        questions.insert("greeting".to_owned(), question("Generate a greeting"));
    }
    ask(Value::Object(questions), None)
}

/// The text a user typed into `field`, if the form `key` was accepted.
fn accepted<'a>(answers: Option<&'a InputResponses>, key: &str, field: &str) -> Option<&'a str> {
    let answer = answers?.get(key)?;
    (answer["action"] == "accept").then(|| answer["content"][field].as_str()).flatten()
}

fn open_state(fixtures: &Fixtures, request: &CallToolRequestParams) -> Result<Option<Value>, ErrorData> {
    let open = |sealed: &String| fixtures.state_codec.open_json(sealed);
    request
        .request_state
        .as_ref()
        .map(open)
        .transpose()
        .map_err(|_| ErrorData::invalid_params("requestState was not issued by this server", None))
}

fn seal_state(fixtures: &Fixtures, state: &Value) -> Result<String, ErrorData> {
    fixtures.state_codec.seal_json(state).map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

fn ask(questions: Value, state: Option<String>) -> Result<CallToolResponse, ErrorData> {
    input_required(questions, state).map(Into::into)
}

fn input_required(questions: Value, state: Option<String>) -> Result<InputRequiredResult, ErrorData> {
    let questions: InputRequests = serde_json::from_value(questions)
        .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
    Ok(InputRequiredResult::new(Some(questions), state))
}

fn done(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn form(message: &str, field: &str) -> Value {
    json!({
        "method": "elicitation/create",
        "params": {
            "message": message,
            "requestedSchema": {
                "type": "object",
                "properties": { field: { "type": "string" } },
                "required": [field],
            },
        },
    })
}

fn question(text: &str) -> Value {
    json!({
        "method": "sampling/createMessage",
        "params": {
            "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
            "maxTokens": 100,
        },
    })
}

fn roots() -> Value {
    json!({ "method": "roots/list", "params": {} })
}
