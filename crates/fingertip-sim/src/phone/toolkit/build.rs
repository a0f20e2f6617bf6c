//! Saying what a view is like, one property after the other.

use super::view::{Align, Content, Edges, Size, Touch, View};
use crate::phone::apps::Tag;
use crate::phone::scene::Color;
use crate::phone::tree::NodeFlags;

impl View {
    pub(crate) fn id(mut self, id: &'static str) -> Self {
        self.id = id;
        self
    }

    pub(crate) fn class(mut self, class: &'static str) -> Self {
        self.class = class;
        self
    }

    pub(crate) fn tag(mut self, tag: impl Into<Tag>) -> Self {
        self.tag = Some(tag.into());
        self
    }

    pub(crate) fn slot(mut self, slot: u32) -> Self {
        self.slot = Some(slot);
        self
    }

    pub(crate) fn describe(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }

    /// Adds or removes a flag.
    pub(crate) fn flag(mut self, flag: NodeFlags, on: bool) -> Self {
        self.flags.set(flag, on);
        self
    }

    /// Sends clicks to `tag`.
    pub(crate) fn on_click(self, tag: impl Into<Tag>) -> Self {
        self.tag(tag).flag(NodeFlags::CLICKABLE | NodeFlags::FOCUSABLE, true)
    }

    pub(crate) fn long_clickable(self) -> Self {
        self.flag(NodeFlags::LONG_CLICKABLE, true)
    }

    pub(crate) fn touch(mut self, touch: Touch) -> Self {
        self.touch = touch;
        self
    }

    pub(crate) fn width(mut self, width: Size) -> Self {
        self.width = width;
        self
    }

    pub(crate) fn height(mut self, height: Size) -> Self {
        self.height = height;
        self
    }

    /// As large as its parent.
    pub(crate) fn fill(self) -> Self {
        self.width(Size::Fill).height(Size::Fill)
    }

    /// Takes this share of what its siblings leave.
    pub(crate) fn weight(mut self, weight: f32) -> Self {
        self.weight = weight;
        self
    }

    pub(crate) fn margin(mut self, horizontal: f32, vertical: f32) -> Self {
        self.margin = Edges::symmetric(horizontal, vertical);
        self
    }

    pub(crate) fn pad(mut self, horizontal: f32, vertical: f32) -> Self {
        self.padding = Edges::symmetric(horizontal, vertical);
        self
    }

    /// Where it lies in a frame, or across the direction of a row or column.
    pub(crate) fn align(mut self, horizontal: Align, vertical: Align) -> Self {
        self.align = (horizontal, vertical);
        self
    }

    pub(crate) fn background(mut self, color: Color) -> Self {
        self.style.background = Some(color);
        self
    }

    pub(crate) fn outline(mut self, color: Color) -> Self {
        self.style.outline = Some(color);
        self
    }

    pub(crate) fn radius(mut self, radius: f32) -> Self {
        self.style.radius = radius;
        self
    }

    pub(crate) fn elevation(mut self, elevation: f32) -> Self {
        self.style.elevation = elevation;
        self
    }

    pub(crate) fn color(mut self, color: Color) -> Self {
        self.style.color = color;
        self
    }

    pub(crate) fn text_size(mut self, size: f32) -> Self {
        self.style.text_size = size;
        self
    }

    pub(crate) fn bold(mut self) -> Self {
        self.style.bold = true;
        self
    }

    pub(crate) fn text_align(mut self, align: Align) -> Self {
        self.style.text_align = align;
        self
    }

    /// Shows no more than this many lines of its text.
    pub(crate) fn lines(mut self, lines: usize) -> Self {
        self.content = Content::Text { lines };
        self
    }
}
