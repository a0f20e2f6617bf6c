//! Where a call would act, found out for the question the user is asked. Only looks.
//!
//! The user's yes is for what was found: it is looked for again right before the call acts, and a yes for another place
//! is none. What makes a place the same: the applications and windows that would receive the call, and the elements it
//! names or its fingers come down on, as a person reads them.

use std::time::Duration;

use fingertip_core::id::Located;
use fingertip_core::path::{self, PathApp};
use fingertip_core::target::{AppRef, Part, Scope, TargetKind};
use fingertip_core::{Deadline, Flags, Node, NodeIndex, Point, Result, Snapshot, Window, hit};
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
    points: Vec<Point>,
    /// Those of them where a finger comes down.
    downs: Vec<Point>,
    /// What it acts on as a whole.
    subject: Option<Subject>,
}

impl Intent {
    /// What the arguments of a call say, which its tool has checked, and what that says it acts on.
    ///
    /// # Errors
    /// When the application to look at is none: tools do not read that themselves.
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
        }
        Ok(intent)
    }

    fn add_paths(&mut self, paths: &Value) {
        let at = |point: &Value| Some(Point::new(point.get("x")?.as_f64()?, point.get("y")?.as_f64()?));
        for path in paths.as_array().into_iter().flatten().filter_map(Value::as_array) {
            let path: Vec<Point> = path.iter().filter_map(at).collect();
            self.downs.extend(path.first());
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
pub(crate) async fn find(attached: &Attached, intent: &Intent) -> Place {
    let deadline = Deadline::after(FOUND_WITHIN);
    match &intent.subject {
        Some(Subject::Launch(request)) => return subject::launch(attached, request, deadline).await,
        Some(Subject::Windows(windows)) => return subject::windows(attached, windows, deadline).await,
        None => {}
    }
    let looking = async {
        let scope = scope(attached, intent, deadline).await?;
        attached.look(&scope, deadline).await
    };
    // Bounded here too: a target that hangs against its rules must not keep the call from its answer.
    let what = "finding out where the call would act";
    let receivers = within(deadline, what, attached.survey().receivers(deadline));
    let dropping = within(deadline, what, dropped_on(attached, intent, deadline));
    let (snapshot, windows, onto) = tokio::join!(within(deadline, what, looking), receivers, dropping);
    let agreed = Agreed { windows: windows.ok(), ..Agreed::default() };
    match (snapshot, onto) {
        (Ok(snapshot), Ok(onto)) => {
            let place = seen(attached, &snapshot, intent, agreed);
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

/// What a call drops something on.
struct Dropped {
    element: Option<String>,
    window: Option<Window>,
}

/// Finds the element that something is dropped on, which may be another application's.
async fn dropped_on(attached: &Attached, intent: &Intent, deadline: Deadline) -> Result<Option<Dropped>> {
    let Some(named) = &intent.onto else { return Ok(None) };
    let only = Intent { element: Some(named.clone()), ..Intent::default() };
    let snapshot = attached.look(&scope(attached, &only, deadline).await?, deadline).await?;
    let index = locate(named, attached, &snapshot);
    Ok(Some(Dropped {
        element: index.map(|index| summary(snapshot.node(index))),
        window: index.map(|index| snapshot.windows()[snapshot.window_of(index)].clone()),
    }))
}

impl Dropped {
    fn added_to(mut place: Place, dropped: Self) -> Place {
        let Self { element, window } = dropped;
        let receiver = window.as_ref().map(|window| json!([window.app, window.pid, window.handle]));
        place.bound = Sha256::digest(json!([place.bound, receiver, element]).to_string()).into();
        let start = place.element.take().unwrap_or_else(|| "a point".to_owned());
        place.element = Some(format!("{start} onto {}", element.unwrap_or_else(|| "an element".to_owned())));
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

fn seen(attached: &Attached, snapshot: &Snapshot, intent: &Intent, mut agreed: Agreed) -> Place {
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
    let under: Vec<Option<String>> =
        intent.downs.iter().map(|point| under(snapshot, info.kind, &agreed, *point)).collect();
    let element = match (named, under.as_slice()) {
        (Some(_), _) => node.map(summary),
        (None, [one]) => one.clone(),
        _ => None,
    };
    let mut receivers = touched;
    if intent.points.is_empty() {
        receivers.extend(window);
    }
    let bound = bound(&receivers, named.is_some() || intent.points.is_empty(), node, &under);
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

/// The element that a finger would come down on, where the snapshot shows the window that is topmost there.
fn under(snapshot: &Snapshot, kind: TargetKind, agreed: &Agreed, point: Point) -> Option<String> {
    let found = hit::receiver(snapshot, point)?;
    let shown = &snapshot.windows()[found.window];
    let windows = agreed.windows.as_deref().unwrap_or_default();
    let topmost = receiver::at(windows, kind, point);
    let same = topmost.iter().any(|window| receiver::same_app(window, shown));
    found.node.filter(|_| same).map(|node| summary(snapshot.node(node)))
}

/// What a yes is bound to.
fn bound(receivers: &[&Window], by_node: bool, node: Option<&Node>, under: &[Option<String>]) -> [u8; 32] {
    let receivers: Vec<Value> =
        receivers.iter().map(|window| json!([window.app, window.pid, window.handle])).collect();
    let node = node.filter(|_| by_node).map(summary);
    Sha256::digest(json!([receivers, node, under]).to_string()).into()
}

/// An element in words, nothing of it hidden.
fn summary(node: &Node) -> String {
    let class = plain(node.simple_class().unwrap_or("element"));
    match (node.label(), &node.resource_id) {
        (Some(label), _) => format!("{class} {}", quoted(label)),
        (None, Some(resource_id)) => format!("{class} #{}", plain(resource_id)),
        (None, None) => class,
    }
}
