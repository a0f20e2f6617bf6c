//! The elements of an application with where they can be seen: how they become the nodes of a snapshot.

use std::sync::Arc;

use fingertip_core::{Node, Rect};
use fingertip_desktop::ListedWindow;
use fingertip_desktop::assemble::AppTree;

use crate::apps::Running;
use crate::handle::Handle;
use crate::roles;
use crate::tree::AccessibleTree;
use crate::tree::node::node;

/// The elements of an application.
pub(crate) struct SeenTree {
    pub(crate) app: Arc<Running>,
    pub(crate) tree: AccessibleTree,
    /// Where each element is and whether it can be seen, by its position; `None` for those that are left out.
    pub(crate) seen: Vec<Option<(Rect, bool)>>,
}

impl AppTree for SeenTree {
    fn windows(&self) -> &[usize] {
        &self.tree.windows
    }

    fn children(&self, place: usize) -> &[usize] {
        &self.tree.objects[place].children
    }

    fn spot(&self, place: usize) -> Option<(Rect, bool)> {
        self.seen[place]
    }

    fn take(&mut self, place: usize) -> Option<Node> {
        let (bounds, visible) = self.seen[place]?;
        let object = &self.tree.objects[place];
        let label = object.facts.title_element.as_ref().and_then(|label| self.tree.find(label));
        let label =
            label.map(|label| self.tree.objects[label].facts.name()).filter(|label| !label.is_empty());
        let mut node = node(&object.facts, bounds, visible, label);
        let shown = object.children.iter().filter(|&&child| self.seen[child].is_some()).count();
        let left_out = object.listed.total.saturating_sub(shown);
        node.child_count = u32::try_from(object.listed.total).ok().filter(|_| left_out > 0);
        let number = self.app.handles.number(&object.element);
        node.handle = Some(Handle { pid: self.app.pid, number }.to_string().into());
        Some(node)
    }

    fn opens_apart(&self, _: usize, child: usize) -> bool {
        &*self.tree.objects[child].facts.role == roles::MENU
    }
}

/// Where each element is, and whether it can be seen. `shown_by` has the listed window of each window of the tree.
pub(crate) fn spots(
    tree: &AccessibleTree,
    shown_by: &[Option<usize>],
    own: &[ListedWindow],
) -> Vec<Option<(Rect, bool)>> {
    let mut spots = vec![None; tree.objects.len()];
    let popups: Vec<Rect> = own
        .iter()
        .filter(|window| window.unmanaged && !window.minimized)
        .map(|window| window.bounds)
        .collect();
    let is_in_front = own.iter().any(|window| window.active);
    for (position, &root) in tree.windows.iter().enumerate() {
        let object = &tree.objects[root];
        let listed = shown_by[position].map(|window| &own[window]);
        let reported = object.facts.frame.filter(|frame| !frame.is_empty());
        let area = reported.or_else(|| listed.map(|window| window.bounds)).unwrap_or_default();
        let is_minimized = object.window.is_some_and(|window| window.minimized);
        let is_shown = match listed {
            Some(window) => !window.minimized && !is_minimized,
            // A menu bar is on the screen while its application is in front.
            None if &*object.facts.role == roles::MENU_BAR => is_in_front,
            None if &*object.facts.role == roles::MENU => popup_of(area, &popups).is_some(),
            None => !is_minimized,
        };
        let mut open = vec![(root, area, is_shown)];
        while let Some((place, clip, is_open)) = open.pop() {
            if spots[place].is_some() {
                continue;
            }
            let object = &tree.objects[place];
            let bounds = if place == root { area } else { object.facts.frame.unwrap_or_default() };
            let (mut clip, mut is_open) = (clip, is_open);
            if &*object.facts.role == roles::MENU && place != root {
                // A menu that is open has a window of its own; one that is not keeps the place it had.
                match popup_of(bounds, &popups) {
                    Some(popup) => clip = popup,
                    None => is_open = false,
                }
            }
            let visible = is_open && bounds.overlaps(clip);
            spots[place] = Some((bounds, visible));
            let inner = if roles::clips(&object.facts.role) && !bounds.is_empty() {
                clip.intersection(bounds)
            } else {
                clip
            };
            open.extend(object.children.iter().map(|&child| (child, inner, is_open)));
        }
    }
    spots
}

fn popup_of(menu: Rect, popups: &[Rect]) -> Option<Rect> {
    popups.iter().copied().find(|popup| !menu.is_empty() && popup.contains(menu.center()))
}
