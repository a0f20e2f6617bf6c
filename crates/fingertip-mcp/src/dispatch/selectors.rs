//! Selectors among the arguments of a call: each becomes the id of the one element it means, before anything is decided
//! about the call.
//!
//! From there on the call is one by id, so that policy, consent, audit and act speak of the same element: what the selector
//! would mean a moment later does not matter. None or several matches end the call, and nothing was done.

use std::borrow::Cow;
use std::time::Duration;

use fingertip_core::selector::{Misses, Selector};
use fingertip_core::target::{App, AppRef, Part, Scope};
use fingertip_core::{Deadline, Error, NodeId, NodeIndex, Reason, Result, Snapshot, Window};
use rmcp::model::JsonObject;
use serde_json::Value;

use crate::apps;
use crate::attached::Attached;
use crate::call::within;
use crate::interact::lean_candidates;
use crate::params::{Meaning, Param, Selects, WantedApp};

/// The most elements that an error names.
const MOST_NAMED: usize = 10;
/// How long an application may take to list what is out of view, once nothing in view matches.
const WHOLE_WITHIN: Duration = Duration::from_secs(3);
/// Stands for an element that is not known yet, while all else of the input is checked. No element ever has it: ids are
/// given out from one on.
const STAND_IN: NodeId = match NodeId::new(u32::MAX) {
    Some(id) => id,
    None => unreachable!(),
};

const EXAMPLE: &str =
    "For example button \"Save\", ~\"part of a name\", #resource_id, switch right of \"Wi-Fi\".";

/// The selectors of a call.
#[derive(Debug, Default)]
pub(super) struct Selectors {
    all: Vec<Given>,
    app: Option<WantedApp>,
}

#[derive(Debug)]
struct Given {
    parameter: &'static str,
    selector: Selector,
    selects: Selects,
}

/// A selector and what it was resolved to.
#[derive(Debug, Clone)]
pub(super) struct Resolved {
    pub(super) parameter: &'static str,
    pub(super) selector: String,
    pub(super) id: NodeId,
}

impl Selectors {
    /// Those among the arguments. What is an id or a path, or no selector by its form, is left to the tool.
    ///
    /// # Errors
    /// Names the parameter whose selector cannot be read, and what was expected where.
    pub(super) fn of(params: &[&'static dyn Param], arguments: &JsonObject) -> Result<Self> {
        let mut selectors = Self::default();
        for param in params {
            let Some(value) = arguments.get(param.name()) else { continue };
            match (param.selects(), value, param.meaning()) {
                (Some(selects), Value::String(text), _) if Selector::is_meant(text) => {
                    let parameter = param.name();
                    let selector = Selector::parse(text).map_err(|error| {
                        Error::invalid(format!("Parameter '{parameter}' is not a selector: {error}."))
                            .with_guidance(EXAMPLE)
                    })?;
                    selectors.all.push(Given { parameter, selector, selects });
                }
                (_, value, Meaning::App | Meaning::Scope) => selectors.app = WantedApp::of(value).ok(),
                _ => {}
            }
        }
        Ok(selectors)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The selectors as they are written, by their parameters.
    pub(super) fn written(&self) -> impl Iterator<Item = (&'static str, String)> + use<'_> {
        self.all.iter().map(|given| (given.parameter, given.selector.to_string()))
    }

    /// The arguments with an id in the place of each selector, to check all the others by.
    pub(super) fn checkable<'a>(&self, arguments: &'a JsonObject) -> Cow<'a, JsonObject> {
        let mut checkable = Cow::Borrowed(arguments);
        for given in &self.all {
            checkable.to_mut().insert(given.parameter.to_owned(), STAND_IN.to_string().into());
        }
        checkable
    }

    /// The element that each of them means now: in the application that the call names, else on the screen, which on a
    /// desktop is the application in front.
    ///
    /// # Errors
    /// When one of them means none or several, and those of looking.
    pub(super) async fn resolve(&self, attached: &Attached, deadline: Deadline) -> Result<Vec<Resolved>> {
        within(deadline, "finding the element", self.find(attached, deadline)).await
    }

    async fn find(&self, attached: &Attached, deadline: Deadline) -> Result<Vec<Resolved>> {
        let searched = Searched::look(attached, self.app.as_ref(), deadline).await?;
        let mut resolved = Vec::new();
        for given in &self.all {
            let selector = given.selector.to_string();
            let id = searched.the_one(attached, given, &selector, deadline).await?;
            resolved.push(Resolved { parameter: given.parameter, selector, id });
        }
        Ok(resolved)
    }
}

/// The arguments with the ids of the elements that were meant.
pub(super) fn with_ids(arguments: &JsonObject, resolved: &[Resolved]) -> JsonObject {
    let mut arguments = arguments.clone();
    for Resolved { parameter, id, .. } in resolved {
        arguments.insert((*parameter).to_owned(), id.to_string().into());
    }
    arguments
}

/// What is searched.
struct Searched {
    snapshot: Snapshot,
    /// The application whose windows count; all do where there is none.
    app: Option<AppRef>,
}

impl Searched {
    async fn look(attached: &Attached, wanted: Option<&WantedApp>, deadline: Deadline) -> Result<Self> {
        let kind = attached.kind();
        if kind.reads_whole_screen() {
            let snapshot = attached.look(&Scope::Screen, deadline).await?;
            let app = match wanted {
                Some(wanted) => Some(apps::among(snapshot.windows(), wanted, kind)?.reference()),
                None => None,
            };
            return Ok(Self { snapshot, app });
        }
        if let Some(wanted) = wanted {
            let app: App = apps::pick(&attached.survey().apps(deadline).await?, wanted, kind)?;
            let scope = Scope::App { app: app.reference(), part: Part::Visible };
            return Ok(Self { snapshot: attached.look(&scope, deadline).await?, app: Some(app.reference()) });
        }
        let snapshot = attached.look(&Scope::Screen, deadline).await?;
        let front = snapshot.focused_window().map(|window| &snapshot.windows()[window]);
        let app = front.and_then(|window| Some(AppRef { name: window.app.clone()?, pid: window.pid }));
        Ok(Self { snapshot, app })
    }

    fn counts(&self, window: &Window) -> bool {
        // A popup without an application was read with the one it belongs to.
        window.app.is_none() || self.app.as_ref().is_none_or(|app| app.owns(window))
    }

    fn find(&self, selector: &Selector) -> Vec<NodeIndex> {
        selector.find_in(&self.snapshot, |window| self.counts(window))
    }

    /// The one element that is meant.
    async fn the_one(
        &self,
        attached: &Attached,
        given: &Given,
        said: &str,
        deadline: Deadline,
    ) -> Result<NodeId> {
        let found = self.find(&given.selector);
        if !found.is_empty() {
            return self.only(&found, said);
        }
        let whole = self.whole(attached, deadline).await;
        let searched = whole.as_ref().unwrap_or(self);
        if given.selects == Selects::OutOfViewToo {
            let hidden = searched.find(&given.selector.hidden());
            if !hidden.is_empty() {
                return searched.only(&hidden, said);
            }
        }
        let misses = given.selector.misses(&searched.snapshot, |window| searched.counts(window));
        Err(searched.none(&misses, said))
    }

    /// All of the application, where what was read is only what can be seen of it. What it does not list in time is left
    /// out: the answer, that nothing in view matches, is known already.
    async fn whole(&self, attached: &Attached, deadline: Deadline) -> Option<Self> {
        if attached.kind().reads_whole_screen() {
            return None;
        }
        let app = self.app.clone()?;
        let scope = Scope::App { app: app.clone(), part: Part::Whole };
        let deadline = deadline.slice(WHOLE_WITHIN);
        let snapshot =
            within(deadline, "reading the application", attached.look(&scope, deadline)).await.ok()?;
        Some(Self { snapshot, app: Some(app) })
    }

    fn only(&self, found: &[NodeIndex], said: &str) -> Result<NodeId> {
        match found {
            [one] => self.snapshot.node(*one).id.ok_or_else(|| {
                Error::new(Reason::Internal, format!("The element that {said} matches has no id."))
            }),
            several => Err(Error::new(
                Reason::Ambiguous,
                format!("{} elements match {said}; nothing was done.", several.len()),
            )
            .with_guidance(
                "Use the id of the one that is meant, or add an index such as [1], a state, or a relation such as below \
                 \"Title\".",
            )
            .with_candidates(lean_candidates(&self.snapshot, &several[..several.len().min(MOST_NAMED)]))),
        }
    }

    fn none(&self, misses: &Misses, said: &str) -> Error {
        let instead = if misses.said.is_empty() {
            String::new()
        } else {
            format!(" There is: {}.", misses.said.join("; "))
        };
        Error::new(Reason::NotFound, format!("No element matches {said}; nothing was done.{instead}"))
            .with_guidance("Look again with get_screen_state, or use the id of what was meant.")
            .with_candidates(lean_candidates(&self.snapshot, &misses.nodes))
    }
}
