//! Where a call would act, found out for the question the user is asked. Only looks.
//!
//! The user's yes is for what was found: it is looked for again right before the call acts, and a yes for another place
//! is none. What makes a place the same: the applications and windows that would receive the call, and the elements it
//! names or its fingers come down on, as a person reads them.

use std::time::Duration;

use fingertip_core::id::Located;
use fingertip_core::path::{self, ElementPath, PathApp};
use fingertip_core::target::{AppRef, LaunchRequest, Part, Scope, TargetKind};
use fingertip_core::{Deadline, Flags, Node, NodeId, NodeIndex, Point, Result, Snapshot, Window, hit};
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
use crate::params::WantedApp;
use crate::tool::{Definition, Subject};
use crate::windows::WantedWindow;

mod subject;

/// How long finding out may take. Without an answer the question is asked all the same, with less in it.
const FOUND_WITHIN: Duration = Duration::from_secs(3);
/// The parameters that are a point where something is touched.
const POINTS: [(&str, &str); 5] =
    [("x", "y"), ("x1", "y1"), ("x2", "y2"), ("center_x", "center_y"), ("to_x", "to_y")];

/// The element a call names.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// By its id.
    Id(NodeId),
    /// By where it stands.
    Path(ElementPath),
}

impl Named {
    /// Reads an id or a path; what is neither names nothing.
    pub(crate) fn read(text: &str) -> Option<Self> {
        text.parse().map(Self::Id).ok().or_else(|| text.parse().map(Self::Path).ok())
    }

    /// Its id, if that is how it is named.
    pub(crate) fn id(&self) -> Option<NodeId> {
        match self {
            Self::Id(id) => Some(*id),
            Self::Path(_) => None,
        }
    }

    fn locate(&self, attached: &Attached, snapshot: &Snapshot) -> Option<NodeIndex> {
        match self {
            Self::Id(id) => match attached.locate(snapshot, *id) {
                Located::Found(index) => Some(index),
                _ => None,
            },
            Self::Path(path) => path::resolve(snapshot, path).ok(),
        }
    }
}

/// What a call says about where it acts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// The element it names.
    pub(crate) element: Option<Named>,
    /// The application it names.
    pub(crate) app: Option<WantedApp>,
    /// The element it drops something on.
    onto: Option<Named>,
    /// The application that a desktop tool names as a parameter of its own.
    own_app: Option<WantedApp>,
    /// All the points it touches.
    points: Vec<Point>,
    /// Those of them where a finger comes down.
    downs: Vec<Point>,
    /// What it starts.
    launch: Option<LaunchRequest>,
    /// The windows it is for: one, or all of an application.
    windows: Option<WantedWindow>,
}

impl Wanted {
    /// What the arguments of a call say, which were checked before.
    pub(crate) fn of(arguments: &JsonObject, app: Option<WantedApp>) -> Self {
        let element = arguments.get("element_id").or(arguments.get("element_path")).and_then(Value::as_str);
        let onto = arguments.get("to_element_id").and_then(Value::as_str).and_then(Named::read);
        let own_app = arguments.get("app").and_then(|value| WantedApp::of(value).ok());
        let element = element.and_then(Named::read);
        let mut wanted = Self { element, app, onto, own_app, ..Self::default() };
        let at = |object: &JsonObject, (x, y): (&str, &str)| {
            Some(Point::new(object.get(x)?.as_f64()?, object.get(y)?.as_f64()?))
        };
        wanted.points.extend(POINTS.iter().filter_map(|names| at(arguments, *names)));
        wanted.downs.extend(wanted.points.first());
        let paths = arguments.get("paths").and_then(Value::as_array);
        for path in paths.into_iter().flatten().filter_map(Value::as_array) {
            let path: Vec<Point> =
                path.iter().filter_map(|point| at(point.as_object()?, POINTS[0])).collect();
            wanted.downs.extend(path.first());
            wanted.points.extend(path);
        }
        wanted
    }

    /// With what a tool of this sort acts on as a whole.
    pub(crate) fn for_tool(
        mut self,
        definition: &Definition,
        arguments: &JsonObject,
        commands: bool,
    ) -> Self {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).map(str::to_owned);
        match definition.subject() {
            Some(Subject::Launch) => {
                let app = text("app").unwrap_or_default();
                self.launch = Some(LaunchRequest { app, document: text("file"), unvetted: commands });
            }
            Some(Subject::App | Subject::Window) => {
                self.windows = Some(WantedWindow::of(text("window"), arguments.get("app")));
            }
            None => {}
        }
        self
    }
}

/// Finds out where a call would act.
pub(crate) async fn find(attached: &Attached, wanted: &Wanted) -> Place {
    let deadline = Deadline::after(FOUND_WITHIN);
    if let Some(request) = &wanted.launch {
        return subject::launch(attached, request, deadline).await;
    }
    if let Some(windows) = &wanted.windows {
        return subject::windows(attached, windows, deadline).await;
    }
    let looking = async {
        let scope = scope(attached, wanted, deadline).await?;
        attached.look(&scope, deadline).await
    };
    // Bounded here too: a target that hangs against its rules must not keep the call from its answer.
    let what = "finding out where the call would act";
    let receivers = within(deadline, what, attached.target().survey().receivers(deadline));
    let dropping = within(deadline, what, dropped_on(attached, wanted, deadline));
    let (snapshot, windows, onto) = tokio::join!(within(deadline, what, looking), receivers, dropping);
    let agreed = Agreed { windows: windows.ok(), ..Agreed::default() };
    match (snapshot, onto) {
        (Ok(snapshot), Ok(onto)) => {
            let place = seen(attached, &snapshot, wanted, agreed);
            onto.into_iter().fold(place, Dropped::added_to)
        }
        // What cannot be seen may be a password field.
        _ => Place { target: attached.target().info().name, secret: true, agreed, ..Place::default() },
    }
}

/// An element is looked for where it was seen or is said to stand; anything else goes to the application that is named,
/// or to whatever is in front.
async fn scope(attached: &Attached, wanted: &Wanted, deadline: Deadline) -> Result<Scope> {
    let info = attached.target().info();
    if info.kind == TargetKind::Phone {
        return Ok(Scope::Screen);
    }
    Ok(match (&wanted.element, wanted.app.as_ref().or(wanted.own_app.as_ref())) {
        (Some(Named::Id(id)), _) => match attached.app_of(*id) {
            Some(app) => Scope::App { app, part: Part::Visible },
            None => Scope::Screen,
        },
        (Some(Named::Path(path)), _) => Scope::App { app: owner(&path.app), part: Part::Whole },
        (None, Some(wanted)) => {
            let app = apps::pick(&attached.target().survey().apps(deadline).await?, wanted, info.kind)?;
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
async fn dropped_on(attached: &Attached, wanted: &Wanted, deadline: Deadline) -> Result<Option<Dropped>> {
    let Some(named) = &wanted.onto else { return Ok(None) };
    let only = Wanted { element: Some(named.clone()), ..Wanted::default() };
    let snapshot = attached.look(&scope(attached, &only, deadline).await?, deadline).await?;
    let index = named.locate(attached, &snapshot);
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

fn seen(attached: &Attached, snapshot: &Snapshot, wanted: &Wanted, mut agreed: Agreed) -> Place {
    let info = attached.target().info();
    let named = wanted.element.as_ref();
    let index = match named {
        Some(element) => element.locate(attached, snapshot),
        None => snapshot.focused_node(),
    };
    let node = index.map(|index| snapshot.node(index));
    let window = match index.filter(|_| named.is_some()) {
        Some(index) => Some(snapshot.window_of(index)),
        // An application that is named is meant whether it is in front or not.
        None => {
            let first = wanted.own_app.as_ref().and((!snapshot.windows().is_empty()).then_some(0));
            snapshot.focused_window().or(first)
        }
    };
    let window = window.map(|window| &snapshot.windows()[window]);
    let owner = window.and_then(|window| window.app.clone());
    let app = owner.or_else(|| snapshot.app.clone()).map(String::from);
    let touched: Vec<&Window> = touched(&agreed, info.kind, wanted);
    let mut reached: Vec<String> =
        touched.iter().filter_map(|window| window.app.as_deref().map(str::to_owned)).collect();
    reached.sort();
    reached.dedup();
    let under: Vec<Option<String>> =
        wanted.downs.iter().map(|point| under(snapshot, info.kind, &agreed, *point)).collect();
    let element = match (named, under.as_slice()) {
        (Some(_), _) => node.map(summary),
        (None, [one]) => one.clone(),
        _ => None,
    };
    let mut receivers = touched;
    if wanted.points.is_empty() {
        receivers.extend(window);
    }
    let bound = bound(&receivers, named.is_some() || wanted.points.is_empty(), node, &under);
    agreed.named = named.and(window).cloned().into_iter().collect();
    Place {
        target: info.name,
        in_front: window.is_none_or(|window| window.focused),
        app,
        reached,
        element,
        starts: None,
        // What is named and not found may be a password field, too.
        secret: node.map_or(named.is_some(), |node| node.is(Flags::PASSWORD)),
        bound,
        agreed,
    }
}

/// The windows under the points of a call.
fn touched<'a>(agreed: &'a Agreed, kind: TargetKind, wanted: &Wanted) -> Vec<&'a Window> {
    let windows = agreed.windows.as_deref().unwrap_or_default();
    let mut touched: Vec<&Window> = Vec::new();
    for window in wanted.points.iter().flat_map(|point| receiver::at(windows, kind, *point)) {
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
