//! How large a view wants to be.

use super::text::{TextBox, break_lines};
use super::view::{Align, Arrange, Content, Edges, Size, View};
use crate::phone::geometry::Rect;
use crate::phone::metrics::LINE_HEIGHT;

/// More room than any screen has: the height inside a scroll area.
pub(crate) const UNBOUNDED: i32 = 1 << 24;

/// Room a check box takes before its text.
pub(crate) const CHECK_BOX: f32 = 36.0;
/// Size of the disc of a labelled icon.
pub(crate) const LABELLED_DISC: f32 = 56.0;

/// Width and height in pixels.
pub(crate) type Extent = (i32, i32);

/// Turns density-independent pixels into pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale(pub(crate) f32);

impl Scale {
    pub(crate) fn px(self, dp: f32) -> i32 {
        (dp * self.0).round() as i32
    }

    /// Distances of edges: left, top, right, bottom.
    pub(crate) fn edges(self, edges: Edges) -> (i32, i32, i32, i32) {
        (self.px(edges.left), self.px(edges.top), self.px(edges.right), self.px(edges.bottom))
    }
}

/// The size of `view` without its margin, in no more than `room`.
pub(crate) fn measure(view: &View, room: Extent, scale: Scale) -> Extent {
    let (left, top, right, bottom) = scale.edges(view.padding);
    let fixed = |size: Size, room: i32| match size {
        Size::Dp(dp) => Some(scale.px(dp)),
        Size::Fill if room < UNBOUNDED / 2 => Some(room),
        Size::Fill | Size::Wrap => None,
    };
    let width = fixed(view.width, room.0);
    let height = fixed(view.height, room.1);
    if let (Some(width), Some(height)) = (width, height) {
        return (width, height);
    }
    let inner =
        ((width.unwrap_or(room.0) - left - right).max(0), (height.unwrap_or(room.1) - top - bottom).max(0));
    let own = content_size(view, inner.0, scale);
    let children = children_size(view, inner, scale);
    let wrap = |own: i32, children: i32, padding: i32, room: i32| (own.max(children) + padding).min(room);
    (
        width.unwrap_or_else(|| wrap(own.0, children.0, left + right, room.0)),
        height.unwrap_or_else(|| wrap(own.1, children.1, top + bottom, room.1)),
    )
}

/// The size with margin.
pub(crate) fn measure_outer(view: &View, room: Extent, scale: Scale) -> Extent {
    let (left, top, right, bottom) = scale.edges(view.margin);
    let inner = ((room.0 - left - right).max(0), (room.1 - top - bottom).max(0));
    let (width, height) = measure(view, inner, scale);
    (width + left + right, height + top + bottom)
}

fn content_size(view: &View, width: i32, scale: Scale) -> Extent {
    let size = view.style.text_size * scale.0;
    let line = size * LINE_HEIGHT;
    let block = |text: &str, width: i32, limit: usize| {
        let lines = break_lines(text, size, width as f32);
        let widest = lines.iter().map(|line| line.width).fold(0.0, f32::max);
        (widest.ceil() as i32, (lines.len().min(limit) as f32 * line).ceil() as i32)
    };
    match &view.content {
        Content::Empty => (0, 0),
        Content::Text { lines } => block(&view.text, width, *lines),
        Content::Icon { size, .. } => (scale.px(*size), scale.px(*size)),
        Content::Labelled { .. } => (scale.px(LABELLED_DISC), scale.px(LABELLED_DISC) + line.ceil() as i32),
        Content::Picture { .. } => (scale.px(96.0), scale.px(96.0)),
        Content::Switch => (scale.px(52.0), scale.px(32.0)),
        Content::CheckBox => {
            let (text_width, height) = block(&view.text, width - scale.px(CHECK_BOX), 1);
            (text_width + scale.px(CHECK_BOX), height.max(scale.px(24.0)))
        }
        Content::Slider(_) => (scale.px(200.0), scale.px(48.0)),
        Content::Field { editor, multiline } => {
            let bounds = Rect::new(0, 0, width, 0);
            let lines = TextBox::field(editor, size, bounds, *multiline).lines.len();
            (scale.px(120.0), (lines as f32 * line).ceil() as i32)
        }
    }
}

fn children_size(view: &View, room: Extent, scale: Scale) -> Extent {
    match view.arrange {
        Arrange::Frame | Arrange::Pager => view
            .children
            .iter()
            .map(|child| measure_outer(child, room, scale))
            .fold((0, 0), |most, size| (most.0.max(size.0), most.1.max(size.1))),
        Arrange::Column => {
            let sizes = linear(&view.children, room, false, scale);
            sizes.iter().fold((0, 0), |sum, size| (sum.0.max(size.0), sum.1 + size.1))
        }
        Arrange::Row => {
            let sizes = linear(&view.children, room, true, scale);
            sizes.iter().fold((0, 0), |sum, size| (sum.0 + size.0, sum.1.max(size.1)))
        }
        Arrange::Scroll => {
            let tall = (room.0, UNBOUNDED);
            let sizes = view.children.iter().map(|child| measure_outer(child, tall, scale));
            let (width, height) = sizes.fold((0, 0), |sum, size| (sum.0.max(size.0), sum.1 + size.1));
            (width, height.min(room.1))
        }
        Arrange::List(columns) => {
            let heights = list_heights(&view.children, columns, room.0, scale);
            (room.0, heights.iter().sum::<i32>().min(room.1))
        }
    }
}

/// The sizes (with margins) of children in a row or column; those with a weight share what is left.
pub(crate) fn linear(children: &[View], room: Extent, horizontal: bool, scale: Scale) -> Vec<Extent> {
    let along = |size: Extent| if horizontal { size.0 } else { size.1 };
    let make = |along: i32| if horizontal { (along, room.1) } else { (room.0, along) };
    let mut left = along(room);
    let mut sizes = vec![(0, 0); children.len()];
    let shares = |child: &View| child.weight > 0.0 && along(room) < UNBOUNDED / 2;
    for (child, size) in children.iter().zip(&mut sizes).filter(|(child, _)| !shares(child)) {
        *size = measure_outer(child, make(left), scale);
        left = (left - along(*size)).max(0);
    }
    let mut weight: f32 = children.iter().filter(|child| shares(child)).map(|child| child.weight).sum();
    for (child, size) in children.iter().zip(&mut sizes).filter(|(child, _)| shares(child)) {
        let share = (left as f32 * child.weight / weight).round() as i32;
        let (width, height) = measure_outer(child, make(share), scale);
        *size = if horizontal { (share, height) } else { (width, share) };
        left -= share;
        weight -= child.weight;
    }
    sizes
}

/// The heights of the rows of a list.
pub(crate) fn list_heights(children: &[View], columns: usize, width: i32, scale: Scale) -> Vec<i32> {
    let cell = (width / columns.max(1) as i32, UNBOUNDED);
    let tallest =
        |row: &[View]| row.iter().map(|child| measure_outer(child, cell, scale).1).max().unwrap_or(0);
    children.chunks(columns.max(1)).map(tallest).collect()
}

/// Where a length lies in the room it is given.
pub(crate) fn aligned(align: Align, room: i32, length: i32) -> i32 {
    match align {
        Align::Start => 0,
        Align::Center => (room - length) / 2,
        Align::End => room - length,
    }
}
