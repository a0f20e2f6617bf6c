//! A view with its place on the screen.

use super::text::TextBox;
use super::view::{Axis, View};
use crate::phone::apps::Tag;
use crate::phone::geometry::{Point, Rect};

/// How far a scroll area is scrolled, and can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scrolled {
    pub(crate) axis: Axis,
    pub(crate) offset: f32,
    pub(crate) most: f32,
    /// Length of the viewport: one page.
    pub(crate) page: f32,
}

/// A view, placed. Its own list of children is empty; they are here, placed too.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Placed {
    pub(crate) view: View,
    pub(crate) key: u64,
    /// Where it is, seen or not.
    pub(crate) bounds: Rect,
    /// The part its parents let through.
    pub(crate) visible: Rect,
    /// Its text, laid out.
    pub(crate) text: Option<TextBox>,
    pub(crate) scrolled: Option<Scrolled>,
    pub(crate) children: Vec<Placed>,
}

impl Placed {
    /// The views under a point from the root to the innermost, by the order in which they are drawn.
    pub(crate) fn path_at(&self, point: Point) -> Vec<&Self> {
        let mut path = Vec::new();
        let mut here = self.visible.contains(point).then_some(self);
        while let Some(view) = here {
            path.push(view);
            here = view.children.iter().rev().find(|child| child.visible.contains(point));
        }
        path
    }

    /// The views from the root to the first for which `test` holds; empty if there is none.
    pub(crate) fn path_to(&self, test: &dyn Fn(&Self) -> bool) -> Vec<&Self> {
        if test(self) {
            return vec![self];
        }
        for child in &self.children {
            let mut path = child.path_to(test);
            if !path.is_empty() {
                path.insert(0, self);
                return path;
            }
        }
        Vec::new()
    }

    /// The view with this tag.
    pub(crate) fn find(&self, tag: Tag) -> Option<&Self> {
        self.walk().find(|placed| placed.view.tag == Some(tag))
    }

    /// This view and everything below it, parents before children.
    pub(crate) fn walk(&self) -> impl Iterator<Item = &Self> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            let view = open.pop()?;
            open.extend(view.children.iter().rev());
            Some(view)
        })
    }
}
