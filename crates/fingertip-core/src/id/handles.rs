//! Ids that follow handles, for platforms whose handles last.
//!
//! There a handle names one control for as long as that lives, wherever it moves and whether it was read or
//! not. So reading one application, or only what can be seen of it, makes nothing else forgotten. One doubt
//! remains: some toolkits show the next row of a list in the widgets of a row that left it. A control in a row
//! is therefore the same only while the row begins with the same words; otherwise it is a new one.
//!
//! What the platform marks as having a passing handle is found by `replaced` when that handle is gone. What it gives a
//! lasting name beside the handle is known by that, whatever it says.

use rustc_hash::{FxHashMap, FxHashSet};

use super::hash::{mix, of, of_text};
use super::memory::Likeness;
use super::pool::Issued;
use super::replaced::{self, Member};
use super::sketch::{base_of, class_of, own_of};
use crate::target::AppRef;
use crate::{Node, NodeId, NodeIndex, Role, Snapshot};

/// How many controls are remembered; beyond it the half not seen for longest is forgotten.
const MOST_KNOWN: usize = 100_000;

/// What is remembered of a control.
struct Known {
    id: NodeId,
    likeness: Likeness,
    /// The first words of the row it stands in; zero outside rows.
    row: u64,
    app: usize,
    seen: u64,
}

/// The controls seen, by handle.
#[derive(Default)]
pub(super) struct Handles {
    known: FxHashMap<Box<str>, Known>,
    /// Handles by id, those of controls whose handle went to another one included.
    handles: FxHashMap<NodeId, Box<str>>,
    /// The children last seen of parents whose children have passing handles, by the parent's id.
    families: FxHashMap<NodeId, Vec<Member>>,
    apps: Vec<AppRef>,
    round: u64,
}

impl Handles {
    /// Gives every node with a handle the id of its control.
    pub(super) fn assign(&mut self, snapshot: &mut Snapshot, issued: &mut Issued) {
        self.round += 1;
        let rows = rows_of(snapshot);
        let mut families = Vec::new();
        for index in snapshot.indices() {
            let app = self.app(&snapshot.windows()[snapshot.window_of(index)]);
            let row = rows[index.position()];
            if let Some(id) = self.name(snapshot.node(index), row, app, issued) {
                snapshot.set_id(index, id);
            }
            // Its children come next, so they are found by the handles they have now.
            if snapshot.children(index).any(|child| snapshot.node(child).passing_handle) {
                self.adopt(snapshot, index);
                families.push(index);
            }
        }
        for parent in families {
            self.note_family(snapshot, parent);
        }
        if self.known.len() > MOST_KNOWN {
            self.forget_half();
        }
    }

    /// Gives the children of a node the handles they have now, where they are known by older ones.
    fn adopt(&mut self, snapshot: &Snapshot, parent: NodeIndex) {
        let Some(before) = snapshot.node(parent).id.and_then(|id| self.families.get(&id)) else { return };
        let children: Vec<&Node> = snapshot.children(parent).map(|child| snapshot.node(child)).collect();
        let handles: FxHashSet<&str> = children.iter().filter_map(|child| child.handle.as_deref()).collect();
        let keys: Vec<u64> = children.iter().map(|child| replaced::key_of(child)).collect();
        for (child, successor) in children.iter().zip(replaced::successors(before, &keys)) {
            let (Some(id), Some(handle)) = (successor, child.handle.as_deref()) else { continue };
            if !child.passing_handle || child.lasting_name.is_some() || self.known.contains_key(handle) {
                continue;
            }
            // One that is still there under its handle is another one.
            let Some(old) = self.handles.get(&id).filter(|old| !handles.contains(&***old)).cloned() else {
                continue;
            };
            if self.known.get(&old).is_some_and(|known| known.id == id)
                && let Some(known) = self.known.remove(&old)
            {
                self.known.insert(handle.into(), known);
                self.handles.insert(id, handle.into());
            }
        }
    }

    /// Remembers the children of a node.
    fn note_family(&mut self, snapshot: &Snapshot, parent: NodeIndex) {
        let Some(id) = snapshot.node(parent).id else { return };
        let children = snapshot.children(parent).map(|child| snapshot.node(child));
        let members = children.filter_map(|child| Some(Member::new(child, child.id?)));
        self.families.insert(id, members.collect());
    }

    fn name(&mut self, node: &Node, row: u64, app: usize, issued: &mut Issued) -> Option<NodeId> {
        let handle = key_of(node)?;
        // A cell of a sheet is the same whatever is written into it.
        let row = if node.lasting_name.is_some() { 0 } else { row };
        let likeness = Likeness { class: class_of(node), base: base_of(node), own: own_of(node) };
        let same = self
            .known
            .get_mut(handle)
            .filter(|known| known.row == row && known.likeness.class == likeness.class);
        if let Some(known) = same {
            known.seen = self.round;
            known.likeness = likeness;
            return Some(known.id);
        }
        let id = issued.draw(mix(of(handle), mix(likeness.base, row)))?;
        self.handles.insert(id, handle.into());
        self.known.insert(handle.into(), Known { id, likeness, row, app, seen: self.round });
        Some(id)
    }

    /// The id of the control with this handle.
    pub(super) fn id_of(&self, handle: &str) -> Option<NodeId> {
        self.known.get(handle).map(|known| known.id)
    }

    /// The application that showed this control.
    pub(super) fn app_of(&self, id: NodeId) -> Option<&AppRef> {
        let known = self.known.get(self.handles.get(&id)?)?;
        self.apps.get(known.app)
    }

    /// What the control was like; of one whose handle went to another, that other.
    pub(super) fn likeness(&self, id: NodeId) -> Option<Likeness> {
        self.known.get(self.handles.get(&id)?).map(|known| known.likeness)
    }

    fn app(&mut self, window: &crate::Window) -> usize {
        if let Some(position) = self.apps.iter().position(|app| app.pid == window.pid && app.owns(window)) {
            return position;
        }
        self.apps.push(AppRef { name: window.app.clone().unwrap_or_default(), pid: window.pid });
        self.apps.len() - 1
    }

    fn forget_half(&mut self) {
        let mut rounds: Vec<u64> = self.known.values().map(|known| known.seen).collect();
        let middle = rounds.len() / 2;
        let (_, &mut median, _) = rounds.select_nth_unstable(middle);
        let kept_from = median.saturating_add(1).min(self.round);
        self.known.retain(|_, known| known.seen >= kept_from);
        let known = &self.known;
        self.handles.retain(|_, handle| known.contains_key(handle));
        let handles = &self.handles;
        self.families.retain(|parent, _| handles.contains_key(parent));
    }
}

/// What a node is known by.
fn key_of(node: &Node) -> Option<&str> {
    node.lasting_name.as_deref().or(node.handle.as_deref())
}

/// For every node the first words of the row it stands in, as a hash; zero outside rows.
fn rows_of(snapshot: &Snapshot) -> Vec<u64> {
    let mut rows = vec![0; snapshot.nodes().len()];
    let mut filled = 0;
    for index in snapshot.indices() {
        if index.position() < filled || !is_row(snapshot.node(index).role) {
            continue;
        }
        let words = first_words(snapshot, index);
        for inner in snapshot.subtree(index) {
            rows[inner.position()] = words;
            filled = inner.position() + 1;
        }
    }
    rows
}

fn is_row(role: Role) -> bool {
    matches!(role, Role::ListItem | Role::Row | Role::TreeItem | Role::Cell)
}

fn first_words(snapshot: &Snapshot, row: NodeIndex) -> u64 {
    let mut labels = snapshot.subtree(row).filter_map(|index| snapshot.node(index).label());
    of_text(labels.find(|label| !label.trim().is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{IdPool, Identities, Located, Rect, Screen, Window};

    fn shown(app: &str, pid: u32, nodes: &[(&str, Role, &str)]) -> Snapshot {
        let mut builder = Snapshot::builder(Screen::default());
        builder.lasting_handles();
        let mut window = Window::new(app, Rect::default());
        window.pid = Some(pid);
        builder.window(window);
        for (handle, role, text) in nodes {
            let mut node = Node::new("thing").role(*role).text(text);
            node.handle = Some((*handle).into());
            builder.leaf(node);
        }
        builder.finish()
    }

    fn ids(identities: &mut Identities, mut snapshot: Snapshot) -> Vec<NodeId> {
        identities.assign(&mut snapshot);
        snapshot.nodes().iter().map(|node| node.id.expect("every node has a handle")).collect()
    }

    #[test]
    fn reading_something_else_makes_nothing_forgotten() {
        let mut identities = Identities::new(IdPool::default().into());
        let editor = [("a", Role::Button, "Open"), ("b", Role::Button, "Save")];
        let first = ids(&mut identities, shown("editor", 1, &editor));
        ids(&mut identities, shown("other", 2, &[("c", Role::Button, "Save")]));
        let part = ids(&mut identities, shown("editor", 1, &editor[1..]));
        assert_eq!(part, first[1..]);
        assert_eq!(identities.app_of(first[0]).map(|app| app.pid), Some(Some(1)));
        assert!(identities.knows(first[0]));
    }

    #[test]
    fn a_control_keeps_its_id_when_its_text_changes_but_a_row_does_not() {
        let mut identities = Identities::new(IdPool::default().into());
        let before = [("a", Role::Button, "Play"), ("r", Role::ListItem, "Row 1")];
        let after = [("a", Role::Button, "Pause"), ("r", Role::ListItem, "Row 9")];
        let first = ids(&mut identities, shown("app", 1, &before));
        let mut snapshot = shown("app", 1, &after);
        identities.assign(&mut snapshot);
        assert_eq!(snapshot.nodes()[0].id, Some(first[0]));
        assert_ne!(snapshot.nodes()[1].id, Some(first[1]));
        assert!(matches!(identities.locate(&snapshot, first[1]), Located::Gone { .. }));
    }

    fn table(handles: &[&str], words: &[&str]) -> Snapshot {
        let mut builder = Snapshot::builder(Screen::default());
        builder.lasting_handles();
        builder.window(Window::new("app", Rect::default()));
        let mut table = Node::new("tree").role(Role::Tree);
        table.handle = Some("tree".into());
        builder.open(table);
        for (handle, text) in handles.iter().zip(words) {
            let mut cell = Node::new("table cell").role(Role::Cell).text(text);
            cell.handle = Some((*handle).into());
            cell.passing_handle = true;
            builder.leaf(cell);
        }
        builder.close();
        builder.finish()
    }

    #[test]
    fn a_cell_whose_handle_was_replaced_keeps_its_id() {
        let mut identities = Identities::new(IdPool::default().into());
        let words = ["one", "k", "two", "k"];
        let first = ids(&mut identities, table(&["1", "2", "3", "4"], &words));
        let again = ids(&mut identities, table(&["5", "6", "7", "8"], &words));
        assert_eq!(again, first);
        // Scrolled by a row: the second one is now the first.
        let scrolled = ids(&mut identities, table(&["11", "12", "13"], &["two", "k", "three"]));
        assert_eq!(scrolled[1..3], first[3..]);
        assert_ne!(scrolled[3], first[3]);
    }

    #[test]
    fn a_cell_that_is_still_there_under_its_handle_is_another_one() {
        let mut identities = Identities::new(IdPool::default().into());
        let first = ids(&mut identities, table(&["1", "2"], &["one", "two"]));
        let again = ids(&mut identities, table(&["2", "9"], &["one", "two"]));
        assert!(!again[1..].contains(&first[2]) && !again[1..].contains(&first[1]), "{again:?} {first:?}");
    }

    #[test]
    fn a_cell_of_a_sheet_is_known_by_its_place_whatever_is_in_it() {
        let sheet = |handles: [&str; 2], words: [&str; 2]| {
            let mut snapshot = Snapshot::builder(Screen::default());
            snapshot.lasting_handles();
            snapshot.window(Window::new("app", Rect::default()));
            for (place, (handle, text)) in handles.iter().zip(words).enumerate() {
                let mut cell = Node::new("table cell").role(Role::Cell).text(text);
                cell.handle = Some((*handle).into());
                cell.lasting_name = Some(format!("sheet#0,{place}").into());
                cell.passing_handle = true;
                snapshot.leaf(cell);
            }
            snapshot.finish()
        };
        let mut identities = Identities::new(IdPool::default().into());
        let first = ids(&mut identities, sheet(["1", "2"], ["one", "two"]));
        let again = ids(&mut identities, sheet(["3", "4"], ["two", "one"]));
        assert_eq!(again, first);
    }

    #[test]
    fn an_id_that_was_never_given_is_unknown() {
        let mut identities = Identities::new(IdPool::default().into());
        let mut snapshot = shown("app", 1, &[("a", Role::Button, "Play")]);
        identities.assign(&mut snapshot);
        let given = snapshot.nodes()[0].id.unwrap();
        let other = NodeId::new(given.number() ^ 1).unwrap();
        assert_eq!(
            identities.locate(&snapshot, other),
            Located::Unknown { nearest: vec![snapshot.indices().next().unwrap()] }
        );
    }
}
