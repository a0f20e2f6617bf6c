//! Which windows there are and where, from sway by its IPC: Wayland itself tells no program of the windows of others.
//!
//! The socket must be of the very process that serves the Wayland socket: `SWAYSOCK` may be left over from another session,
//! and places of the wrong one would send the pointer anywhere.
//!
//! Not known here: menus and other popups, and what is no window (panels, notifications, launchers, locks of the screen).
//! Of those that have the keyboard it is seen that no window has it.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use fingertip_core::{Point, Rect};
use fingertip_desktop::ListedWindow;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::hands::{Reached, Receivers};
use super::link::peer;
use crate::display::error::{Failure, Outcome};

/// How every message begins.
const MAGIC: &[u8; 6] = b"i3-ipc";
/// The kinds of messages.
const RUN_COMMAND: u32 = 0;
const GET_TREE: u32 = 4;
const GET_VERSION: u32 = 7;
/// How long an answer may take; a compositor that draws answers within milliseconds.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// The most bytes of an answer: some thousand windows.
const LARGEST: u32 = 16 << 20;
/// The output that stands for windows that are put away.
const SCRATCHPAD: &str = "__i3";

/// A connection to sway.
pub(super) struct Sway(UnixStream);

impl Sway {
    /// Connects to the sway that is this process, if it is one.
    pub(super) fn open(compositor: Option<u32>, runtime: &Path) -> Option<Self> {
        let compositor = compositor?;
        let own = std::env::var_os("SWAYSOCK").map(PathBuf::from);
        let uid = rustix::process::getuid().as_raw();
        let usual = runtime.join(format!("sway-ipc.{uid}.{compositor}.sock"));
        let streams = own.into_iter().chain([usual]).filter_map(|path| UnixStream::connect(path).ok());
        let stream = streams.into_iter().find(|stream| peer(stream) == Some(compositor))?;
        stream.set_read_timeout(Some(ANSWERS_WITHIN)).ok()?;
        stream.set_write_timeout(Some(ANSWERS_WITHIN)).ok()?;
        Some(Self(stream))
    }

    /// The version of sway.
    pub(super) fn version(&mut self) -> Outcome<String> {
        #[derive(Deserialize)]
        struct Version {
            human_readable: String,
        }
        Ok(self.ask::<Version>(GET_VERSION, "")?.human_readable)
    }

    /// What is on the screen now.
    pub(super) fn layout(&mut self) -> Outcome<Layout> {
        self.ask::<Node>(GET_TREE, "").map(|root| Layout::of(&root))
    }

    /// Tells a window to do something.
    pub(super) fn tell(&mut self, window: u32, command: &str) -> Outcome<()> {
        #[derive(Deserialize)]
        struct Done {
            success: bool,
            #[serde(default)]
            error: String,
        }
        let done: Vec<Done> = self.ask(RUN_COMMAND, &format!("[con_id={window}] {command}"))?;
        match done.into_iter().find(|done| !done.success) {
            Some(failed) => Err(Failure::Refused(failed.error)),
            None => Ok(()),
        }
    }

    fn ask<T: DeserializeOwned>(&mut self, kind: u32, body: &str) -> Outcome<T> {
        let answer =
            self.exchange(kind, body.as_bytes()).map_err(|error| Failure::Lost(error.to_string()))?;
        serde_json::from_slice(&answer).map_err(|error| Failure::Lost(format!("sway's IPC: {error}")))
    }

    fn exchange(&mut self, kind: u32, body: &[u8]) -> std::io::Result<Vec<u8>> {
        let length = u32::try_from(body.len()).map_err(std::io::Error::other)?;
        let head = [MAGIC, &length.to_ne_bytes()[..], &kind.to_ne_bytes(), body].concat();
        self.0.write_all(&head)?;
        let mut head = [0; 14];
        self.0.read_exact(&mut head)?;
        let [.., a, b, c, d, _, _, _, _] = head;
        let length = u32::from_ne_bytes([a, b, c, d]);
        if head[..6] != *MAGIC || length > LARGEST {
            return Err(std::io::Error::other("sway's IPC answered something else"));
        }
        let mut answer = vec![0; length as usize];
        self.0.read_exact(&mut answer)?;
        Ok(answer)
    }
}

/// What is on the screen.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// The screen; all places are told from its corner.
    pub(super) screen: Rect,
    /// The windows, the lowest first.
    pub(super) windows: Vec<ListedWindow>,
    /// The parts of the screen that panels leave to windows.
    free: Vec<Rect>,
    /// Windows that lie above panels.
    fullscreen: Vec<u32>,
    /// Whether anything has the keyboard that sway knows as a window or a place for windows.
    is_focused: bool,
}

impl Layout {
    fn of(root: &Node) -> Self {
        let corner = (root.rect.x, root.rect.y);
        let mut layout = Self { screen: root.rect.from(corner), ..Self::default() };
        for output in root.nodes.iter().filter(|output| output.name.as_deref() != Some(SCRATCHPAD)) {
            layout.free.extend(output.nodes.iter().map(|workspace| workspace.rect.from(corner)));
        }
        layout.add(root, corner);
        layout
    }

    fn add(&mut self, node: &Node, corner: (i32, i32)) {
        self.is_focused |= node.focused;
        for child in node.nodes.iter().chain(&node.floating_nodes) {
            self.add(child, corner);
        }
        let (Some(pid), Ok(id)) = (node.pid, u32::try_from(node.id)) else { return };
        let around = node.rect.from(corner);
        let inner = &node.window_rect;
        let (left, top) = (around.left + inner.x, around.top + inner.y);
        let mut frame = around;
        // A title among several belongs to sway, not to one window.
        if node.deco_rect.width == node.rect.width {
            frame.top -= node.deco_rect.height;
        }
        if node.fullscreen_mode > 0 {
            self.fullscreen.push(id);
        }
        self.windows.push(ListedWindow {
            id,
            pid: u32::try_from(pid).ok().filter(|pid| *pid != 0),
            title: node.name.clone().unwrap_or_default(),
            bounds: Rect::new(left, top, left + inner.width, top + inner.height),
            frame,
            active: node.focused,
            minimized: !node.visible,
            layer: i32::try_from(self.windows.len()).unwrap_or(i32::MAX),
            ..ListedWindow::default()
        });
    }

    /// The window of this number.
    pub(super) fn window(&self, id: u32) -> Option<&ListedWindow> {
        self.windows.iter().find(|window| window.id == id)
    }
}

impl Receivers for Layout {
    fn screen(&self) -> Rect {
        self.screen
    }

    fn keyboard(&self) -> Reached<'_> {
        match self.windows.iter().find(|window| window.active) {
            Some(window) => Reached::Window(window),
            None if self.is_focused => Reached::Nobody,
            None => Reached::Unknown(
                "something that is no window has the keyboard, such as a launcher or the lock of the screen",
            ),
        }
    }

    fn at(&self, at: Point) -> Reached<'_> {
        if !self.is_focused {
            // It may cover the whole screen.
            return self.keyboard();
        }
        let shown = self.windows.iter().rev();
        let found = shown.filter(|window| !window.minimized).find(|window| window.frame.contains(at));
        match found {
            Some(window) if self.fullscreen.contains(&window.id) => Reached::Window(window),
            _ if !self.free.iter().any(|area| area.contains(at)) => {
                Reached::Unknown("the place is kept for a panel, or belongs to no screen")
            }
            Some(window) => Reached::Window(window),
            None => Reached::Nobody,
        }
    }
}

/// A node of sway's tree: a screen, a workspace, a box of windows, a window.
#[derive(Debug, Deserialize)]
struct Node {
    id: i64,
    name: Option<String>,
    rect: Area,
    #[serde(default)]
    window_rect: Area,
    #[serde(default)]
    deco_rect: Area,
    #[serde(default)]
    focused: bool,
    pid: Option<i64>,
    #[serde(default)]
    visible: bool,
    #[serde(default)]
    fullscreen_mode: u8,
    #[serde(default)]
    nodes: Vec<Node>,
    #[serde(default)]
    floating_nodes: Vec<Node>,
}

#[derive(Debug, Default, Deserialize)]
struct Area {
    x: i32,
    y: i32,
    width: i32,
    height: i32,
}

impl Area {
    /// The area, counted from this corner.
    fn from(&self, (x, y): (i32, i32)) -> Rect {
        let (left, top) = (self.x.saturating_sub(x), self.y.saturating_sub(y));
        Rect::new(left, top, left.saturating_add(self.width), top.saturating_add(self.height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As sway 1.7 tells it: a panel of 30 pixels above, a window in the corner below, two that float, one put away.
    const TREE: &str = r#"{
      "id": 1, "name": "root", "rect": {"x": -100, "y": 0, "width": 1000, "height": 600}, "focused": false,
      "window_rect": {"x": 0, "y": 0, "width": 0, "height": 0}, "nodes": [
        {"id": 9, "name": "__i3", "rect": {"x": -100, "y": 0, "width": 1000, "height": 600}, "nodes": [
          {"id": 8, "name": "__i3_scratch", "rect": {"x": -100, "y": 0, "width": 1000, "height": 600}, "floating_nodes": [
            {"id": 7, "name": "Away", "rect": {"x": 0, "y": 0, "width": 9, "height": 9}, "pid": 70, "visible": false}]}]},
        {"id": 3, "name": "HEADLESS-1", "rect": {"x": -100, "y": 0, "width": 1000, "height": 600}, "nodes": [
          {"id": 4, "name": "1", "rect": {"x": -100, "y": 30, "width": 1000, "height": 570},
           "nodes": [{"id": 5, "name": "Tiled", "rect": {"x": -100, "y": 55, "width": 500, "height": 545},
              "window_rect": {"x": 2, "y": 0, "width": 496, "height": 543}, "pid": 50, "visible": true, "focused": true,
              "deco_rect": {"x": 0, "y": 0, "width": 500, "height": 25}}],
           "floating_nodes": [
             {"id": 6, "name": null, "rect": {"x": 0, "y": 10, "width": 100, "height": 100}, "pid": 60, "visible": true,
              "window_rect": {"x": 0, "y": 0, "width": 100, "height": 100}},
             {"id": 11, "name": "Nobody's", "rect": {"x": 50, "y": 50, "width": 100, "height": 100}, "pid": 0, "visible": true,
              "window_rect": {"x": 0, "y": 0, "width": 100, "height": 100}}]}]}]}"#;

    fn layout(tree: &str) -> Layout {
        Layout::of(&serde_json::from_str(tree).unwrap())
    }

    fn id(reached: &Reached<'_>) -> Option<u32> {
        if let Reached::Window(window) = reached { Some(window.id) } else { None }
    }

    #[test]
    fn windows_are_where_sway_has_them_counted_from_the_corner_of_the_screen() {
        let layout = layout(TREE);
        assert_eq!(layout.screen, Rect::new(0, 0, 1000, 600));
        let tiled = layout.window(5).unwrap();
        assert_eq!(tiled.bounds, Rect::new(2, 55, 498, 598));
        assert_eq!(tiled.frame, Rect::new(0, 30, 500, 600));
        assert_eq!((tiled.pid, tiled.active, tiled.minimized), (Some(50), true, false));
        assert!(layout.window(7).unwrap().minimized);
        assert_eq!(layout.window(11).unwrap().pid, None);
        assert!(layout.window(6).unwrap().layer > tiled.layer);
    }

    #[test]
    fn a_press_reaches_the_topmost_window_and_no_panel() {
        let layout = layout(TREE);
        let at = |x, y| layout.at(Point::new(x, y));
        assert_eq!(id(&at(10.0, 40.0)), Some(5), "its title");
        assert_eq!(id(&at(110.0, 60.0)), Some(6));
        assert_eq!(id(&at(170.0, 70.0)), Some(11));
        assert_eq!(at(900.0, 300.0), Reached::Nobody);
        for (x, y) in [(110.0, 20.0), (10.0, 5.0), (2000.0, 40.0)] {
            assert!(matches!(at(x, y), Reached::Unknown(_)), "{x} {y}");
        }
    }

    #[test]
    fn where_no_window_has_the_keyboard_it_is_not_known_who_gets_anything() {
        let layout = layout(&TREE.replace(r#""visible": true, "focused": true"#, r#""visible": true"#));
        assert!(matches!(layout.keyboard(), Reached::Unknown(_)));
        assert!(matches!(layout.at(Point::new(110.0, 60.0)), Reached::Unknown(_)));
        let empty = TREE.replace(r#""name": "1","#, r#""name": "1", "focused": true,"#);
        let empty = self::layout(&empty.replace(r#""visible": true, "focused": true"#, r#""visible": true"#));
        assert_eq!(empty.keyboard(), Reached::Nobody);
    }
}
