//! The path of a node, and the node of a path.

use super::{ElementPath, MAX_TITLE, PathApp, Step, Which};
use crate::target::AppRef;
use crate::{Candidate, Error, Flags, Node, NodeIndex, Reason, Result, Role, Snapshot, WindowKind};

/// How many siblings an error proposes.
const MOST_CANDIDATES: usize = 5;

/// What a path calls a node: what it says of itself. The text of a field is its value and no title.
#[must_use]
pub fn title(node: &Node) -> Option<&str> {
    let name = if node.is(Flags::EDITABLE) {
        node.description.as_deref().or(node.hint.as_deref())
    } else {
        node.label()
    };
    name.filter(|name| !name.is_empty())
}

/// The path of a node.
#[must_use]
pub fn of(snapshot: &Snapshot, index: NodeIndex) -> ElementPath {
    let window = snapshot.window_of(index);
    let shell = shell(snapshot, window);
    let mut steps = Vec::new();
    let mut below = Some(index).filter(|index| Some(*index) != shell);
    while let Some(step) = below {
        let parent = snapshot.parent(step);
        steps.push(step_to(snapshot, &siblings(snapshot, window, parent), step));
        below = parent.filter(|parent| Some(*parent) != shell);
    }
    steps.reverse();
    let held = &snapshot.windows()[window];
    let app = AppRef { name: held.app.clone().unwrap_or_default(), pid: held.pid };
    let app = PathApp::from(&app);
    ElementPath { window: which_window(snapshot, &app, window), app, steps }
}

/// The node a path names.
///
/// # Errors
/// When there is none, or when several are named alike; with what is there instead.
pub fn resolve(snapshot: &Snapshot, path: &ElementPath) -> Result<NodeIndex> {
    let window = find_window(snapshot, path)?;
    let mut at = shell(snapshot, window);
    for (depth, step) in path.steps.iter().enumerate() {
        let children = siblings(snapshot, window, at);
        at = Some(find_step(snapshot, path, depth, step, &children)?);
    }
    match (at, siblings(snapshot, window, None).as_slice()) {
        (Some(index), _) | (None, &[index]) => Ok(index),
        (None, roots) => Err(Error::new(
            Reason::Ambiguous,
            format!("'{path}' is a window with {} elements at its top.", roots.len()),
        )
        .with_candidates(candidates(snapshot, roots))),
    }
}

/// The node that is the window itself, where the platform has one.
fn shell(snapshot: &Snapshot, window: usize) -> Option<NodeIndex> {
    let mut roots = snapshot.roots_of(window);
    let only = roots.next().filter(|_| roots.next().is_none())?;
    matches!(snapshot.node(only).role, Role::Window | Role::Dialog | Role::Alert).then_some(only)
}

/// The children of a node, or the top of a window.
fn siblings(snapshot: &Snapshot, window: usize, parent: Option<NodeIndex>) -> Vec<NodeIndex> {
    match parent {
        Some(parent) => snapshot.children(parent).collect(),
        None => snapshot.roots_of(window).collect(),
    }
}

fn step_to(snapshot: &Snapshot, siblings: &[NodeIndex], index: NodeIndex) -> Step {
    let node = snapshot.node(index);
    let alike = || siblings.iter().filter(|other| snapshot.node(**other).role == node.role);
    let unique = |name: &&str| {
        is_short(name) && alike().filter(|other| title(snapshot.node(**other)) == Some(name)).count() == 1
    };
    let which = match title(node).filter(unique) {
        Some(name) => Which::Title(name.into()),
        None => Which::Index(alike().take_while(|other| **other != index).count()),
    };
    Step { role: node.role, which }
}

fn which_window(snapshot: &Snapshot, app: &PathApp, window: usize) -> Which {
    let name = |window: usize| snapshot.windows()[window].title.as_deref();
    let is_unique = |wanted: &&str| is_short(wanted) && titled(snapshot, app, wanted) == [window];
    match name(window).filter(|name| !name.is_empty()).filter(is_unique) {
        Some(name) => Which::Title(name.into()),
        None => Which::Index(own_windows(snapshot, app).take_while(|other| *other != window).count()),
    }
}

/// The windows of this title. A toolkit titles its menus and tooltips after the program, so that a popup has a title
/// only where no other window has it: a path must not fail because a tooltip came up.
fn titled(snapshot: &Snapshot, app: &PathApp, wanted: &str) -> Vec<usize> {
    let is_it = |window: &usize| snapshot.windows()[*window].title.as_deref() == Some(wanted);
    let is_popup = |window: &usize| snapshot.windows()[*window].kind == WindowKind::Popup;
    let (popups, lasting): (Vec<_>, Vec<_>) = own_windows(snapshot, app).filter(is_it).partition(is_popup);
    if lasting.is_empty() { popups } else { lasting }
}

fn own_windows<'a>(snapshot: &'a Snapshot, app: &'a PathApp) -> impl Iterator<Item = usize> + use<'a> {
    (0..snapshot.windows().len()).filter(|window| app.owns(&snapshot.windows()[*window]))
}

fn is_short(name: &str) -> bool {
    name.chars().nth(MAX_TITLE).is_none()
}

fn find_window(snapshot: &Snapshot, path: &ElementPath) -> Result<usize> {
    let found: Vec<usize> = match &path.window {
        Which::Index(index) => own_windows(snapshot, &path.app).nth(*index).into_iter().collect(),
        Which::Title(wanted) => titled(snapshot, &path.app, wanted),
    };
    if let [window] = found.as_slice() {
        return Ok(*window);
    }
    let (reason, what) = match found.len() {
        0 => (Reason::NotFound, "is not there"),
        _ => (Reason::Ambiguous, "is the title of several windows"),
    };
    let tops: Vec<_> =
        own_windows(snapshot, &path.app).filter_map(|window| snapshot.roots_of(window).next()).collect();
    Err(Error::new(reason, format!("window{} of '{path}' {what}.", path.window))
        .with_candidates(candidates(snapshot, &tops)))
}

fn find_step(
    snapshot: &Snapshot,
    path: &ElementPath,
    depth: usize,
    step: &Step,
    children: &[NodeIndex],
) -> Result<NodeIndex> {
    let alike: Vec<NodeIndex> =
        children.iter().copied().filter(|child| snapshot.node(*child).role == step.role).collect();
    let found: Vec<NodeIndex> = match &step.which {
        Which::Index(index) => alike.get(*index).copied().into_iter().collect(),
        Which::Title(wanted) => {
            let is_it = |child: &NodeIndex| title(snapshot.node(*child)) == Some(wanted);
            alike.iter().copied().filter(is_it).collect()
        }
    };
    if let [index] = found.as_slice() {
        return Ok(*index);
    }
    let (reason, what, near) = match found.as_slice() {
        [] if alike.is_empty() => (Reason::NotFound, "is not there", children),
        [] => (Reason::NotFound, "is not there", alike.as_slice()),
        several => (Reason::Ambiguous, "is the title of several elements", several),
    };
    let place = depth + 1;
    Err(Error::new(reason, format!("Step {place} '{step}' of '{path}' {what}."))
        .with_candidates(candidates(snapshot, near)))
}

fn candidates(snapshot: &Snapshot, nodes: &[NodeIndex]) -> Vec<Candidate> {
    let named = nodes.iter().filter_map(|index| {
        let node = snapshot.node(*index);
        Some(Candidate { id: node.id?.to_string(), label: node.summary() })
    });
    named.take(MOST_CANDIDATES).collect()
}
