//! A call on its way into the log: what is learnt while it runs, and the lines it leaves, even when it is dropped.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

use fingertip_core::sync::lock;
use fingertip_core::{Error, NodeId, Reason, Result};
use jiff::Zoned;
use rmcp::model::JsonObject;
use serde_json::Value;
use tokio::sync::OnceCell;

use super::line::client_name;
use super::{Audit, Digest, Line, Outcome, Selected};
use crate::params::Meaning;
use crate::policy::Caller;
use crate::tool::Definition;

/// How a moment is written: RFC 3339 in milliseconds, with the offset of this machine's zone.
const TIME_FORMAT: &str = "%Y-%m-%dT%H:%M:%S%.3f%:z";

/// The most applications of one call that are written down.
const MAX_APPS: usize = 16;

/// What is learnt of a call while it runs.
#[derive(Debug, Default)]
pub struct AuditContext(Mutex<Notes>);

#[derive(Debug, Default, Clone)]
struct Notes {
    target: Option<String>,
    apps: Vec<String>,
    rule: Option<String>,
    selected: Vec<Selected>,
    secret: bool,
    plain: bool,
}

impl Notes {
    fn shows_text(&self) -> bool {
        self.plain && !self.secret
    }
}

impl AuditContext {
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

    /// The selector of this parameter means this element, or none or several.
    pub fn selects(&self, parameter: &str, selector: &str, element: Option<NodeId>) {
        self.notes().selected.push(Selected {
            parameter: parameter.to_owned(),
            selector: Digest::of(selector),
            element: element.map(|id| id.to_string()),
        });
    }

    /// The text of this call went, or may have gone, into a password field.
    pub fn is_secret(&self) {
        self.notes().secret = true;
    }

    /// The text of this call goes where it is seen not to be a secret.
    pub fn is_plain(&self) {
        self.notes().plain = true;
    }

    /// Whether of the text of this call length and hash may be kept: only where it was seen to be no secret. A call that ended
    /// before any look may have meant a password field.
    pub(crate) fn shows_text(&self) -> bool {
        self.notes().shows_text()
    }

    /// The target it is for, and the rule that refused it.
    pub(crate) fn target_and_rule(&self) -> (Option<String>, Option<String>) {
        let notes = self.notes();
        (notes.target.clone(), notes.rule.clone())
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        lock(&self.0)
    }
}

/// A call that leaves a line when it ends, or when it is dropped.
pub struct Entry(Option<Arc<Record>>);

/// What is written down of a call; shared with the target it acts on.
pub struct Record {
    audit: Arc<Audit>,
    context: Arc<AuditContext>,
    began: Instant,
    line: Line,
    acts: OnceCell<()>,
    /// Whether a line that names the call may be on disk, however its writing ends for the call.
    named: AtomicBool,
}

impl Entry {
    /// The entry of a call that begins now.
    #[must_use]
    pub fn begin(
        audit: Arc<Audit>,
        context: Arc<AuditContext>,
        definition: &Definition,
        arguments: &JsonObject,
        caller: &Caller,
    ) -> Self {
        let texts = definition.params.iter().filter(|param| param.meaning() == Meaning::Text);
        let text = texts.filter_map(|param| arguments.get(param.name())).map(written).next();
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
            selected: Vec::new(),
            call: Some(audit.next_call()),
            repeated: None,
        };
        Self(Some(Arc::new(Record {
            audit,
            context,
            began: Instant::now(),
            line,
            acts: OnceCell::new(),
            named: AtomicBool::new(false),
        })))
    }

    /// What the target writes down before it is acted on.
    #[must_use]
    pub fn record(&self) -> Option<Arc<Record>> {
        self.0.clone()
    }

    /// Leaves no line: what the call does is written down otherwise.
    pub fn forget(mut self) {
        self.0 = None;
    }

    /// How the call ended; returns once that is written down, or cannot be. An entry dropped without it says that the
    /// call was cancelled.
    pub async fn end(mut self, outcome: Outcome) {
        let Some(record) = self.0.take() else { return };
        let line = record.line(outcome);
        if line.call.is_some() {
            record.audit.end(line).await;
        } else {
            record.audit.refused(line).await;
        }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(record) = self.0.take() {
            let line = record.line(Outcome::Cancelled);
            let acted = line.call.is_some();
            record.audit.dropped(line, acted);
        }
    }
}

impl Record {
    /// Writes down that the call is about to act, once.
    ///
    /// # Errors
    /// Then nothing may be done.
    pub async fn acts(&self) -> Result<()> {
        let begun = self.acts.get_or_try_init(async || {
            let line = Line { call: self.line.call.clone(), text: None, ..self.line(Outcome::Begun) };
            // Before it is written: a call that is dropped meanwhile still leaves the line of its end.
            self.named.store(true, Ordering::Relaxed);
            let written = self.audit.begin(line).await;
            if written.as_ref().is_err_and(|error| !Audit::may_be_written(error)) {
                self.named.store(false, Ordering::Relaxed);
            }
            written
        });
        let refused = |error: io::Error| {
            tracing::error!(%error, "the audit log cannot be written");
            Error::new(
                Reason::Refused,
                format!("Nothing was done: the audit log of this server cannot be written ({error})."),
            )
            .with_guidance("Its owner must make room or repair it; see what the server has logged.")
        };
        begun.await.copied().map_err(refused)
    }

    /// The line of the call as far as it is known now; only one that acts is named.
    fn line(&self, outcome: Outcome) -> Line {
        let notes = self.context.notes().clone();
        let mut line = self.line.clone();
        line.outcome = outcome;
        if !notes.shows_text() && line.text.is_some() {
            line.text = Some(Digest::secret());
        }
        line.target = notes.target;
        line.app = notes.apps.first().cloned();
        line.apps = if notes.apps.len() > 1 { notes.apps } else { Vec::new() };
        line.rule = notes.rule;
        line.selected = notes.selected;
        line.duration_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        line.call = line.call.filter(|_| self.named.load(Ordering::Relaxed));
        line
    }
}

fn written(value: &Value) -> Digest {
    match value {
        Value::String(text) => Digest::of(text),
        other => Digest::of(&other.to_string()),
    }
}
