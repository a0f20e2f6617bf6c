//! Parameters, limits and forms of replies that several desktop tools have.

use fingertip_core::outline::{self, Attribute};
use fingertip_core::target::App;
use fingertip_core::{Error, NodeIndex, Result, Role, Snapshot};
use serde_json::{Value, json};

use crate::params::{AppName, Element, Integer, OptionalAppName, OptionalText, Text};

/// How many results a page has unless asked otherwise.
pub(crate) const DEFAULT_RESULTS: u32 = 20;
/// The most results one page can have.
pub(crate) const MAX_RESULTS: u32 = 100;
/// The most bytes of JSON a list in a reply may have; what does not fit comes with the next page.
pub(crate) const MAX_BYTES: usize = 50_000;

/// The application that must be named.
pub(crate) const APP: AppName = AppName::required(
    "The application: its name, PID, or bundle or package id. An exact match is preferred to one in another case",
);

/// The application that may be named.
pub(crate) const OPTIONAL_APP: OptionalAppName =
    AppName::optional("Only this application: its name, PID, or bundle or package id");

/// The element to act on.
pub(crate) const ELEMENT_PATH: Element = Element::required(
    "element_path",
    "The element: its id, a selector such as button \"Save\", or a path such as \
     app(4711)/window[0]/group[1]/button[\"Save\"]",
);

/// How many results a page has.
pub(crate) const RESULTS: Integer =
    Integer::optional("max_results", "The most results in one reply (1-100)", DEFAULT_RESULTS)
        .between(1, MAX_RESULTS);

/// The next page of a list.
pub(crate) const CURSOR: OptionalText = Text::optional(
    "cursor",
    "The nextCursor of an earlier reply to the same parameters: continues that list as it was then",
)
.not_empty();

/// What is shown of an element that was searched for.
const FULL: [Attribute; 9] = Attribute::ALL;

/// A role in any spelling.
pub(super) fn role(parameter: &str, name: &str) -> Result<Role> {
    Role::parse(name).ok_or_else(|| {
        let shown: String = name.chars().take(60).collect();
        Error::invalid(format!(
            "Parameter '{parameter}' must be a role such as button, text_field, AXButton or push button, got \
             {shown:?}."
        ))
    })
}

/// An application as replies show it.
pub(super) fn app_json(app: &App) -> Value {
    let mut fields = json!({ "name": app.name });
    if let Some(id) = &app.id {
        fields["id"] = json!(id);
    }
    if let Some(pid) = app.pid {
        fields["pid"] = json!(pid);
    }
    fields
}

/// An element with all that is known of it. Its path is left out when not all of the application was read: its place among
/// its siblings is not known then.
pub(super) fn element_json(snapshot: &Snapshot, index: NodeIndex) -> Value {
    let attributes =
        if snapshot.cut.is_none() && !snapshot.sparse { &FULL[..] } else { &FULL[..FULL.len() - 1] };
    json!(outline::describe(snapshot, index, Some(attributes)))
}

/// Notes on a list: how long it is, and how it goes on. `cut` says why the target could not give all.
pub(super) fn add_page(
    reply: &mut Value,
    count: usize,
    total: usize,
    next: Option<String>,
    cut: Option<&str>,
) {
    reply["resultCount"] = json!(count);
    reply["totalCount"] = json!(total);
    reply["hasMoreResults"] = json!(next.is_some() || cut.is_some());
    if let Some(next) = next {
        reply["nextCursor"] = json!(next);
    }
    if let Some(cut) = cut {
        reply["reason"] = json!(cut);
    }
}

/// The JSON Schema of a reply with a list of this name, these items, and these further properties.
pub(super) fn page_schema(list: &str, items: &Value, further: Value) -> Value {
    let mut properties = json!({
        list: { "type": "array", "items": items },
        "resultCount": { "type": "integer", "description": "How many are in this reply" },
        "totalCount": { "type": "integer", "description": "How many were found: on all pages, or so far where a search goes on" },
        "hasMoreResults": { "type": "boolean" },
        "nextCursor": { "type": "string", "description": "Pass it as 'cursor' to read on" },
        "reason": { "type": "string", "description": "Why the application could not be read completely" },
    });
    if let (Value::Object(properties), Value::Object(further)) = (&mut properties, further) {
        properties.extend(further);
    }
    json!({
        "type": "object",
        "properties": properties,
        "required": [list, "resultCount", "totalCount", "hasMoreResults"],
    })
}

/// The JSON Schema of an application.
pub(super) fn app_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": { "type": "string" }, "id": { "type": "string" }, "pid": { "type": "integer" },
        },
        "required": ["name"],
    })
}

/// The JSON Schema of an element.
pub(super) fn element_schema() -> Value {
    let text = json!({ "type": "string" });
    let words = json!({ "type": "array", "items": text });
    json!({
        "type": "object",
        "properties": {
            "id": { "type": ["string", "null"] },
            "path": text,
            "parent": { "type": "string", "description": "The id of the parent, when that was on an earlier page" },
            "role": text, "nativeRole": text, "title": text,
            "value": { "type": ["string", "number", "boolean", "null"] },
            "minimum": { "type": ["number", "null"] }, "maximum": { "type": ["number", "null"] },
            "description": text, "identifier": text,
            "bounds": { "type": "object" },
            "states": words, "actions": words,
            "childCount": { "type": "integer" },
            "children": { "type": "array", "items": { "type": "object" } },
        },
        "required": ["id", "role", "childCount"],
    })
}
