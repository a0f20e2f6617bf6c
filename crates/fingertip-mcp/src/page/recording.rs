//! Recording: what was done to a target, by agent or by hand, becomes steps that can be done again.
//!
//! A step names its element by a selector that was tried on the screen before it, never by an id, which another run would not know;
//! a tap at a point becomes a click on what lay there. What newly appeared after a step is what is expected after it. A text that
//! may have gone into a password field is not kept: its step asks for a secret by name. No step holds the value of a secret by
//! name: a selector with one is no selector, and a line with one is not what is expected. What is recorded counts as working
//! only after it was replayed to its end.

mod export;

use std::sync::{Arc, Mutex};

use fingertip_core::selector::{Selector, suggest};
use fingertip_core::sync::lock;
use fingertip_core::target::Scope;
use fingertip_core::{NodeIndex, Snapshot, hit, lean};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

pub(crate) use export::Form;

use crate::call::Call;
use crate::dispatch::DEVICE;
use crate::interact::{Press, reacting};
use crate::params::{ElementRef, Meaning, Param, is_text};
use crate::policy::audit::AuditContext;
use crate::policy::place::Intent;
use crate::secrets::{Said, Secrets};
use crate::see::SEE;
use crate::tool::Definition;
use crate::tools::device::run_steps;

/// The most steps of a recording; what is done beyond that is not in it, and that is said.
const MOST: usize = 100;
/// The secret that a step asks for whose text was not kept.
const WITHHELD: &str = "RECORDED";
/// How many of the lines that came are tried as what is expected.
const MOST_NEWS: usize = 8;

/// What was recorded last, and whether more is.
#[derive(Debug, Default)]
pub(crate) struct Recorder(Mutex<Option<Recording>>);

#[derive(Debug)]
struct Recording {
    target: String,
    app: Option<String>,
    steps: Vec<Step>,
    is_on: bool,
    is_full: bool,
    withheld: bool,
    replay: Replay,
}

/// Whether the steps were done again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Replay {
    /// Not yet.
    Never,
    /// To the last one.
    Done,
    /// Not to the end; why.
    Stopped(String),
}

/// One thing that was done.
#[derive(Debug, Clone)]
pub(super) struct Step {
    tool: &'static str,
    arguments: JsonObject,
    /// What it acted on, for formats that know no selectors.
    label: Option<String>,
    resource_id: Option<String>,
    /// The selector of what newly appeared, and its words.
    expect: Option<(String, Option<String>)>,
    /// The screen before it, until that after it is known.
    before: Option<Arc<Snapshot>>,
}

/// What a call did, as its admission knows it.
pub(crate) struct Did<'a> {
    pub(crate) definition: &'static Definition,
    pub(crate) arguments: &'a JsonObject,
    pub(crate) intent: &'a Intent,
}

/// The screen before a call that is recorded.
pub(crate) struct Recorded(Arc<Snapshot>);

impl Recorder {
    /// Begins anew on this target.
    pub(crate) fn start(&self, target: &str) {
        *lock(&self.0) = Some(Recording {
            target: target.to_owned(),
            app: None,
            steps: Vec::new(),
            is_on: true,
            is_full: false,
            withheld: false,
            replay: Replay::Never,
        });
    }

    /// Ends the recording; `after` is the screen after the last step, where that can be seen.
    pub(crate) fn stop(&self, after: Option<&Snapshot>, secrets: &Secrets) {
        if let Some(recording) = lock(&self.0).as_mut() {
            recording.is_on = false;
            recording.expect(after, secrets);
        }
    }

    /// Forgets all of it.
    pub(crate) fn clear(&self) {
        *lock(&self.0) = None;
    }

    /// The target that is recorded or was.
    pub(crate) fn target(&self) -> Option<String> {
        lock(&self.0).as_ref().map(|recording| recording.target.clone())
    }

    fn is_on(&self, target: &str) -> bool {
        lock(&self.0).as_ref().is_some_and(|recording| recording.is_on && recording.target == target)
    }

    /// Looks at the screen before a call that is to be recorded; `None` where it is not. Only then does recording cost anything.
    pub(crate) async fn before(&self, call: &Call) -> Option<Recorded> {
        if !self.is_on(&call.attached().info().name) {
            return None;
        }
        // An act is never kept from happening because it could not be recorded.
        let seen = call.attached().look(&Scope::Screen, call.deadline()).await.ok()?;
        Some(Recorded(Arc::new(seen)))
    }

    /// Adds what was done.
    pub(crate) fn add(&self, before: Recorded, did: &Did<'_>, context: &AuditContext, secrets: &Secrets) {
        let Recorded(before) = before;
        let mut recording = lock(&self.0);
        let Some(recording) = recording.as_mut().filter(|recording| recording.is_on) else { return };
        recording.expect(Some(&before), secrets);
        if recording.steps.len() >= MOST {
            recording.is_full = true;
            return;
        }
        recording.app = recording.app.take().or_else(|| before.app.as_deref().map(str::to_owned));
        let (step, withheld) = Step::of(before, did, context.shows_text(), secrets);
        recording.withheld |= withheld;
        recording.steps.push(step);
    }

    /// What the page shows of it.
    pub(crate) fn state(&self) -> Value {
        let recording = lock(&self.0);
        let Some(recording) = recording.as_ref() else { return Value::Null };
        let (replayed, why) = match &recording.replay {
            Replay::Never => (Value::Null, None),
            Replay::Done => (json!(true), None),
            Replay::Stopped(why) => (json!(false), Some(why)),
        };
        json!({
            "target": recording.target,
            "on": recording.is_on,
            "full": recording.is_full,
            "withheld": recording.withheld,
            "steps": recording.steps.iter().map(Step::to_json).collect::<Vec<_>>(),
            "replayed": replayed,
            "why": why,
        })
    }

    /// The calls of `run_steps` that do it again: each with as many steps as one takes.
    pub(crate) fn calls(&self) -> Vec<Value> {
        lock(&self.0).as_ref().map(|recording| export::calls(&recording.steps)).unwrap_or_default()
    }

    /// Keeps how a replay ended, unless something else was recorded meanwhile.
    pub(crate) fn replayed(&self, replay: Replay) {
        if let Some(recording) = lock(&self.0).as_mut().filter(|recording| !recording.is_on) {
            recording.replay = replay;
        }
    }

    /// The recording in this form; `None` until it was replayed to its end.
    pub(crate) fn export(&self, form: Form) -> Option<String> {
        let recording = lock(&self.0);
        let recording = recording.as_ref().filter(|recording| recording.replay == Replay::Done)?;
        Some(form.write(recording.app.as_deref(), &recording.steps))
    }
}

impl Recording {
    /// What the last step is expected to lead to, now that its effect can be seen.
    fn expect(&mut self, after: Option<&Snapshot>, secrets: &Secrets) {
        let Some(last) = self.steps.last_mut() else { return };
        if let (Some(before), Some(after)) = (last.before.take(), after) {
            last.expect = appeared(&before, after, secrets);
        }
    }
}

impl Step {
    /// The step, and whether a text of it was not kept.
    fn of(before: Arc<Snapshot>, did: &Did<'_>, shows_text: bool, secrets: &Secrets) -> (Self, bool) {
        let Did { definition, arguments, intent } = did;
        let mut arguments = (*arguments).clone();
        for common in [DEVICE.name(), SEE.name()] {
            arguments.remove(common);
        }
        let mut withheld = false;
        for param in definition.params {
            let Some(value) = arguments.get_mut(param.name()) else { continue };
            let is_text = match (param.meaning(), &*value) {
                (Meaning::Text, other) => !other.is_object(),
                (Meaning::Key, Value::String(key)) => is_text(key),
                _ => false,
            };
            let is_known = value.as_str().is_some_and(|text| secrets.shows(text));
            if is_text && (!shows_text || is_known) {
                *value = json!({ "secret": WITHHELD });
                withheld = true;
            }
        }
        let id = intent.element.as_ref().and_then(ElementRef::id);
        let element = match (id, intent.points.first()) {
            (Some(id), _) => before.find_id(id),
            (None, Some(point)) => hit::receiver(&before, *point).and_then(|receiver| receiver.node),
            (None, None) => None,
        };
        let mut tool = definition.name;
        let mut described = None;
        if let Some((element, selector)) = element.and_then(|node| named(&before, node, secrets)) {
            let own = definition.params.iter().find(|param| param.meaning() == Meaning::Element);
            // A gesture of one point is a press of what lies there.
            let press = match tool {
                "tap" => Some(("click_element", Press::Short)),
                "long_press" => Some(("long_click_element", Press::Long)),
                _ => None,
            };
            let reacts = |press| reacting(&before, element, press).is_some();
            match (own.filter(|_| id.is_some()), press) {
                (Some(param), _) => _ = arguments.insert(param.name().to_owned(), json!(selector)),
                (None, Some((press_tool, press))) if reacts(press) => {
                    tool = press_tool;
                    arguments = JsonObject::from_iter([("element_id".to_owned(), json!(selector))]);
                }
                _ => {}
            }
            described = Some(element);
        }
        // What the caller has said itself, where nothing better was found.
        for value in arguments.values_mut() {
            if let Value::String(text) = value {
                *text = secrets.redact(std::mem::take(text), &Said::default());
            }
        }
        let node = described.map(|index| before.node(index));
        let label = described.and_then(|index| label(&before, index, secrets));
        let resource_id = node.and_then(|node| node.resource_id.as_deref().map(str::to_owned));
        (Self { tool, arguments, label, resource_id, expect: None, before: Some(before) }, withheld)
    }

    fn to_json(&self) -> Value {
        let mut step = json!({ "tool": self.tool, "arguments": self.arguments });
        if let Some((selector, _)) = &self.expect {
            step["expect"] = json!([{ "element": selector, "is": "present" }]);
        }
        step
    }
}

/// The element that a person would name, and its best selector that shows no secret.
fn named(snapshot: &Snapshot, node: NodeIndex, secrets: &Secrets) -> Option<(NodeIndex, String)> {
    let selector = suggest(snapshot, node).into_iter().find(|selector| !secrets.shows(selector))?;
    let found = Selector::parse(&selector).ok()?.find(snapshot);
    Some((*found.first()?, selector))
}

/// The words of an element, unless they show a secret.
fn label(snapshot: &Snapshot, node: NodeIndex, secrets: &Secrets) -> Option<String> {
    let words = lean::words(snapshot, node);
    words.first().filter(|words| !secrets.shows(words)).map(|words| (*words).to_owned())
}

/// The selector of a line that is there now and was not before, with its words; none where nothing of the kind came.
fn appeared(before: &Snapshot, after: &Snapshot, secrets: &Secrets) -> Option<(String, Option<String>)> {
    let known: Vec<String> =
        lean::lines(before, lean::Part::Screen, false).into_iter().map(|line| line.text).collect();
    let news =
        lean::lines(after, lean::Part::Screen, false).into_iter().filter(|line| !known.contains(&line.text));
    news.filter_map(|line| line.node).take(MOST_NEWS).find_map(|node| {
        let (found, selector) = named(after, node, secrets)?;
        // By its words alone: a place may be another's next time.
        let is_name = selector.contains('"') && !selector.contains('[') && !selector.contains(" of \"");
        let was_there = Selector::parse(&selector).is_ok_and(|selector| !selector.find(before).is_empty());
        (is_name && !was_there).then(|| (selector, label(after, found, secrets)))
    })
}

/// The largest part of a list that one call takes.
const STEPS_A_CALL: usize = run_steps::MAX_STEPS;
