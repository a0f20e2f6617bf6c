//! Gives every view its place.
//!
//! Children are cut to their parents, as Android does by default. Scroll offsets come from outside and are
//! taken as near as the content allows. Rows of a list share a pool of identities, as recycled views do.

use std::collections::BTreeMap;

use super::measure::{Scale, UNBOUNDED, aligned, linear, list_heights, measure_outer};
use super::placed::{Placed, Scrolled};
use super::text::TextBox;
use super::view::{Arrange, Axis, Content, Touch, View};
use crate::phone::apps::Tag;
use crate::phone::geometry::Rect;

/// How many view objects serve the rows of one column of a list: more than fit on a usual screen. A taller one has as
/// many as it shows.
pub(crate) const RECYCLE_POOL: usize = 32;

/// Rows kept attached beyond each end of what can be seen.
const SPARE_ROWS: usize = 1;

/// What placing needs beside the description.
pub(crate) struct Environment<'a> {
    pub(crate) scale: Scale,
    /// How far scroll areas are scrolled, in pixels.
    pub(crate) offsets: &'a BTreeMap<Tag, f32>,
    /// A view that a finger drags aside, and how far.
    pub(crate) dragged: Option<(Tag, f32)>,
}

/// Places `view` and all below it.
pub(crate) fn place(
    mut view: View,
    bounds: Rect,
    clip: Rect,
    key: u64,
    environment: &Environment<'_>,
) -> Placed {
    let bounds = drag(&view, bounds, environment);
    let visible = bounds.intersection(clip);
    let visible = if visible.is_empty() { Rect::default() } else { visible };
    let (left, top, right, bottom) = environment.scale.edges(view.padding);
    let inner = bounds.inset(left, top, right, bottom);
    let text = lay_text(&view, inner, environment.scale);
    let children = std::mem::take(&mut view.children);
    let (slots, scrolled) = slots(&view, &children, inner, environment);
    let mut slots = slots.into_iter().peekable();
    let mut placed = Vec::new();
    for (index, child) in children.into_iter().enumerate() {
        let Some((_, slot, bounds)) = slots.next_if(|(at, ..)| *at == index) else { continue };
        let key = child_key(key, child.slot.map_or(slot, |slot| u64::from(slot) | 1 << 32), child.class);
        placed.push(place(child, bounds, visible, key, environment));
    }
    Placed { view, key, bounds, visible, text, scrolled, children: placed }
}

fn drag(view: &View, bounds: Rect, environment: &Environment<'_>) -> Rect {
    match (view.touch, environment.dragged) {
        (Touch::Swipe(axis), Some((tag, by))) if view.tag == Some(tag) => match axis {
            Axis::Horizontal => bounds.moved(by as i32, 0),
            Axis::Vertical => bounds.moved(0, by as i32),
        },
        _ => bounds,
    }
}

fn lay_text(view: &View, inner: Rect, scale: Scale) -> Option<TextBox> {
    let size = view.style.text_size * scale.0;
    match &view.content {
        Content::Text { lines } => {
            Some(TextBox::label(&view.text, size, inner, view.style.text_align, *lines))
        }
        Content::Field { editor, multiline } => Some(TextBox::field(editor, size, inner, *multiline)),
        _ => None,
    }
}

fn size_of(rect: Rect) -> (i32, i32) {
    (rect.width(), rect.height())
}

/// A child's index, its identity among its siblings, and its bounds.
type Slot = (usize, u64, Rect);

fn slots(
    view: &View,
    children: &[View],
    inner: Rect,
    environment: &Environment<'_>,
) -> (Vec<Slot>, Option<Scrolled>) {
    let scale = environment.scale;
    let wanted = view.tag.and_then(|tag| environment.offsets.get(&tag)).copied().unwrap_or(0.0);
    let numbered = |bounds: Vec<Rect>| {
        bounds.into_iter().enumerate().map(|(index, bounds)| (index, index as u64, bounds)).collect()
    };
    match view.arrange {
        Arrange::Frame => (numbered(framed(children, inner, scale)), None),
        Arrange::Column => (numbered(lined(children, inner, false, scale)), None),
        Arrange::Row => (numbered(lined(children, inner, true, scale)), None),
        Arrange::Scroll => {
            let room = Rect::sized(inner.left, inner.top, inner.width(), UNBOUNDED);
            let bounds = lined(children, room, false, scale);
            let length = bounds.iter().map(|child| child.bottom - inner.top).max().unwrap_or(0);
            let scrolled = limit(Axis::Vertical, wanted, length, inner.height());
            let moved = bounds.into_iter().map(|child| child.moved(0, -(scrolled.offset as i32))).collect();
            (numbered(moved), Some(scrolled))
        }
        Arrange::Pager => {
            let page = inner.width();
            let scrolled = limit(Axis::Horizontal, wanted, page * children.len() as i32, page);
            let pages = (0..children.len() as i32).map(|n| inner.moved(n * page - scrolled.offset as i32, 0));
            (numbered(pages.collect()), Some(scrolled))
        }
        Arrange::List(columns) => rows(children, inner, columns.max(1), wanted, scale),
    }
}

fn limit(axis: Axis, wanted: f32, length: i32, page: i32) -> Scrolled {
    let most = (length - page).max(0) as f32;
    Scrolled { axis, offset: wanted.clamp(0.0, most), most, page: page as f32 }
}

/// The rows of a list that are attached.
fn rows(
    children: &[View],
    inner: Rect,
    columns: usize,
    wanted: f32,
    scale: Scale,
) -> (Vec<Slot>, Option<Scrolled>) {
    let heights = list_heights(children, columns, inner.width(), scale);
    let scrolled = limit(Axis::Vertical, wanted, heights.iter().sum(), inner.height());
    let offset = scrolled.offset as i32;
    let mut tops = Vec::with_capacity(heights.len());
    let mut top = 0;
    for height in &heights {
        tops.push(top);
        top += height;
    }
    let first = tops.iter().zip(&heights).position(|(top, height)| top + height > offset);
    let end = tops.iter().rposition(|top| *top < offset + inner.height()).map_or(0, |last| last + 1);
    let first = first.unwrap_or(0).saturating_sub(SPARE_ROWS);
    let end = (end + SPARE_ROWS).min(heights.len()).max(first);
    let pool = RECYCLE_POOL.max(end - first);
    let mut slots = Vec::new();
    let cell = inner.width() / columns as i32;
    for row in first..end {
        for (column, child) in children.iter().skip(row * columns).take(columns).enumerate() {
            let left = inner.left + column as i32 * cell;
            let bounds = Rect::sized(left, inner.top + tops[row] - offset, cell, heights[row]);
            let index = row * columns + column;
            let (left, top, right, bottom) = scale.edges(child.margin);
            let slot = index % (pool * columns);
            slots.push((index, slot as u64, bounds.inset(left, top, right, bottom)));
        }
    }
    (slots, Some(scrolled))
}

fn framed(children: &[View], inner: Rect, scale: Scale) -> Vec<Rect> {
    let place = |child| settle(child, inner, measure_outer(child, size_of(inner), scale), scale);
    children.iter().map(place).collect()
}

/// Places a child of a size (with its margin) by its own alignment in the room it is given.
fn settle(child: &View, room: Rect, size: (i32, i32), scale: Scale) -> Rect {
    let (left, top, right, bottom) = scale.edges(child.margin);
    let x = room.left + aligned(child.align.0, room.width(), size.0);
    let y = room.top + aligned(child.align.1, room.height(), size.1);
    Rect::sized(x, y, size.0, size.1).inset(left, top, right, bottom)
}

fn lined(children: &[View], inner: Rect, horizontal: bool, scale: Scale) -> Vec<Rect> {
    let sizes = linear(children, size_of(inner), horizontal, scale);
    let mut at = if horizontal { inner.left } else { inner.top };
    let mut bounds = Vec::with_capacity(children.len());
    for (child, (width, height)) in children.iter().zip(sizes) {
        let room = if horizontal {
            Rect::new(at, inner.top, at + width, inner.bottom)
        } else {
            Rect::new(inner.left, at, inner.right, at + height)
        };
        at += if horizontal { width } else { height };
        bounds.push(settle(child, room, (width, height), scale));
    }
    bounds
}

/// Mixes a parent's key with a child's identity (FNV-1a).
pub(crate) fn child_key(parent: u64, slot: u64, class: &str) -> u64 {
    let bytes = parent.to_le_bytes().into_iter().chain(slot.to_le_bytes()).chain(class.bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
