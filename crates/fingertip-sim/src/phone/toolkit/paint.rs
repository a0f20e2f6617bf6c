//! From placed views to shapes.

use super::measure::{CHECK_BOX, LABELLED_DISC, Scale};
use super::placed::Placed;
use super::text::{TextBox, to_shown};
use super::theme;
use super::view::{Content, View};
use crate::phone::apps::Tag;
use crate::phone::geometry::Rect;
use crate::phone::metrics::{ASCENT, LINE_HEIGHT, text_width};
use crate::phone::scene::{Color, Icon, Item, Picture, Shape};
use crate::phone::tree::{NodeFlags, RangeView};

/// What painting needs beside the placed views.
pub(crate) struct Brush {
    pub(crate) scale: Scale,
    pub(crate) focus: Option<Tag>,
    /// The view under a pressing finger.
    pub(crate) pressed: Option<u64>,
    /// Whether a blinking caret is in its visible half.
    pub(crate) caret: bool,
}

/// Alpha of everything in a disabled view.
const DISABLED_ALPHA: u8 = 0x61;

impl Brush {
    /// Appends the shapes of a view and everything below it.
    pub(crate) fn paint(&self, placed: &Placed, items: &mut Vec<Item>) {
        if placed.visible.is_empty() {
            return;
        }
        let clip = placed.visible;
        let mut add = |shape: Shape| items.push(Item { clip, shape });
        self.ground(placed, &mut add);
        self.content(placed, &mut add);
        for child in &placed.children {
            self.paint(child, items);
        }
    }

    fn ground(&self, placed: &Placed, add: &mut dyn FnMut(Shape)) {
        let style = &placed.view.style;
        let radius = style.radius * self.scale.0;
        let bounds = placed.bounds;
        if let Some(color) = style.background {
            add(Shape::Fill { bounds, color, radius, elevation: style.elevation * self.scale.0 });
        }
        if let Some(color) = style.outline {
            add(Shape::Outline { bounds, color, radius, width: self.scale.0 });
        }
        if self.pressed == Some(placed.key) {
            add(Shape::Pressed { bounds, color: theme::PRESSED, radius });
        }
    }

    fn content(&self, placed: &Placed, add: &mut dyn FnMut(Shape)) {
        let view = &placed.view;
        let color = ink(view);
        match &view.content {
            Content::Empty => {}
            Content::Text { .. } => {
                if let Some(text) = &placed.text {
                    lines(text, placed.visible, color, view.style.bold, add);
                }
            }
            Content::Icon { icon, size } => add(self.symbol(*icon, placed.bounds, *size, color)),
            Content::Labelled { icon, disc } => self.labelled(placed, *icon, *disc, add),
            Content::Picture { picture, zoom, pan } => {
                add(Shape::Picture {
                    picture: *picture,
                    bounds: zoomed(*picture, placed.bounds, *zoom, *pan),
                });
            }
            Content::Switch => self.switch(placed, add),
            Content::CheckBox => self.check_box(placed, color, add),
            Content::Slider(range) => self.slider(placed.bounds, *range, add),
            Content::Field { .. } => self.field(placed, color, add),
        }
    }

    fn symbol(&self, icon: Icon, room: Rect, size: f32, color: Color) -> Shape {
        let side = self.scale.px(size).min(room.width()).min(room.height());
        Shape::Icon { icon, bounds: centered(room, side, side), color }
    }

    fn labelled(&self, placed: &Placed, icon: Icon, disc: Color, add: &mut dyn FnMut(Shape)) {
        let view = &placed.view;
        let size = view.style.text_size * self.scale.0;
        let side = self.scale.px(LABELLED_DISC);
        let used = side + (size * LINE_HEIGHT) as i32;
        let top = placed.bounds.top + (placed.bounds.height() - used) / 2;
        let bounds = Rect::sized(placed.bounds.center().x as i32 - side / 2, top, side, side);
        add(Shape::Fill { bounds, color: disc, radius: side as f32 / 2.0, elevation: 0.0 });
        add(Shape::Icon {
            icon,
            bounds: centered(bounds, side * 3 / 5, side * 3 / 5),
            color: theme::ON_ACCENT,
        });
        let x = placed.bounds.center().x - text_width(&view.text, size) / 2.0;
        let baseline = bounds.bottom as f32 + size * ASCENT + self.scale.0 * 2.0;
        add(Shape::Text { text: view.text.clone(), x, baseline, size, color: ink(view), bold: false });
    }

    fn switch(&self, placed: &Placed, add: &mut dyn FnMut(Shape)) {
        let on = placed.view.flags.contains(NodeFlags::CHECKED);
        let track = centered(placed.bounds, self.scale.px(52.0), self.scale.px(32.0));
        let (track_color, thumb_color) =
            if on { (theme::ACCENT, theme::ON_ACCENT) } else { (theme::SURFACE_DIM, theme::INK_SOFT) };
        let radius = track.height() as f32 / 2.0;
        add(Shape::Fill { bounds: track, color: track_color, radius, elevation: 0.0 });
        add(Shape::Outline { bounds: track, color: thumb_color, radius, width: self.scale.0 });
        let side = self.scale.px(if on { 24.0 } else { 16.0 });
        let middle = if on { track.right - track.height() / 2 } else { track.left + track.height() / 2 };
        let thumb = Rect::sized(middle - side / 2, track.top + (track.height() - side) / 2, side, side);
        add(Shape::Fill { bounds: thumb, color: thumb_color, radius: side as f32 / 2.0, elevation: 0.0 });
    }

    fn check_box(&self, placed: &Placed, color: Color, add: &mut dyn FnMut(Shape)) {
        let view = &placed.view;
        let side = self.scale.px(20.0);
        let left = placed.bounds.left + self.scale.px(view.padding.left);
        let square = Rect::sized(left, placed.bounds.top + (placed.bounds.height() - side) / 2, side, side);
        let radius = 3.0 * self.scale.0;
        if view.flags.contains(NodeFlags::CHECKED) {
            add(Shape::Fill { bounds: square, color: theme::ACCENT, radius, elevation: 0.0 });
            add(Shape::Icon { icon: Icon::Check, bounds: square, color: theme::ON_ACCENT });
        } else {
            add(Shape::Outline { bounds: square, color, radius, width: 2.0 * self.scale.0 });
        }
        let size = view.style.text_size * self.scale.0;
        let baseline = placed.bounds.center().y + size * (ASCENT - 0.6);
        let x = (left + self.scale.px(CHECK_BOX)) as f32;
        add(Shape::Text { text: view.text.clone(), x, baseline, size, color, bold: false });
    }

    fn slider(&self, bounds: Rect, range: RangeView, add: &mut dyn FnMut(Shape)) {
        let side = self.scale.px(20.0);
        let track = centered(bounds, bounds.width() - side, self.scale.px(4.0));
        let part = (range.current - range.min) / (range.max - range.min).max(f32::EPSILON);
        let middle = track.left + (track.width() as f32 * part) as i32;
        let radius = track.height() as f32 / 2.0;
        add(Shape::Fill { bounds: track, color: theme::LINE, radius, elevation: 0.0 });
        let done = Rect { right: middle, ..track };
        add(Shape::Fill { bounds: done, color: theme::ACCENT, radius, elevation: 0.0 });
        let thumb = centered(Rect::new(middle, bounds.top, middle, bounds.bottom), side, side);
        add(Shape::Fill { bounds: thumb, color: theme::ACCENT, radius: side as f32 / 2.0, elevation: 0.0 });
    }

    fn field(&self, placed: &Placed, color: Color, add: &mut dyn FnMut(Shape)) {
        let (Content::Field { editor, .. }, Some(text)) = (&placed.view.content, &placed.text) else {
            return;
        };
        let focused = self.focus.is_some() && placed.view.tag == self.focus;
        if text.shown.is_empty() {
            let origin = text.line_origin(0);
            add(Shape::Text {
                text: placed.view.hint.clone(),
                x: origin.x,
                baseline: origin.y + text.size * ASCENT,
                size: text.size,
                color: theme::INK_SOFT,
                bold: false,
            });
        }
        let chosen = editor.selection();
        if focused && !chosen.is_empty() {
            let (start, end) = (to_shown(editor, chosen.start), to_shown(editor, chosen.end));
            marks(text, start, end, add);
        }
        lines(text, placed.visible, color, false, add);
        if focused && chosen.is_empty() && self.caret {
            let at = text.position(to_shown(editor, editor.cursor()));
            let bounds =
                Rect::sized(at.x as i32, at.y as i32, self.scale.px(2.0).max(1), text.line_height() as i32);
            add(Shape::Caret { bounds, color: theme::ACCENT });
        }
    }
}

fn ink(view: &View) -> Color {
    if view.flags.contains(NodeFlags::ENABLED) {
        view.style.color
    } else {
        view.style.color.with_alpha(DISABLED_ALPHA)
    }
}

/// Draws the lines of which something can be seen.
fn lines(text: &TextBox, visible: Rect, color: Color, bold: bool, add: &mut dyn FnMut(Shape)) {
    for (index, line) in text.lines.iter().enumerate().filter(|(_, line)| !line.range.is_empty()) {
        let origin = text.line_origin(index);
        if origin.y > visible.bottom as f32 || origin.y + text.line_height() < visible.top as f32 {
            continue;
        }
        add(Shape::Text {
            text: text.shown[line.range.clone()].to_owned(),
            x: origin.x,
            baseline: origin.y + text.size * ASCENT,
            size: text.size,
            color,
            bold,
        });
    }
}

/// Marks the selected part of each line.
fn marks(text: &TextBox, start: usize, end: usize, add: &mut dyn FnMut(Shape)) {
    for line in &text.lines {
        let (from, to) = (start.max(line.range.start), end.min(line.range.end));
        if from < to {
            let left = text.position(from);
            let width = text_width(&text.shown[from..to], text.size);
            let bounds = Rect::sized(left.x as i32, left.y as i32, width as i32, text.line_height() as i32);
            add(Shape::Selection { bounds, color: theme::SELECTION });
        }
    }
}

fn centered(room: Rect, width: i32, height: i32) -> Rect {
    let left = room.left + (room.width() - width) / 2;
    let top = room.top + (room.height() - height) / 2;
    Rect::sized(left, top, width, height)
}

/// Photos are square and shown whole; the wallpaper covers its view.
fn zoomed(picture: Picture, room: Rect, zoom: f32, pan: (f32, f32)) -> Rect {
    let side = match picture {
        Picture::Wallpaper => return room,
        Picture::Photo(_) => room.width().min(room.height()) as f32 * zoom,
    };
    let center = room.center();
    let left = (center.x - side / 2.0 + pan.0) as i32;
    let top = (center.y - side / 2.0 + pan.1) as i32;
    Rect::sized(left, top, side as i32, side as i32)
}
