//! `open_app`: starts an application, or brings it to the front, and answers with its window.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::{Capabilities, LaunchRequest};
use fingertip_core::{Error, Result};
use serde_json::{Value, json};

use super::BASE;
use crate::call::{Call, within};
use crate::params::{Arguments, OptionalText, Text};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Subject, Tool};

/// How long an application may take to show its window: a cold start of an office suite, on a slow disk.
const TIME_LIMIT: Duration = Duration::from_secs(30);

const APP: Text = Text::required("app", "Its id or name from list_apps; on a phone its package").not_empty();
const FILE: OptionalText =
    Text::optional("file", "A URL, or on a desktop a file (absolute path or ~/), to open with it")
        .not_empty();

/// The tool.
pub(crate) struct OpenApp;

#[async_trait]
impl Tool for OpenApp {
    type Input = LaunchRequest;

    const DEFINITION: &'static Definition = &Definition {
        name: "open_app",
        title: "Open app",
        description: "Opens an application, waits for its window and answers with it, or says why it is refused.",
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::APPS,
        params: &[&APP, &FILE],
        output: Some(output),
        leads_away: true,
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<LaunchRequest> {
        let (app, document) = (APP.read(arguments)?, FILE.read(arguments)?);
        for (name, text) in [("app", Some(&app)), ("file", document.as_ref())] {
            if text.is_some_and(|text| text.contains(char::is_control)) {
                return Err(Error::invalid(format!("Parameter '{name}' must have no control characters.")));
            }
        }
        if document.as_deref().is_some_and(|text| !is_path(text) && scheme(text).is_none()) {
            return Err(Error::invalid(
                "Parameter 'file' must be an absolute path, a path starting with ~/, or a URL.",
            ));
        }
        Ok(LaunchRequest { app, document, unvetted: false })
    }

    fn subject(request: &LaunchRequest) -> Option<Subject> {
        Some(Subject::Launch(request.clone()))
    }

    fn time_limit(_: &LaunchRequest) -> Duration {
        TIME_LIMIT
    }

    async fn run(request: LaunchRequest, call: &Call) -> Result<Reply> {
        let (applications, deadline) = (call.applications()?, call.deadline());
        let plan =
            within(deadline, "finding the application", applications.plan_launch(&request, deadline)).await?;
        let launched = applications.launch(&plan, deadline).await?;
        let mut reply = json!({ "app": plan.id, "name": plan.name, "wasRunning": launched.was_running });
        reply["window"] = match &launched.window {
            None => Value::Null,
            Some(window) => {
                let mut fields = json!({
                    "title": window.title, "app": window.app, "pid": window.pid, "frontmost": window.focused,
                });
                if let Some(id) = window.handle.as_ref().filter(|_| has_windows(call)) {
                    fields["id"] = json!(id);
                }
                fields
            }
        };
        let notes: Vec<String> = [plan.note, launched.note].into_iter().flatten().collect();
        if !notes.is_empty() {
            reply["note"] = json!(notes.join(" "));
        }
        // The screen says what was opened.
        let short =
            reply["note"].as_str().map_or_else(|| "Opened".to_owned(), |note| format!("Opened: {note}"));
        Ok(Reply::json(reply).in_short(short).untrusted())
    }
}

fn has_windows(call: &Call) -> bool {
    call.target().window_manager().is_some()
}

fn is_path(text: &str) -> bool {
    text.starts_with('/') || text.starts_with("~/")
}

/// The scheme of a URL (RFC 3986).
fn scheme(text: &str) -> Option<&str> {
    let (scheme, rest) = text.split_once(':')?;
    let mut letters = scheme.chars();
    let sound = letters.next()?.is_ascii_alphabetic()
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'));
    (sound && !rest.is_empty() && !rest.contains(char::is_whitespace)).then_some(scheme)
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "app": { "type": "string" },
            "name": { "type": "string" },
            "wasRunning": { "type": "boolean" },
            "window": { "type": ["object", "null"], "description": "null when none came in time" },
            "note": { "type": "string" },
        },
        "required": ["app", "name", "wasRunning", "window"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_a_scheme_and_no_spaces() {
        assert_eq!(scheme("https://example.org/a?b"), Some("https"));
        assert_eq!(scheme("mailto:a@b"), Some("mailto"));
        for text in ["-psn:1", "a b:c", ":x", "http:", "notes.txt", "http://a b"] {
            assert_eq!(scheme(text), None, "{text}");
        }
    }
}
