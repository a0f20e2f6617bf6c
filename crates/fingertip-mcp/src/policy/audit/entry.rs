//! A call on its way into the log: what is learnt while it runs, and the line it leaves, even when it is dropped.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use jiff::Zoned;
use rmcp::model::JsonObject;
use serde_json::Value;

use super::line::client_name;
use super::{Audit, Digest, Line, Outcome};
use crate::policy::Caller;
use crate::tool::Definition;

/// How a moment is written: RFC 3339 in milliseconds, with the offset of this machine's zone.
const TIME_FORMAT: &str = "%Y-%m-%dT%H:%M:%S%.3f%:z";
/// The parameters that hold a text to be written.
const TEXTS: [&str; 2] = ["text", "value"];

/// The most applications of one call that are written down.
const MAX_APPS: usize = 16;

/// What is learnt of a call while it runs.
#[derive(Debug, Default)]
pub struct Trail(Mutex<Notes>);

#[derive(Debug, Default, Clone)]
struct Notes {
    target: Option<String>,
    apps: Vec<String>,
    rule: Option<String>,
    secret: bool,
}

impl Trail {
    /// The call is for this target.
    pub fn goes_to(&self, target: &str) {
        self.notes().target = Some(target.to_owned());
    }

    /// This application is acted on, or would be.
    pub fn acted_on(&self, app: &str) {
        let mut notes = self.notes();
        if notes.apps.len() < MAX_APPS && !notes.apps.iter().any(|known| known == app) {
            notes.apps.push(app.to_owned());
        }
    }

    /// This rule refused the call.
    pub fn refused_by(&self, rule: &str) {
        self.notes().rule = Some(rule.to_owned());
    }

    /// The text of this call went, or may have gone, into a password field.
    pub fn is_secret(&self) {
        self.notes().secret = true;
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A call that leaves a line when it ends, or when it is dropped.
pub struct Entry {
    audit: Arc<Audit>,
    trail: Arc<Trail>,
    began: Instant,
    line: Line,
}

impl Entry {
    /// The entry of a call that begins now.
    #[must_use]
    pub fn begin(
        audit: Arc<Audit>,
        trail: Arc<Trail>,
        definition: &Definition,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Self {
        let text = TEXTS.iter().find_map(|name| arguments.get(*name)).map(written);
        let line = Line {
            time: Zoned::now().strftime(TIME_FORMAT).to_string(),
            client: caller.client.as_deref().map(client_name),
            transport: caller.transport.to_owned(),
            target: None,
            tool: definition.name.to_owned(),
            app: None,
            apps: Vec::new(),
            outcome: Outcome::Cancelled,
            rule: None,
            duration_ms: 0,
            text,
        };
        Self { audit, trail, began: Instant::now(), line }
    }

    /// How the call ended. An entry dropped without it says that the call was cancelled.
    pub fn end(mut self, outcome: Outcome) {
        self.line.outcome = outcome;
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let notes = self.trail.notes().clone();
        self.line.target = notes.target;
        self.line.app = notes.apps.first().cloned();
        self.line.apps = if notes.apps.len() > 1 { notes.apps } else { Vec::new() };
        self.line.rule = notes.rule;
        if notes.secret && self.line.text.is_some() {
            self.line.text = Some(Digest::secret());
        }
        self.line.duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.audit.append(&self.line);
    }
}

fn written(value: &Value) -> Digest {
    match value {
        Value::String(text) => Digest::of(text),
        other => Digest::of(&other.to_string()),
    }
}
