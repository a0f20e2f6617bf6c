//! The check every JSON-RPC message passes before the SDK sees it, over HTTP and stdio alike.
//!
//! The SDK drops or mislabels what it cannot read: bad JSON and batches become a text reply or silence, and a known
//! method with wrong params is reported as an unknown method. This module reads only the outline of a message, so
//! that each of those gets the JSON-RPC error the specification names, with the id echoed wherever it can be read.
//!
//! The outline borrows from the input and skips over the values: no tree is built on the way of a tool call.
//! Non-goal: judging what the method means, or whether the arguments fit a tool.

use std::borrow::Cow;
use std::collections::HashMap;

use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use serde_json::value::RawValue;

use super::refusal::Refusal;
use super::unique::repeated_key;

/// Largest message accepted, in bytes: an HTTP body or one line on standard input.
pub const MAX_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

/// How many characters of a key an error quotes.
const MAX_QUOTED_KEY: usize = 64;

/// Integers up to this size survive a trip through a float, so `1.0` may stand for the id 1.
const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

/// Requests the SDK has a type for. With params that do not fit, it would call them unknown methods.
const TYPED_METHODS: [&str; 18] = [
    "ping",
    "initialize",
    "server/discover",
    "completion/complete",
    "logging/setLevel",
    "prompts/get",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "resources/subscribe",
    "resources/unsubscribe",
    "subscriptions/listen",
    "tools/call",
    "tools/list",
    "tasks/get",
    "tasks/update",
    "tasks/cancel",
];

/// Those of them that a request which brings its own protocol version does not have: they belong to sessions.
const SESSION_METHODS: [&str; 5] =
    ["ping", "initialize", "logging/setLevel", "resources/subscribe", "resources/unsubscribe"];

/// Where a request without a session says which protocol version it speaks.
const OWN_VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// What a well-formed message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Has a method and an id: wants an answer.
    Request,
    /// Has a method and no id.
    Notification,
    /// Answers something the server asked.
    Response,
}

/// The outline of a well-formed message.
#[derive(Debug)]
pub(crate) struct Envelope<'a> {
    pub(crate) kind: Kind,
    /// Empty for a response.
    pub(crate) method: Cow<'a, str>,
    pub(crate) id: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Outline<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "seen")]
    result: bool,
    #[serde(default, deserialize_with = "seen")]
    error: bool,
}

/// Keeps `null` apart from an absent field, which `Option` alone would merge.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn seen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// Reads the outline of one message, or says why it is refused.
pub(crate) fn inspect(bytes: &[u8]) -> Result<Envelope<'_>, Refusal<'_>> {
    let text = std::str::from_utf8(bytes)
        .map_err(|_| Refusal::new(ErrorCode::PARSE_ERROR, "the message is not valid UTF-8", None))?;
    match text.trim_ascii_start().as_bytes().first() {
        Some(b'{') => {}
        first => return Err(not_an_object(text, first == Some(&b'['))),
    }
    let outline: Outline<'_> = serde_json::from_str(text).map_err(|error| {
        if error.is_data() {
            Refusal::new(ErrorCode::INVALID_REQUEST, format!("not a JSON-RPC message: {error}"), None)
        } else {
            Refusal::unreadable(&error)
        }
    })?;
    let echo = outline.id.filter(|id| is_string(id) || id.get().parse::<f64>().is_ok());
    if outline.jsonrpc.is_none_or(|version| version.get() != r#""2.0""#) {
        return Err(Refusal::invalid(r#""jsonrpc" must be "2.0""#, echo));
    }
    let Some(method) = outline.method else {
        return match (outline.result, outline.error) {
            (true, false) | (false, true) => {
                // What the user answered must not read in two ways either.
                check_keys(text, None, echo)?;
                Ok(Envelope { kind: Kind::Response, method: Cow::Borrowed(""), id: echo })
            }
            _ => Err(Refusal::invalid(r#""method" is missing"#, echo)),
        };
    };
    if outline.result || outline.error {
        return Err(Refusal::invalid(r#"a message with a "method" has no "result" or "error""#, echo));
    }
    let method = string_of(method).ok_or_else(|| Refusal::invalid(r#""method" must be a string"#, echo))?;
    let kind = match outline.id {
        None => Kind::Notification,
        Some(id) if is_request_id(id) => Kind::Request,
        Some(_) => return Err(Refusal::invalid(r#""id" must be a string or an integer"#, echo)),
    };
    let envelope = Envelope { kind, method, id: echo };
    check_keys(text, outline.params, echo)?;
    check_params(&envelope, outline.params, text)?;
    Ok(envelope)
}

/// Refuses a message in which an object has a key twice: the SDK would take the last, others the first.
fn check_keys<'a>(
    text: &str,
    params: Option<&RawValue>,
    id: Option<&'a RawValue>,
) -> Result<(), Refusal<'a>> {
    let Some(key) = repeated_key(text) else { return Ok(()) };
    let within_params = params.is_some_and(|params| repeated_key(params.get()).is_some());
    let code = if within_params { ErrorCode::INVALID_PARAMS } else { ErrorCode::INVALID_REQUEST };
    let shown: String = key.chars().take(MAX_QUOTED_KEY).collect();
    let message = format!("the key {shown:?} stands twice in one object; say each key once");
    Err(Refusal::new(code, message, id))
}

/// Whether the SDK fell back to its catch-all type for a method it knows: the params did not fit.
fn has_unfitting_params(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, ClientJsonRpcMessage::Request(request)
        if matches!(&request.request, ClientRequest::CustomRequest(custom)
            if TYPED_METHODS.contains(&custom.method.as_str())))
}

fn not_an_object<'a>(text: &'a str, is_array: bool) -> Refusal<'a> {
    match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => Refusal::unreadable(&error),
        Ok(_) if is_array => {
            Refusal::invalid("batches are not supported: send one JSON-RPC message at a time", None)
        }
        Ok(_) => Refusal::invalid("a JSON-RPC message is an object", None),
    }
}

fn check_params<'a>(
    envelope: &Envelope<'a>,
    params: Option<&'a RawValue>,
    text: &'a str,
) -> Result<(), Refusal<'a>> {
    let refuse =
        |message: Cow<'static, str>| Err(Refusal::new(ErrorCode::INVALID_PARAMS, message, envelope.id));
    if params.is_some_and(|params| !is_object(params) && params.get() != "null") {
        return refuse(r#""params" must be an object"#.into());
    }
    let method = envelope.method.as_ref();
    if envelope.kind != Kind::Request
        || !TYPED_METHODS.contains(&method)
        || (method == "tools/call" && is_plain_call(params))
        || (SESSION_METHODS.contains(&method) && has_own_version(params))
    {
        return Ok(());
    }
    // Rare enough to afford the SDK's own types, so that both sides agree on what fits.
    match serde_json::from_str::<ClientJsonRpcMessage>(text) {
        Ok(message) if has_unfitting_params(&message) => {
            refuse(format!("the params do not fit {method}").into())
        }
        Ok(_) => Ok(()),
        Err(error) => Err(Refusal::unreadable(&error)),
    }
}

/// The everyday shape of a tool call, recognised without building anything.
fn is_plain_call(params: Option<&RawValue>) -> bool {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Call<'a> {
        #[serde(borrow)]
        name: &'a RawValue,
        #[serde(borrow, default, deserialize_with = "present")]
        arguments: Option<&'a RawValue>,
        #[serde(borrow, default, rename = "_meta", deserialize_with = "present")]
        meta: Option<&'a RawValue>,
    }
    params.and_then(|params| serde_json::from_str::<Call<'_>>(params.get()).ok()).is_some_and(|call| {
        is_string(call.name) && call.arguments.is_none_or(is_object) && call.meta.is_none_or(is_object)
    })
}

/// Whether the request is of the stateless era, whose version of a method may be none at all.
fn has_own_version(params: Option<&RawValue>) -> bool {
    #[derive(Deserialize)]
    struct Params<'a> {
        #[serde(borrow, rename = "_meta")]
        meta: HashMap<Cow<'a, str>, &'a RawValue>,
    }
    let params = params.and_then(|params| serde_json::from_str::<Params<'_>>(params.get()).ok());
    params.is_some_and(|params| params.meta.contains_key(OWN_VERSION))
}

fn is_string(value: &RawValue) -> bool {
    value.get().starts_with('"')
}

fn is_object(value: &RawValue) -> bool {
    value.get().starts_with('{')
}

fn is_request_id(id: &RawValue) -> bool {
    let exact = |number: f64| number.fract() == 0.0 && number.abs() < MAX_EXACT_INTEGER;
    is_string(id) || id.get().parse::<i64>().is_ok() || id.get().parse::<f64>().is_ok_and(exact)
}

fn string_of(value: &RawValue) -> Option<Cow<'_, str>> {
    let inner = value.get().strip_prefix('"')?.strip_suffix('"')?;
    if inner.contains('\\') {
        serde_json::from_str(value.get()).ok().map(Cow::Owned)
    } else {
        Some(Cow::Borrowed(inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (i32, String) {
        let refusal = inspect(text.as_bytes()).expect_err(text);
        let reply: serde_json::Value = serde_json::from_slice(&refusal.to_json()).unwrap();
        assert_eq!(reply["jsonrpc"], "2.0");
        (refusal.code.0, reply["id"].to_string())
    }

    #[test]
    fn a_tool_call_is_recognised_without_a_tree() {
        let text =
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"tap","arguments":{"x":1}}}"#;
        let envelope = inspect(text.as_bytes()).unwrap();
        assert_eq!((envelope.kind, envelope.method.as_ref()), (Kind::Request, "tools/call"));
        assert_eq!(envelope.id.unwrap().get(), "7");
    }

    #[test]
    fn broken_json_is_a_parse_error_with_a_null_id() {
        for text in ["", " ", "{", r#"{"jsonrpc":"2.0","id":1"#, "[1,", "tru", r#"{"jsonrpc":"2.0"} x"#] {
            assert_eq!(refused(text), (-32700, "null".into()), "{text}");
        }
        assert_eq!(inspect(b"\"\xff\"").unwrap_err().code, ErrorCode::PARSE_ERROR);
    }

    #[test]
    fn batches_and_scalars_are_invalid_requests() {
        for text in ["[]", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, "5", "null", r#""x""#] {
            assert_eq!(refused(text), (-32600, "null".into()), "{text}");
        }
    }

    #[test]
    fn invalid_requests_echo_the_id_they_carry() {
        assert_eq!(refused(r#"{"id":3,"method":"ping"}"#), (-32600, "3".into()));
        assert_eq!(refused(r#"{"jsonrpc":"1.0","id":"a","method":"ping"}"#), (-32600, "\"a\"".into()));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":3}"#), (-32600, "3".into()));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":3,"method":5}"#), (-32600, "3".into()));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":3,"method":"ping","result":{}}"#), (-32600, "3".into()));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#), (-32600, "null".into()));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#), (-32600, "1.5".into()));
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#), (-32600, "null".into()));
    }

    #[test]
    fn params_that_do_not_fit_a_known_method_are_invalid_params() {
        for params in ["[]", "5", "{}", r#"{"name":5}"#, r#"{"name":"tap","arguments":[]}"#] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
            assert_eq!(refused(&text), (-32602, "1".into()), "{params}");
        }
        assert_eq!(refused(r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#), (-32602, "1".into()));
    }

    #[test]
    fn a_key_that_stands_twice_is_refused_by_name() {
        let call =
            |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
        for (text, code, key) in [
            (call(r#"{"name":"tap","arguments":{"x":1,"y":2,"x":3}}"#), -32602, "x"),
            (call(r#"{"name":"tap","arguments":{"x":1,"\u0078":3}}"#), -32602, "x"),
            (call(r#"{"name":"g","arguments":{"paths":[[{"x":1,"t":0,"t":9}]]}}"#), -32602, "t"),
            (call(r#"{"name":"tap","name":"swipe","arguments":{}}"#), -32602, "name"),
            (call(r#"{"name":"tap","arguments":{},"arguments":{"x":1}}"#), -32602, "arguments"),
            (
                r#"{"jsonrpc":"2.0","id":1,"result":{"action":"decline","action":"accept"}}"#.into(),
                -32600,
                "action",
            ),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","more":1,"more":2}"#.into(), -32600, "more"),
        ] {
            assert_eq!(refused(&text), (code, "1".into()), "{text}");
            let message = inspect(text.as_bytes()).unwrap_err().message;
            assert!(message.contains(&format!("{key:?}")), "{message}");
        }
        for field in ["params", "id", "method", "jsonrpc"] {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{}},"{field}":{{}}}}"#);
            let refusal = inspect(text.as_bytes()).unwrap_err();
            assert!(refusal.code.0 == -32600 && refusal.message.contains(field), "{}", refusal.message);
        }
    }

    #[test]
    fn a_method_of_sessions_is_unknown_to_a_request_with_its_own_version() {
        let params = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
        for method in SESSION_METHODS {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{params}}}"#);
            assert!(inspect(text.as_bytes()).is_ok(), "{method} is left to the handler");
        }
    }

    #[test]
    fn unknown_methods_notifications_and_responses_pass() {
        let kind = |text: &str| inspect(text.as_bytes()).unwrap().kind;
        assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#), Kind::Request);
        assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1.0,"method":"ping","params":null}"#), Kind::Request);
        assert_eq!(kind(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), Kind::Notification);
        assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), Kind::Response);
        assert_eq!(inspect(br#"{"jsonrpc":"2.0","id":1,"method":"p\u0069ng"}"#).unwrap().method, "ping");
    }
}
