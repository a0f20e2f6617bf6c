//! What happened in an application: collected from a native watch, or found by comparing snapshots.

use std::time::Instant;

use fingertip_core::diff::ChangedFields;
use fingertip_core::target::{App, UiEvent, UiEventKind};
use fingertip_core::{Flags, Node, NodeIndex, Snapshot, outline};
use serde_json::{Value, json};

use super::app_snapshot::owns;
use super::changes::BRIEF;
use crate::attached::Attached;
use crate::interact::changes_between;

/// The kinds by the words of requests and replies.
pub(super) const KINDS: [(&str, UiEventKind); 7] = [
    ("value_changed", UiEventKind::ValueChanged),
    ("focus_changed", UiEventKind::FocusChanged),
    ("window_created", UiEventKind::WindowCreated),
    ("window_destroyed", UiEventKind::WindowDestroyed),
    ("title_changed", UiEventKind::TitleChanged),
    ("children_changed", UiEventKind::ChildrenChanged),
    ("app_quit", UiEventKind::AppQuit),
];

/// Something that happened.
struct Happening {
    kind: UiEventKind,
    at: u64,
    node: Option<Node>,
    title: Option<Box<str>>,
    count: u32,
}

/// All that happened, as far as it was asked for and there is room.
pub(super) struct Observation {
    start: Instant,
    kinds: Option<Vec<UiEventKind>>,
    most: usize,
    seen: Vec<Happening>,
    pub(super) quit: bool,
}

impl Observation {
    /// Nothing yet. That the application quit is always noted.
    pub(super) fn new(kinds: Option<Vec<UiEventKind>>, most: usize) -> Self {
        Self { start: Instant::now(), kinds, most, seen: Vec::new(), quit: false }
    }

    /// Whether nothing more can be noted.
    pub(super) fn is_over(&self) -> bool {
        self.quit || self.is_full()
    }

    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.seen.len() >= self.most
    }

    /// Notes an event; one of the same kind on the same node as the last is counted with it, as the letters of a
    /// text that is being typed.
    pub(super) fn note(&mut self, event: UiEvent) {
        let UiEvent { kind, node, title, .. } = event;
        self.quit |= kind == UiEventKind::AppQuit;
        let wanted = self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
        if !wanted && kind != UiEventKind::AppQuit {
            return;
        }
        let at = self.start.elapsed().as_millis() as u64;
        let same =
            |last: &&mut Happening| last.kind == kind && last.title == title && is_same(&last.node, &node);
        if let Some(last) = self.seen.last_mut().filter(same) {
            (last.at, last.node, last.count) = (at, node, last.count + 1);
        } else if !self.is_full() {
            self.seen.push(Happening { kind, at, node, title, count: 1 });
        }
    }

    /// Notes what is different between two snapshots of the application.
    pub(super) fn compare(&mut self, app: &App, before: &Snapshot, after: &Snapshot) {
        let changes = changes_between(before, after);
        let reference = app.reference();
        let mut events: Vec<UiEvent> = Vec::new();
        let mut add = |kind, node: Option<Node>, title: Option<Box<str>>| {
            events.push(UiEvent { kind, app: reference.clone(), node, title });
        };
        let own = |snapshot: &Snapshot, window: usize| owns(app, &snapshot.windows()[window]);
        let title = |snapshot: &Snapshot, window: usize| snapshot.windows()[window].title.clone();
        for window in changes.windows_closed.iter().filter(|window| own(before, **window)) {
            add(UiEventKind::WindowDestroyed, None, title(before, *window));
        }
        for window in changes.windows_opened.iter().filter(|window| own(after, **window)) {
            add(UiEventKind::WindowCreated, None, title(after, *window));
        }
        for change in changes.windows_changed.iter().filter(|change| own(after, change.new)) {
            if change.fields.contains(ChangedFields::TITLE) {
                add(UiEventKind::TitleChanged, None, title(after, change.new));
            }
        }
        let of_value =
            ChangedFields::TEXT | ChangedFields::VALUE | ChangedFields::STATE | ChangedFields::DESCRIPTION;
        for change in &changes.changed {
            if !own(after, after.window_of(change.new)) {
                continue;
            }
            let node = after.node(change.new);
            if change.fields.intersects(of_value) {
                add(UiEventKind::ValueChanged, Some(node.clone()), None);
            }
            if change.fields.contains(ChangedFields::FOCUS) && node.is(Flags::FOCUSED) {
                add(UiEventKind::FocusChanged, Some(node.clone()), None);
            }
        }
        let known = |window: usize, opened: &[usize]| !opened.contains(&window);
        for parent in parents(after, &changes.added) {
            let window = after.window_of(parent);
            if own(after, window) && known(window, &changes.windows_opened) {
                add(UiEventKind::ChildrenChanged, Some(after.node(parent).clone()), None);
            }
        }
        for parent in parents(before, &changes.removed) {
            let window = before.window_of(parent);
            let still_there = before.node(parent).id.and_then(|id| after.find_id(id));
            if let Some(now) = still_there
                && own(before, window)
                && !parents(after, &changes.added).contains(&now)
            {
                add(UiEventKind::ChildrenChanged, Some(after.node(now).clone()), None);
            }
        }
        for event in events {
            self.note(event);
        }
    }

    /// Gives the nodes a native watch reported the ids their handles have.
    pub(super) fn name(&mut self, attached: &Attached) {
        for node in self.seen.iter_mut().filter_map(|happening| happening.node.as_mut()) {
            node.id = node.id.or_else(|| attached.id_of_handle(node.handle.as_deref()?));
        }
    }

    /// Whether a node is among them that has a handle and no id yet.
    pub(super) fn has_unnamed(&self) -> bool {
        let mut nodes = self.seen.iter().filter_map(|happening| happening.node.as_ref());
        nodes.any(|node| node.id.is_none() && node.handle.is_some())
    }

    /// The events as a reply shows them, oldest first.
    pub(super) fn to_json(&self) -> Vec<Value> {
        self.seen.iter().map(Happening::to_json).collect()
    }
}

impl Happening {
    fn to_json(&self) -> Value {
        let word = KINDS.iter().find(|(_, kind)| *kind == self.kind).map_or("other", |(word, _)| *word);
        let mut object = json!({ "kind": word, "atMs": self.at });
        if let Some(title) = &self.title {
            object["title"] = json!(title);
        }
        if let Some(node) = &self.node {
            object["element"] = json!(outline::describe_alone(node, Some(&BRIEF)));
        }
        if self.count > 1 {
            object["count"] = json!(self.count);
        }
        object
    }
}

fn is_same(one: &Option<Node>, other: &Option<Node>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            (one.handle.is_some() && one.handle == other.handle) || (one.id.is_some() && one.id == other.id)
        }
        _ => false,
    }
}

/// The parents, each once, of those nodes whose parent is not one of them.
fn parents(snapshot: &Snapshot, nodes: &[NodeIndex]) -> Vec<NodeIndex> {
    let tops = nodes.iter().filter_map(|index| snapshot.parent(*index));
    let mut parents: Vec<NodeIndex> = tops.filter(|parent| nodes.binary_search(parent).is_err()).collect();
    parents.sort_unstable();
    parents.dedup();
    parents
}
