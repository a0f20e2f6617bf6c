//! A recording as a file: arguments of `run_steps`, a Maestro flow, a script for the official Python or TypeScript client.

use std::fmt::Write;

use serde_json::{Value, json};

use super::{STEPS_A_CALL, Step};

/// What a recording is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The arguments of `run_steps`; a list of them where it takes several calls.
    Steps,
    /// A flow file of Maestro.
    Maestro,
    /// A script that uses the official Python client.
    Python,
    /// A script that uses the official TypeScript client.
    TypeScript,
}

impl Form {
    pub(crate) const ALL: [Self; 4] = [Self::Steps, Self::Maestro, Self::Python, Self::TypeScript];

    /// Its word on the wire.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Maestro => "maestro",
            Self::Python => "python",
            Self::TypeScript => "typescript",
        }
    }

    /// What a file of it is called.
    pub(crate) const fn file(self) -> &'static str {
        match self {
            Self::Steps => "steps.json",
            Self::Maestro => "flow.yaml",
            Self::Python => "replay.py",
            Self::TypeScript => "replay.mts",
        }
    }

    pub(super) fn write(self, app: Option<&str>, steps: &[Step]) -> String {
        match self {
            Self::Steps => {
                let mut calls = calls(steps);
                let whole = if calls.len() == 1 { calls.remove(0) } else { json!(calls) };
                format!("{whole:#}\n")
            }
            Self::Maestro => maestro(app, steps),
            Self::Python => python(steps),
            Self::TypeScript => typescript(steps),
        }
    }
}

/// The arguments of each call of `run_steps` that does these steps.
pub(super) fn calls(steps: &[Step]) -> Vec<Value> {
    let call = |steps: &[Step]| json!({ "steps": steps.iter().map(Step::to_json).collect::<Vec<_>>() });
    steps.chunks(STEPS_A_CALL).map(call).collect()
}

/// A text as YAML, Python and TypeScript all read it: the notation of JSON.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

/// A text as Maestro reads it, to whom every text is a pattern.
fn pattern(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    quoted(&escaped)
}

fn maestro(app: Option<&str>, steps: &[Step]) -> String {
    let mut flow = format!("appId: {}\n---\n", quoted(app.unwrap_or_default()));
    for step in steps {
        let text = |name: &str| step.arguments.get(name).and_then(Value::as_str);
        let aim = match (&step.label, &step.resource_id) {
            (Some(label), _) => Some(pattern(label)),
            (None, Some(id)) => Some(format!("\n    id: {}", pattern(id))),
            (None, None) => None,
        };
        let point = || {
            let number = |name: &str| step.arguments.get(name).and_then(Value::as_f64);
            Some(format!("\n    point: \"{},{}\"", number("x")?, number("y")?))
        };
        let written = text("text").map_or_else(|| "${RECORDED}".to_owned(), str::to_owned);
        let lines = match (step.tool, aim.or_else(point)) {
            ("click_element" | "tap", Some(aim)) => format!("- tapOn: {aim}\n"),
            ("long_click_element" | "long_press", Some(aim)) => format!("- longPressOn: {aim}\n"),
            ("double_tap", Some(aim)) => format!("- doubleTapOn: {aim}\n"),
            ("set_text", Some(aim)) => {
                format!("- tapOn: {aim}\n- eraseText\n- inputText: {}\n", quoted(&written))
            }
            ("clear_text", Some(aim)) => format!("- tapOn: {aim}\n- eraseText\n"),
            ("input_text", _) => format!("- inputText: {}\n", quoted(&written)),
            ("scroll_to_element", Some(aim)) => {
                format!("- scrollUntilVisible:\n    element: {}\n", aim.replace('\n', "\n  "))
            }
            ("press_back", _) => "- back\n".to_owned(),
            ("press_home", _) => "- pressKey: Home\n".to_owned(),
            ("press_key", _) if text("key") == Some("ENTER") => "- pressKey: Enter\n".to_owned(),
            ("press_key", _) if text("key") == Some("DEL") => "- eraseText: 1\n".to_owned(),
            ("open_app", _) => format!("- launchApp: {}\n", quoted(text("app").unwrap_or_default())),
            ("close_app", _) => format!("- stopApp: {}\n", quoted(text("app").unwrap_or_default())),
            ("scroll", _) => match text("direction") {
                Some("up") => "- swipe:\n    direction: DOWN\n".to_owned(),
                Some("left") => "- swipe:\n    direction: RIGHT\n".to_owned(),
                Some("right") => "- swipe:\n    direction: LEFT\n".to_owned(),
                _ => "- scroll\n".to_owned(),
            },
            ("swipe", _) => swipe(step).unwrap_or_else(|| unknown(step)),
            _ => unknown(step),
        };
        flow.push_str(&lines);
        if let Some((_, Some(words))) = &step.expect {
            let _ = writeln!(flow, "- assertVisible: {}", pattern(words));
        }
    }
    flow
}

fn swipe(step: &Step) -> Option<String> {
    let number = |name: &str| step.arguments.get(name).and_then(Value::as_f64);
    let [x1, y1, x2, y2] = [number("x1")?, number("y1")?, number("x2")?, number("y2")?];
    Some(format!("- swipe:\n    start: \"{x1},{y1}\"\n    end: \"{x2},{y2}\"\n"))
}

/// What Maestro has no command for is said, not left out in silence.
fn unknown(step: &Step) -> String {
    format!("# Maestro has no command for this step: {} {}\n", step.tool, json!(step.arguments))
}

fn python(steps: &[Step]) -> String {
    let calls = json!(calls(steps)).to_string();
    format!(
        r#"#!/usr/bin/env python3
"""Replays recorded steps through a Fingertip server; needs the package mcp, version 2.

    FINGERTIP_TOKEN=$(fingertip token) python3 replay.py http://127.0.0.1:8080/mcp
"""
import asyncio
import json
import os
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

# Each is the arguments of one call of run_steps.
CALLS = json.loads({})
# How long one of them may take.
SECONDS = 600


async def main(url):
    headers = {{"Authorization": "Bearer " + os.environ["FINGERTIP_TOKEN"]}}
    async with httpx2.AsyncClient(headers=headers, timeout=SECONDS) as http:
        async with Client(streamable_http_client(url, http_client=http)) as client:
            for call in CALLS:
                reply = await client.call_tool("run_steps", call)
                print(reply.content[0].text)
                if reply.is_error:
                    sys.exit(1)


asyncio.run(main(sys.argv[1]))
"#,
        quoted(&calls)
    )
}

fn typescript(steps: &[Step]) -> String {
    let calls = json!(calls(steps)).to_string();
    format!(
        r#"// Replays recorded steps through a Fingertip server; needs the package @modelcontextprotocol/client.
//
//     FINGERTIP_TOKEN=$(fingertip token) node replay.mts http://127.0.0.1:8080/mcp
import {{ Client, StreamableHTTPClientTransport }} from '@modelcontextprotocol/client';

type Call = {{ steps: unknown[] }};

// Each is the arguments of one call of run_steps.
const calls: Call[] = JSON.parse({});

const headers = {{ Authorization: `Bearer ${{process.env.FINGERTIP_TOKEN}}` }};
const transport = new StreamableHTTPClientTransport(new URL(process.argv[2]), {{ requestInit: {{ headers }} }});
const client = new Client({{ name: 'replay', version: '1.0.0' }});
await client.connect(transport);
for (const call of calls) {{
  const reply = await client.callTool({{ name: 'run_steps', arguments: call }});
  for (const part of reply.content) if (part.type === 'text') console.log(part.text);
  if (reply.isError) {{
    process.exitCode = 1;
    break;
  }}
}}
await client.close();
"#,
        quoted(&calls)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(tool: &'static str, arguments: Value, label: Option<&str>) -> Step {
        let Value::Object(arguments) = arguments else { unreachable!() };
        let label = label.map(str::to_owned);
        Step { tool, arguments, label, resource_id: None, expect: None, before: None }
    }

    #[test]
    fn a_flow_escapes_what_maestro_would_take_for_a_pattern_and_says_what_it_cannot_do() {
        let mut plus = step("click_element", json!({"element_id": "button \"+\""}), Some("+"));
        plus.expect = Some(("text \"7+\"".to_owned(), Some("7+".to_owned())));
        let steps = [
            plus,
            step("input_text", json!({"text": "a \"b\""}), None),
            step("tap", json!({"x": 5, "y": 9}), None),
            step("pinch", json!({"scale": 2}), None),
        ];
        assert_eq!(
            Form::Maestro.write(Some("com.example"), &steps),
            "appId: \"com.example\"\n---\n- tapOn: \"\\\\+\"\n- assertVisible: \"7\\\\+\"\n- inputText: \"a \\\"b\\\"\"\n\
             - tapOn: \n    point: \"5,9\"\n# Maestro has no command for this step: pinch {\"scale\":2}\n"
        );
    }

    #[test]
    fn long_recordings_are_several_calls() {
        let steps: Vec<Step> = (0..STEPS_A_CALL + 1).map(|_| step("press_back", json!({}), None)).collect();
        let whole: Value = serde_json::from_str(&Form::Steps.write(None, &steps)).unwrap();
        assert_eq!(whole.as_array().map(Vec::len), Some(2));
        assert_eq!(whole[1]["steps"].as_array().map(Vec::len), Some(1));
        let one: Value = serde_json::from_str(&Form::Steps.write(None, &steps[..1])).unwrap();
        assert_eq!(one, json!({"steps": [{"tool": "press_back", "arguments": {}}]}));
        assert!(Form::Python.write(None, &steps).contains("json.loads(\"[{"));
        assert!(Form::TypeScript.write(None, &steps).contains("JSON.parse(\"[{"));
    }
}
