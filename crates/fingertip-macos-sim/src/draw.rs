//! Pictures of the desktop: windows as boxes in their order, controls as boxes in them, texts in a small font.
//!
//! Good enough to see that the right thing was drawn at the right place; nothing here looks like macOS.

use crate::world::{Attribute, DISPLAY, Kind, NodeId, Rect, World};

/// A problem that stands for an answer that never comes.
pub(crate) const NO_ANSWER: &str = "no answer";

const DESKTOP: [u8; 3] = [96, 128, 160];
const WINDOW: [u8; 3] = [250, 250, 250];
const TITLE_BAR: [u8; 3] = [210, 210, 215];
const FRAME: [u8; 3] = [120, 120, 120];
const CONTROL: [u8; 3] = [225, 230, 240];
const FIELD: [u8; 3] = [255, 255, 255];
const MENU: [u8; 3] = [240, 240, 240];
const TEXT: [u8; 3] = [10, 10, 10];
/// How high the title bar of a window is.
const TITLE_HEIGHT: f64 = 26.0;

/// Rows of blue, green, red and alpha bytes.
pub(crate) struct Picture {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) bgra: Vec<u8>,
}

/// Draws an area of the display, one pixel a point.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an area of the display")]
pub(crate) fn draw(world: &World, area: Rect) -> Picture {
    let width = area.width.clamp(1.0, DISPLAY.width).round() as u32;
    let height = area.height.clamp(1.0, DISPLAY.height).round() as u32;
    let mut canvas = Canvas { area, width, height, bgra: vec![0; width as usize * height as usize * 4] };
    canvas.fill(DISPLAY, DESKTOP);
    for (pid, window, _) in world.on_screen().into_iter().rev() {
        canvas.node(world, pid, window);
    }
    if let Some(bar) = world.apps.get(&world.frontmost).and_then(|app| app.menu_bar) {
        canvas.node(world, world.frontmost, bar);
    }
    Picture { width, height, bgra: canvas.bgra }
}

struct Canvas {
    area: Rect,
    width: u32,
    height: u32,
    bgra: Vec<u8>,
}

impl Canvas {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the canvas")]
    fn fill(&mut self, frame: Rect, [red, green, blue]: [u8; 3]) {
        let clamp = |place: f64, most: u32| place.round().clamp(0.0, f64::from(most)) as u32;
        let left = clamp(frame.x - self.area.x, self.width);
        let right = clamp(frame.x + frame.width - self.area.x, self.width);
        let top = clamp(frame.y - self.area.y, self.height);
        let bottom = clamp(frame.y + frame.height - self.area.y, self.height);
        for y in top..bottom {
            for x in left..right {
                let at = (y as usize * self.width as usize + x as usize) * 4;
                self.bgra[at..at + 4].copy_from_slice(&[blue, green, red, 255]);
            }
        }
    }

    fn outline(&mut self, frame: Rect) {
        let Rect { x, y, width, height } = frame;
        self.fill(Rect::new(x, y, width, 1.0), FRAME);
        self.fill(Rect::new(x, y + height - 1.0, width, 1.0), FRAME);
        self.fill(Rect::new(x, y, 1.0, height), FRAME);
        self.fill(Rect::new(x + width - 1.0, y, 1.0, height), FRAME);
    }

    fn write(&mut self, frame: Rect, text: &str) {
        let mut left = frame.x + 4.0;
        let top = frame.y + (frame.height.min(TITLE_HEIGHT) - 8.0) / 2.0;
        for character in text.chars() {
            if left + 8.0 > frame.x + frame.width {
                return;
            }
            let glyph = font8x8::legacy::BASIC_LEGACY.get(character as usize).copied();
            for (row, bits) in (0_u8..).zip(glyph.unwrap_or([0x7e; 8])) {
                for column in (0_u8..8).filter(|column| bits & (1 << column) != 0) {
                    self.fill(Rect::new(left + f64::from(column), top + f64::from(row), 1.0, 1.0), TEXT);
                }
            }
            left += 8.0;
        }
    }

    fn node(&mut self, world: &World, pid: i32, id: NodeId) {
        let app = &world.apps[&pid];
        let Some(node) = app.nodes.get(&id) else { return };
        let frame = node.frame.unwrap_or_default();
        match &node.kind {
            Kind::Window => {
                self.fill(frame, WINDOW);
                self.fill(Rect { height: TITLE_HEIGHT, ..frame }, TITLE_BAR);
                self.outline(frame);
            }
            Kind::Text { .. } => {
                self.fill(frame, FIELD);
                self.outline(frame);
            }
            Kind::Passive if node.role == "AXMenu" || node.role == "AXMenuBar" => self.fill(frame, MENU),
            Kind::Passive if node.role == "AXSheet" => {
                self.fill(frame, WINDOW);
                self.outline(frame);
            }
            Kind::Passive | Kind::Row { .. } | Kind::MenuItem(_) | Kind::MenuOpener => {}
            _ => {
                self.fill(frame, CONTROL);
                self.outline(frame);
            }
        }
        let shown = match world.read(pid, id, "AXValue") {
            Ok(Attribute::Text(text)) => Some(text),
            Ok(Attribute::Int(number)) => Some(number.to_string()),
            Ok(Attribute::Float(number)) => Some(number.to_string()),
            _ => None,
        };
        let title = match node.attributes.get("AXTitle") {
            Some(Attribute::Text(title)) => Some(title.clone()),
            _ => None,
        };
        let words = [title, shown].into_iter().flatten().collect::<Vec<_>>().join(" ");
        let indent = if matches!(node.kind, Kind::Window) { 64.0 } else { 0.0 };
        self.write(Rect { x: frame.x + indent, width: (frame.width - indent).max(0.0), ..frame }, &words);
        if let Kind::Rows(rows) = &node.kind {
            for index in rows.visible(frame) {
                self.write(rows.row_frame(frame, index), &(rows.cells)(index).join("  "));
            }
        }
        let closed = |child: &NodeId| {
            app.nodes.get(child).is_some_and(|node| node.role == "AXMenu") && app.open_menu != Some(*child)
        };
        for child in node.children.iter().filter(|child| !closed(child)) {
            self.node(world, pid, *child);
        }
    }
}
