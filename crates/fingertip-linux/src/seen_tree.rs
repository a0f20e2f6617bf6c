//! The objects of an application with what a snapshot needs of each: how they become its nodes.

use fingertip_core::{Flags, Node, Rect};
use fingertip_desktop::assemble::AppTree;

use crate::toolkit::Toolkit;
use crate::tree::AccessibleTree;
use crate::tree::detail::Detail;
use crate::tree::node::node;
use crate::visibility::has_bars;

/// The objects of an application.
pub(crate) struct SeenTree {
    pub(crate) tree: AccessibleTree,
    /// What it is made with.
    pub(crate) toolkit: Toolkit,
    /// Whether only what was looked for is in it, with what that is in.
    pub(crate) is_sparse: bool,
    /// What is known of each object, by its position; `None` for those that are left out.
    pub(crate) seen: Vec<Option<Seen>>,
}

/// Where an object is, whether it can be seen, and what it says of itself.
pub(crate) struct Seen {
    pub(crate) bounds: Rect,
    pub(crate) visible: bool,
    /// Whether it is on a hidden page: nothing there is acted on.
    pub(crate) put_away: bool,
    pub(crate) detail: Detail,
}

impl AppTree for SeenTree {
    fn windows(&self) -> &[usize] {
        &self.tree.windows
    }

    fn children(&self, place: usize) -> &[usize] {
        &self.tree.objects[place].children
    }

    fn spot(&self, place: usize) -> Option<(Rect, bool)> {
        self.seen[place].as_ref().map(|seen| (seen.bounds, seen.visible))
    }

    fn take(&mut self, place: usize) -> Option<Node> {
        let Seen { bounds, visible, put_away, detail } = self.seen[place].take()?;
        let object = &self.tree.objects[place];
        let mut node = node(object, detail, bounds, visible, self.toolkit);
        if put_away {
            node.flags.remove(Flags::CLICKABLE | Flags::LONG_CLICKABLE | Flags::EDITABLE | Flags::FOCUSABLE);
            node.actions = Default::default();
        }
        if self.is_sparse {
            let left_out = i64::from(object.child_count) - object.children.len() as i64;
            node.child_count = u32::try_from(left_out).ok().filter(|count| *count > 0);
        }
        if self.toolkit.scrolls_in_boxes() && has_bars(&self.tree, place) {
            node.flags.insert(Flags::SCROLLABLE);
        }
        Some(node)
    }

    fn opens_apart(&self, parent: usize, child: usize) -> bool {
        self.toolkit.opens_apart(&self.tree.objects[parent], &self.tree.objects[child])
    }
}
