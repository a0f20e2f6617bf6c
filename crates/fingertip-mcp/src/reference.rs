//! `docs/tools.md`, written from the tool definitions: the page and the product cannot disagree.

use std::fmt::Write;

use serde_json::Value;

use crate::timeouts::Timeouts;
use crate::tool::{Definition, Effect, Entry};
use crate::tools;
use crate::transport::v1::{CALL_PATH, ERROR_CODES, LIST_PATH};

const HEAD: &str = "\
# Tools

Generated from the tool definitions (`cargo run -p fingertip-mcp --example tools_reference > docs/tools.md`); a
test fails when this page is stale.

Every tool also takes an optional `device` while more than one device is attached, and every tool that acts an optional
`see`: with `changes` the reply also reports what became of the screen (a verdict, then `+` new, `~` changed and `-` gone lines,
`~ focus` and what has the focus now where only that changed, `=` what can be pressed where nothing new can, but not after
`run_steps` whose last step brought what it expected), with `screen` all of it; `none` is the default. The `app` of `get_screen_state`,
`find_elements`, `wait_for_element` and `wait_for_idle` is there while a desktop is attached. A phone lists the toolset
`device`, a desktop `desktop` and those of `device` it can do; `--tools` and `--no-tools` choose otherwise. Unknown parameters, wrong
types and values out of range are refused by name, and nothing is done. Errors come as `isError` results with
`structuredContent` `{operation, error_type, message, app?, guidance?, candidates?}`.
";

/// The whole page.
#[must_use]
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    for toolset in tools::TOOLSETS {
        let tools = (toolset.tools)();
        let _ = writeln!(page, "\n## Toolset `{}` ({})\n", toolset.name, tools.len());
        tool_list(&mut page, &tools);
    }
    v1(&mut page);
    page
}

/// The tools only v1 has, and what differs there from all above.
fn v1(page: &mut String) {
    let (own, replaced) = (tools::v1::own(), tools::v1::REPLACED.map(|(newer, _)| format!("`{newer}`")));
    let _ = writeln!(page, "\n## v1, the first interface ({} of {})\n", own.len(), tools::v1::all().len());
    let _ = writeln!(
        page,
        "With `fingertip serve --v1`, for clients written for it, and not visible at `/mcp`:\n"
    );
    let _ = writeln!(page, "- `GET {LIST_PATH}` lists the tools, `POST {CALL_PATH}` calls one.");
    let _ = writeln!(
        page,
        "- The four below stand in for {}; all other device tools are as above.",
        replaced.join(" and ")
    );
    page.push_str("- Results hold `content` alone: text, or a picture with its `width` and `height`.\n");
    page.push_str("- Errors are JSON-RPC errors:\n\n| code | name | when |\n|---|---|---|\n");
    for (code, name, when) in ERROR_CODES {
        let _ = writeln!(page, "| {code} | {name} | {when} |");
    }
    page.push('\n');
    tool_list(page, &own);
}

/// A table of tools, and a section for each.
fn tool_list(page: &mut String, entries: &[Entry]) {
    let _ = writeln!(page, "| tool | does | effect |\n|---|---|---|");
    for entry in entries {
        let definition = entry.definition;
        let (name, effect) = (definition.name, effect(definition));
        let gist = first_sentence(definition.description);
        let _ = writeln!(page, "| [`{name}`](#{name}) | {gist} | {effect} |");
    }
    for entry in entries {
        section(page, entry.definition);
    }
}

fn section(page: &mut String, definition: &Definition) {
    let limit = Timeouts::default().sentence(definition).map(|said| format!(" {said}")).unwrap_or_default();
    let _ = writeln!(page, "\n### `{}`\n\n{}{limit}\n", definition.name, definition.description);
    if definition.params.is_empty() {
        page.push_str("No parameters.\n");
    } else {
        page.push_str("| parameter | type | required | default | description |\n|---|---|---|---|---|\n");
    }
    for param in definition.params {
        let schema = param.schema();
        let required = if param.is_required() { "yes" } else { "no" };
        let default = schema.get("default").map_or_else(|| "-".to_owned(), |value| format!("`{value}`"));
        let description = schema["description"].as_str().unwrap_or_default();
        let _ = writeln!(
            page,
            "| `{}` | {} | {required} | {default} | {description} |",
            param.name(),
            kind(&schema)
        );
    }
    if let Some(output) = definition.output {
        let properties = output();
        let names: Vec<_> = properties["properties"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let _ =
            writeln!(page, "\nReplies with JSON, as text and as `structuredContent`: {}.", names.join(", "));
    }
}

fn first_sentence(text: &str) -> &str {
    text.split_inclusive(". ").next().unwrap_or(text).trim_end()
}

fn effect(definition: &Definition) -> &'static str {
    match definition.effect {
        Effect::Read => "reads",
        Effect::Write { destructive: true, .. } => "acts, may change data",
        Effect::Write { destructive: false, .. } => "acts",
    }
}

/// The type and range of a parameter in one cell.
fn kind(schema: &Value) -> String {
    let mut kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        kind => kind.as_str().unwrap_or_default().to_owned(),
    };
    if let Some(words) = schema["items"]["enum"].as_array() {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return format!("{kind} of {}", words.join(", "));
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return format!("{kind}: {}", words.join(", "));
    }
    let bounds = [
        ("minimum", ">= "),
        ("exclusiveMinimum", "> "),
        ("maximum", "<= "),
        ("minItems", "at least "),
        ("maxItems", "at most "),
        ("minLength", "characters >= "),
        ("maxLength", "characters <= "),
    ];
    for (key, sign) in bounds {
        if let Some(bound) = schema.get(key) {
            let _ = write!(kind, ", {sign}{bound}");
        }
    }
    kind
}
