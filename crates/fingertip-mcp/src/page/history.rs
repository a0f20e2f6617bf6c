//! The log of calls: who called what, with which arguments, how long it took and what came of it. In memory only.
//!
//! Rules: arguments are masked by the rules of the audit log ([`crate::policy::audit`]): of what is written only length and hash
//! are kept, of what may have gone into a password field nothing, and a selector, which may hold words of the screen, is kept like
//! a text. Rows and what they hold are bounded; the oldest go first. Pictures are those that the page showed anyway.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use fingertip_core::selector::Selector;
use fingertip_core::sync::lock;
use fingertip_core::visible;
use jiff::Zoned;
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::live::Frame;
use crate::dispatch::DEVICE;
use crate::params::{Meaning, Param, is_text, shorten};
use crate::policy::audit::{AuditContext, Digest};
use crate::policy::{Caller, caller};
use crate::see::SEE;
use crate::tool::Definition;
use crate::tools::device::run_steps;

/// The most calls that are kept.
const MOST: usize = 500;
/// The most calls whose pictures are kept.
const MOST_WITH_PICTURES: usize = 40;
/// The most arguments of a call that are kept.
const MOST_ARGUMENTS: usize = 24;
/// The longest name of a client that is kept, and the longest account of what came of a call, in characters.
const MAX_NAME: usize = 80;
const MAX_EFFECT: usize = 300;

/// One call.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub(crate) number: u64,
    pub(crate) time: String,
    pub(crate) client: String,
    pub(crate) tool: &'static str,
    pub(crate) acts: bool,
    /// The call of which this is a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) step_of: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    pub(crate) arguments: Map<String, Value>,
    /// `running` until it has ended.
    pub(crate) outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<String>,
    pub(crate) duration_ms: u64,
    pub(crate) tokens: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) effect: Option<String>,
    /// Whether there are pictures of before and after.
    pub(crate) pictures: [bool; 2],
    #[serde(skip)]
    before: Option<Arc<Frame>>,
    #[serde(skip)]
    after: Option<Arc<Frame>>,
}

/// The calls, the oldest first.
#[derive(Debug)]
pub(crate) struct History {
    rows: Mutex<Rows>,
    /// Whether calls are kept after they ended.
    keeps: bool,
}

#[derive(Debug, Default)]
struct Rows {
    last: u64,
    all: VecDeque<Row>,
}

/// How a call ended.
pub(crate) struct Ended<'a> {
    pub(crate) context: &'a AuditContext,
    pub(crate) outcome: String,
    pub(crate) tokens: usize,
    pub(crate) effect: Option<String>,
}

impl History {
    pub(crate) fn new(keeps: bool) -> Self {
        Self { rows: Mutex::default(), keeps }
    }

    /// A call begins.
    pub(crate) fn begin(
        &self,
        definition: &Definition,
        arguments: &JsonObject,
        caller: &Caller,
        step_of: Option<u64>,
    ) -> Row {
        let row = Row {
            number: 0,
            time: Zoned::now().strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string(),
            client: known_as(caller),
            tool: definition.name,
            acts: !definition.is_read(),
            step_of,
            target: None,
            arguments: masked(definition, arguments, false),
            outcome: "running".to_owned(),
            rule: None,
            duration_ms: 0,
            tokens: 0,
            effect: None,
            pictures: [false; 2],
            before: None,
            after: None,
        };
        self.add(row)
    }

    fn add(&self, mut row: Row) -> Row {
        let mut rows = lock(&self.rows);
        rows.last += 1;
        row.number = rows.last;
        if self.keeps {
            if rows.all.len() >= MOST {
                rows.all.pop_front();
            }
            rows.all.push_back(row.clone());
        }
        row
    }

    /// A call has ended; its row now.
    pub(crate) fn end(&self, row: &mut Row, began: Instant, open: Map<String, Value>, ended: Ended<'_>) {
        let (target, rule) = ended.context.target_and_rule();
        row.target = target;
        row.rule = rule;
        if ended.context.shows_text() {
            row.arguments = open;
        }
        row.outcome = ended.outcome;
        row.tokens = ended.tokens;
        row.effect = ended.effect.map(|effect| effect.chars().take(MAX_EFFECT).collect());
        row.duration_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.change(row.number, |kept| kept.clone_from(row));
    }

    /// Keeps the pictures of a call that acted.
    pub(crate) fn picture(
        &self,
        number: u64,
        before: Option<Arc<Frame>>,
        after: Option<Arc<Frame>>,
    ) -> Option<Row> {
        let changed = self.change(number, |row| {
            row.pictures = [before.is_some(), after.is_some()];
            (row.before, row.after) = (before, after);
        });
        let mut rows = lock(&self.rows);
        let mut with_pictures = 0;
        for row in rows.all.iter_mut().rev().filter(|row| row.before.is_some() || row.after.is_some()) {
            with_pictures += 1;
            if with_pictures > MOST_WITH_PICTURES {
                (row.before, row.after, row.pictures) = (None, None, [false; 2]);
            }
        }
        changed
    }

    fn change(&self, number: u64, change: impl FnOnce(&mut Row)) -> Option<Row> {
        let mut rows = lock(&self.rows);
        let row = rows.all.iter_mut().rev().find(|row| row.number == number)?;
        change(row);
        Some(row.clone())
    }

    /// All rows as JSON, the oldest first.
    pub(crate) fn list(&self) -> Value {
        let rows = lock(&self.rows);
        json!({ "kept": self.keeps, "most": MOST, "calls": rows.all.iter().collect::<Vec<_>>() })
    }

    /// The picture from before or after a call.
    pub(crate) fn frame(&self, number: u64, after: bool) -> Option<Arc<Frame>> {
        let rows = lock(&self.rows);
        let row = rows.all.iter().find(|row| row.number == number)?;
        if after { row.after.clone() } else { row.before.clone() }
    }
}

/// What a client is called. It chooses its name, and takes neither the page's own nor one that only looks like it.
fn known_as(caller: &Caller) -> String {
    let name = caller.client.as_deref().unwrap_or(caller.transport);
    let shown: String = visible::escape(name).chars().take(MAX_NAME).collect();
    if caller.transport != caller::PAGE && shown.trim().eq_ignore_ascii_case(caller::PAGE) {
        return caller.transport.to_owned();
    }
    shown
}

/// The arguments as the audit log would keep them. Where it is not known that a text is no secret, it is one.
pub(super) fn masked(
    definition: &Definition,
    arguments: &JsonObject,
    shows_text: bool,
) -> Map<String, Value> {
    let kept = arguments.iter().take(MOST_ARGUMENTS).map(|(name, value)| {
        let (Kept::Whole(kept) | Kept::Masked(kept)) = kept(definition, name, value, shows_text);
        (name.chars().take(MAX_NAME).collect(), kept)
    });
    kept.collect()
}

/// Whether these arguments hold anything that is not kept as it is.
pub(super) fn hides_any(definition: &Definition, arguments: &JsonObject) -> bool {
    let is_masked =
        |(name, value): (&String, &Value)| matches!(kept(definition, name, value, false), Kept::Masked(_));
    arguments.iter().any(is_masked)
}

/// What is kept of an argument.
enum Kept {
    /// All there is to say of it.
    Whole(Value),
    Masked(Value),
}

fn kept(definition: &Definition, name: &str, value: &Value, shows_text: bool) -> Kept {
    let digest =
        |text: &str| Kept::Masked(json!(if shows_text { Digest::of(text) } else { Digest::secret() }));
    let param = definition.params.iter().find(|param| param.name() == name);
    let selects = param.is_some_and(|param| param.selects().is_some());
    let is_common = [DEVICE.name(), SEE.name()].contains(&name);
    match (definition.meaning(name), value) {
        // Nobody knows what a parameter that does not exist was meant to be.
        _ if param.is_none() && !is_common => Kept::Masked(json!(Digest::secret())),
        // A secret by its name, which is none.
        (Meaning::Text, Value::Object(_)) => Kept::Whole(json!(shorten(&value.to_string()))),
        (Meaning::Text, Value::String(text)) => digest(text),
        (Meaning::Text, other) => digest(&other.to_string()),
        (Meaning::Key, Value::String(key)) if is_text(key) => digest(key),
        (_, Value::String(text)) if selects && Selector::is_meant(text) => {
            Kept::Masked(json!(Digest::of(text)))
        }
        (_, Value::String(text)) => Kept::Whole(json!(shorten(text))),
        (_, Value::Null | Value::Bool(_) | Value::Number(_)) => Kept::Whole(value.clone()),
        (_, Value::Array(steps)) if definition.name == run_steps::DEFINITION.name => {
            let tools = steps.iter().filter_map(|step| step.get("tool")?.as_str());
            Kept::Masked(tools.map(shorten).collect())
        }
        // What lies deeper may be anything, words of the screen included.
        (_, Value::Array(items)) => Kept::Masked(json!({ "items": items.len() })),
        (_, Value::Object(fields)) => Kept::Masked(json!({ "fields": fields.len() })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_client_passes_for_the_person_at_the_page() {
        let known = |client: &str, transport| {
            known_as(&Caller { client: Some(client.to_owned()), ..Caller::over(transport) })
        };
        assert_eq!(known("page", caller::PAGE), "page");
        for name in ["page", "Page", " page "] {
            assert_eq!(known(name, caller::HTTP), "http", "{name:?}");
        }
        for name in ["pa\u{200b}ge", "page\u{202e}", "page\u{e0041}"] {
            assert!(known(name, caller::HTTP).contains("\\u{"), "{name:?}");
        }
        assert_eq!(known("homepage", caller::HTTP), "homepage");
    }
}
