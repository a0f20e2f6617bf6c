//! Where a call would act, found out for the question the user is asked. Only looks.
//!
//! The user's yes is for what was found: it is looked for again right before the call acts, and a yes for another place
//! is none. What makes a place the same: the applications and windows that would receive the call, the elements it names or
//! its fingers come down and go up on, by their lasting ids and as a person reads them, and the words of the dialog they
//! are in: that is what the user says yes to.

use std::time::Duration;

use fingertip_core::id::Located;
use fingertip_core::path::{self, PathApp};
use fingertip_core::target::{App, AppRef, Part, Scope, TargetKind};
use fingertip_core::{Deadline, Flags, Node, NodeIndex, Point, Result, Snapshot, Window, hit, lean};
use rmcp::model::JsonObject;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::confirm::Place;
use super::guard::Agreed;
use super::receiver;
use super::shown::{plain, quoted};
use crate::apps;
use crate::attached::Attached;
use crate::call::within;
use crate::params::{ElementRef, Meaning, WantedApp};
use crate::secrets::{Said, Secrets};
use crate::tool::{Definition, Subject};

mod subject;

/// How long finding out may take. Without an answer the question is asked all the same, with less in it.
const FOUND_WITHIN: Duration = Duration::from_secs(3);

/// What the arguments of a call say about where it acts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Intent {
    /// The element it names.
    pub(crate) element: Option<ElementRef>,
    /// The application whose part of the screen it looks at.
    pub(crate) scope: Option<WantedApp>,
    /// The element it drops something on.
    onto: Option<ElementRef>,
    /// The application it is for.
    app: Option<WantedApp>,
    /// All the points it touches.
    pub(crate) points: Vec<Point>,
    /// Those of them where a finger comes down.
    downs: Vec<Point>,
    /// Those of them where one goes up again, elsewhere.
    ups: Vec<Point>,
    /// What it acts on as a whole.
    subject: Option<Subject>,
}

impl Intent {
    /// What the arguments of a call say, which its tool has checked, and what that says it acts on.
    ///
    /// # Errors
    /// When the application to look at is not valid: tools do not read that parameter themselves.
    pub(crate) fn of(
        definition: &Definition,
        arguments: &JsonObject,
        subject: Option<Subject>,
    ) -> Result<Self> {
        let mut intent = Self { subject, ..Self::default() };
        let mut x = None;
        let given = definition.params.iter().filter_map(|param| Some((param, arguments.get(param.name())?)));
        for (param, value) in given {
            match param.meaning() {
                Meaning::Plain | Meaning::Text | Meaning::Key => {}
                Meaning::Element => intent.element = ElementRef::of(value),
                Meaning::DropElement => intent.onto = ElementRef::of(value),
                Meaning::App => intent.app = WantedApp::of(value).ok(),
                Meaning::Scope => intent.scope = Some(WantedApp::of(value)?),
                Meaning::X => x = value.as_f64(),
                Meaning::Y => {
                    intent.points.extend(x.take().zip(value.as_f64()).map(|(x, y)| Point::new(x, y)));
                }
                Meaning::Paths => intent.add_paths(value),
            }
        }
        if intent.downs.is_empty() {
            intent.downs.extend(intent.points.first());
            intent.ups.extend(intent.points.last().filter(|_| intent.points.len() > 1));
        }
        Ok(intent)
    }

    fn add_paths(&mut self, paths: &Value) {
        let at = |point: &Value| Some(Point::new(point.get("x")?.as_f64()?, point.get("y")?.as_f64()?));
        for path in paths.as_array().into_iter().flatten().filter_map(Value::as_array) {
            let path: Vec<Point> = path.iter().filter_map(at).collect();
            self.downs.extend(path.first());
            self.ups.extend(path.last().filter(|_| path.len() > 1));
            self.points.extend(path);
        }
    }
}

fn locate(element: &ElementRef, attached: &Attached, snapshot: &Snapshot) -> Option<NodeIndex> {
    match element {
        ElementRef::Id(id) => match attached.locate(snapshot, *id) {
            Located::Found(index) => Some(index),
            _ => None,
        },
        ElementRef::Path(path) => path::resolve(snapshot, path).ok(),
    }
}

/// Finds out where a call would act.
pub(crate) async fn find(attached: &Attached, intent: &Intent, secrets: &Secrets) -> Place {
    let deadline = Deadline::after(FOUND_WITHIN);
    match &intent.subject {
        Some(Subject::Launch(request)) => return subject::launch(attached, request, secrets, deadline).await,
        Some(Subject::Windows(windows)) => {
            return subject::windows(attached, windows, secrets, deadline).await;
        }
        None => {}
    }
    let looking = async {
        let scope = scope(attached, intent, deadline).await?;
        attached.look(&scope, deadline).await
    };
    // Bounded here too: a target that hangs against its rules must not keep the call from its answer.
    let what = "finding out where the call would act";
    let receivers = within(deadline, what, attached.survey().receivers(deadline));
    let dropping = within(deadline, what, dropped_on(attached, intent, secrets, deadline));
    let (snapshot, windows, onto) = tokio::join!(within(deadline, what, looking), receivers, dropping);
    let agreed = Agreed { windows: windows.ok(), ..Agreed::default() };
    match (snapshot, onto) {
        (Ok(snapshot), Ok(onto)) => {
            let place = seen(attached, &snapshot, intent, agreed, secrets);
            let owner = within(deadline, what, embedded(attached, &snapshot, intent, deadline)).await;
            let place = owner.ok().flatten().into_iter().fold(place, shown_of);
            onto.into_iter().fold(place, Dropped::added_to)
        }
        // What cannot be seen may be a password field.
        _ => Place { target: attached.info().name, secret: true, agreed, ..Place::default() },
    }
}

/// An element is looked for where it was seen or is said to stand; anything else goes to the application that is named,
/// or to whatever is in front.
pub(crate) async fn scope(attached: &Attached, intent: &Intent, deadline: Deadline) -> Result<Scope> {
    let info = attached.info();
    if info.kind.reads_whole_screen() {
        return Ok(Scope::Screen);
    }
    Ok(match (&intent.element, intent.scope.as_ref().or(intent.app.as_ref())) {
        (Some(ElementRef::Id(id)), _) => match attached.app_of(*id) {
            Some(app) => Scope::App { app, part: Part::Visible },
            None => Scope::Screen,
        },
        (Some(ElementRef::Path(path)), _) => Scope::App { app: owner(&path.app), part: Part::Whole },
        (None, Some(wanted)) => {
            let app = apps::pick(&attached.survey().apps(deadline).await?, wanted, info.kind)?;
            Scope::App { app: app.reference(), part: Part::Visible }
        }
        (None, None) => Scope::Screen,
    })
}

/// The application whose element a call names, where another one shows it.
async fn embedded(
    attached: &Attached,
    snapshot: &Snapshot,
    intent: &Intent,
    deadline: Deadline,
) -> Result<Option<App>> {
    let named = intent.element.as_ref().and_then(|element| locate(element, attached, snapshot));
    let Some(index) = named else { return Ok(None) };
    let owner = attached.survey().owner(snapshot.node(index), deadline).await?;
    let shown_by = snapshot.windows()[snapshot.window_of(index)].pid;
    Ok(owner.filter(|owner| owner.pid.is_none() || owner.pid != shown_by))
}

/// The place with an application named whose element another one shows.
fn shown_of(mut place: Place, owner: App) -> Place {
    place.bound = Sha256::digest(json!([place.bound, owner.name, owner.pid]).to_string()).into();
    if !place.reached.iter().any(|known| **known == *owner.name) {
        place.reached.push(owner.name.into());
    }
    place
}

/// What a call drops something on.
struct Dropped {
    element: Option<Element>,
    window: Option<Window>,
}

/// Finds the element that something is dropped on, which may be another application's.
async fn dropped_on(
    attached: &Attached,
    intent: &Intent,
    secrets: &Secrets,
    deadline: Deadline,
) -> Result<Option<Dropped>> {
    let Some(named) = &intent.onto else { return Ok(None) };
    let only = Intent { element: Some(named.clone()), ..Intent::default() };
    let snapshot = attached.look(&scope(attached, &only, deadline).await?, deadline).await?;
    let index = locate(named, attached, &snapshot);
    Ok(Some(Dropped {
        element: index.map(|index| Element::of(&snapshot, index, secrets)),
        window: index.map(|index| snapshot.windows()[snapshot.window_of(index)].clone()),
    }))
}

impl Dropped {
    fn added_to(mut place: Place, dropped: Self) -> Place {
        let Self { element, window } = dropped;
        let receiver = window.as_ref().map(|window| json!([window.app, window.pid, window.handle]));
        let identity = element.as_ref().map(|element| &element.identity);
        place.bound = Sha256::digest(json!([place.bound, receiver, identity]).to_string()).into();
        let start = place.element.take().unwrap_or_else(|| "a point".to_owned());
        let onto = element.map_or_else(|| "an element".to_owned(), |element| element.shown);
        place.element = Some(format!("{start} onto {onto}"));
        if let Some(app) = window.as_ref().and_then(|window| window.app.as_deref())
            && !place.reached.iter().any(|known| known == app)
        {
            place.reached.push(app.to_owned());
        }
        place.agreed.named.extend(window);
        place
    }
}

fn owner(app: &PathApp) -> AppRef {
    match app {
        PathApp::Pid(pid) => AppRef { name: pid.to_string().into(), pid: Some(*pid) },
        PathApp::Named(name) => AppRef::named(name),
    }
}

fn seen(
    attached: &Attached,
    snapshot: &Snapshot,
    intent: &Intent,
    mut agreed: Agreed,
    secrets: &Secrets,
) -> Place {
    let info = attached.info();
    let named = intent.element.as_ref();
    let index = match named {
        Some(element) => locate(element, attached, snapshot),
        None => snapshot.focused_node(),
    };
    let node = index.map(|index| snapshot.node(index));
    let window = match index.filter(|_| named.is_some()) {
        Some(index) => Some(snapshot.window_of(index)),
        // An application that is named is meant whether it is in front or not.
        None => {
            let first = intent.app.as_ref().and((!snapshot.windows().is_empty()).then_some(0));
            snapshot.focused_window().or(first)
        }
    };
    let window = window.map(|window| &snapshot.windows()[window]);
    let owner = window.and_then(|window| window.app.clone());
    let app = owner.or_else(|| snapshot.app.clone()).map(String::from);
    let touched: Vec<&Window> = touched(&agreed, info.kind, intent);
    let mut reached: Vec<String> =
        touched.iter().filter_map(|window| window.app.as_deref().map(str::to_owned)).collect();
    reached.sort();
    reached.dedup();
    let at = |points: &[Point]| -> Vec<Option<Element>> {
        let under = |point: &Point| under(snapshot, info.kind, &agreed, *point);
        let elements = points.iter().map(under);
        elements.map(|node| node.map(|node| Element::of(snapshot, node, secrets))).collect()
    };
    let (down, up) = (at(&intent.downs), at(&intent.ups));
    let acted_on = index.map(|index| Element::of(snapshot, index, secrets));
    let element = match (named, down.as_slice()) {
        (Some(_), _) => acted_on.as_ref().map(|element| element.shown.clone()),
        (None, [one]) => one.as_ref().map(|element| element.shown.clone()),
        _ => None,
    };
    let mut receivers = touched;
    if intent.points.is_empty() {
        receivers.extend(window);
    }
    let by_node = named.is_some() || intent.points.is_empty();
    let bound = bound(&receivers, acted_on.as_ref().filter(|_| by_node), &down, &up);
    agreed.named = named.and(window).cloned().into_iter().collect();
    Place {
        target: info.name,
        in_front: window.is_none_or(|window| window.focused),
        app,
        reached,
        element,
        resolved: Vec::new(),
        starts: None,
        // What is named and not found may be a password field, too.
        secret: node.map_or(named.is_some(), |node| node.is(Flags::PASSWORD)),
        bound,
        agreed,
    }
}

/// The windows under the points of a call.
fn touched<'a>(agreed: &'a Agreed, kind: TargetKind, intent: &Intent) -> Vec<&'a Window> {
    let windows = agreed.windows.as_deref().unwrap_or_default();
    let mut touched: Vec<&Window> = Vec::new();
    for window in intent.points.iter().flat_map(|point| receiver::at(windows, kind, *point)) {
        if !touched.iter().any(|known| std::ptr::eq(*known, window)) {
            touched.push(window);
        }
    }
    touched
}

/// The element that is touched at a point, where the snapshot shows the window that is topmost there.
fn under(snapshot: &Snapshot, kind: TargetKind, agreed: &Agreed, point: Point) -> Option<NodeIndex> {
    let found = hit::receiver(snapshot, point)?;
    let shown = &snapshot.windows()[found.window];
    let windows = agreed.windows.as_deref().unwrap_or_default();
    let topmost = receiver::at(windows, kind, point);
    let same = topmost.iter().any(|window| receiver::same_app(window, shown));
    found.node.filter(|_| same)
}

/// What a yes is bound to.
fn bound(
    receivers: &[&Window],
    node: Option<&Element>,
    down: &[Option<Element>],
    up: &[Option<Element>],
) -> [u8; 32] {
    let receivers: Vec<Value> =
        receivers.iter().map(|window| json!([window.app, window.pid, window.handle])).collect();
    let identities = |elements: &[Option<Element>]| -> Vec<Value> {
        elements.iter().map(|element| json!(element.as_ref().map(|element| &element.identity))).collect()
    };
    let node = node.map(|element| &element.identity);
    Sha256::digest(json!([receivers, node, identities(down), identities(up)]).to_string()).into()
}

/// An element that a call would act on.
struct Element {
    /// As the user reads it.
    shown: String,
    /// What makes it this one and no other.
    identity: Value,
}

impl Element {
    fn of(snapshot: &Snapshot, index: NodeIndex, secrets: &Secrets) -> Self {
        let node = snapshot.node(index);
        let around = if node.label().is_none() { lean::words(snapshot, index) } else { Vec::new() };
        let shown = summary(node, &around, secrets);
        let dialog = lean::dialog_words(snapshot, snapshot.window_of(index));
        // All of the label: what is cut of it in the question was agreed to as well.
        let identity = json!([
            node.id.map(|id| id.to_string()),
            node.simple_class(),
            node.label(),
            node.resource_id,
            dialog
        ]);
        Self { shown, identity }
    }
}

/// An element in words, nothing of it hidden but secrets, which go before anything is cut: its own label, or what is shown
/// with it.
fn summary(node: &Node, words: &[&str], secrets: &Secrets) -> String {
    let quoted = |text: String| quoted(&secrets.redact(text, &Said::default()));
    let class = plain(node.simple_class().unwrap_or("element"));
    match (node.label(), words, &node.resource_id) {
        (Some(label), ..) => format!("{class} {}", quoted(label.to_owned())),
        (None, [_, ..], _) => format!("{class} {}", quoted(words.join(", "))),
        (None, [], Some(resource_id)) => format!("{class} #{}", plain(resource_id)),
        (None, [], None) => class,
    }
}
