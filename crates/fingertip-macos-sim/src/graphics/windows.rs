//! The window list. Titles of other applications' windows are there only with the screen recording permission.

use crate::core_foundation::{
    Constant, kCFBooleanTrue, kCGWindowAlpha, kCGWindowBounds, kCGWindowIsOnscreen, kCGWindowLayer,
    kCGWindowName, kCGWindowNumber, kCGWindowOwnerName, kCGWindowOwnerPID,
};
use crate::object::{Body, Object, Ref, array, dictionary, string};
use crate::world::{self, Attribute, NodeId, Rect, World};

/// `kCGWindowListOptionOnScreenOnly`.
const ON_SCREEN_ONLY: u32 = 1;
/// The layer of menus above windows.
const MENU_LAYER: i64 = 101;

struct Row {
    number: u32,
    layer: i64,
    pid: i32,
    owner: String,
    title: Option<String>,
    frame: Rect,
    on_screen: bool,
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGWindowListCopyWindowInfo(option: u32, _relative: u32) -> Ref {
    let who = "CGWindowListCopyWindowInfo";
    let rows = world::with(|world| rows(world, option & ON_SCREEN_ONLY != 0));
    array(rows.into_iter().map(|row| object(row, who)).collect(), who)
}

fn rows(world: &World, on_screen_only: bool) -> Vec<Row> {
    let shown = world.on_screen();
    let mut rows: Vec<Row> =
        shown.iter().filter_map(|(pid, node, _)| row(world, *pid, *node, true)).collect();
    if !on_screen_only {
        let hidden =
            world.stack.iter().filter(|(pid, node)| !shown.iter().any(|(p, n, _)| p == pid && n == node));
        rows.extend(hidden.filter_map(|(pid, node)| row(world, *pid, *node, false)));
    }
    rows
}

fn row(world: &World, pid: i32, node: NodeId, on_screen: bool) -> Option<Row> {
    let app = world.apps.get(&pid)?;
    let window = app.nodes.get(&node)?;
    let is_menu = window.role == "AXMenu";
    let title = match window.attributes.get("AXTitle") {
        Some(Attribute::Text(title)) if world.screen_recording => Some(title.clone()),
        _ => None,
    };
    Some(Row {
        // A menu's window has a number of its own, far from those of windows.
        number: app.window_numbers.get(&node).copied().unwrap_or(1_000_000 + node.0),
        layer: if is_menu { MENU_LAYER } else { 0 },
        pid,
        owner: app.name.clone(),
        title,
        frame: window.frame?,
        on_screen,
    })
}

fn object(row: Row, who: &'static str) -> Ref {
    let int = |number: i64| Object::make(Body::Int(number), who);
    let float = |number: f64| Object::make(Body::Float(number), who);
    let key = |constant: &Constant| constant.0;
    let Rect { x, y, width, height } = row.frame;
    let bounds = [("X", x), ("Y", y), ("Width", width), ("Height", height)];
    let bounds = bounds.into_iter().map(|(name, number)| (string(name, who), float(number))).collect();
    let mut items = vec![
        (key(&kCGWindowNumber), int(i64::from(row.number))),
        (key(&kCGWindowLayer), int(row.layer)),
        (key(&kCGWindowAlpha), float(1.0)),
        (key(&kCGWindowBounds), dictionary(bounds, who)),
        (key(&kCGWindowOwnerPID), int(i64::from(row.pid))),
        (key(&kCGWindowOwnerName), string(&row.owner, who)),
    ];
    if let Some(title) = row.title {
        items.push((key(&kCGWindowName), string(&title, who)));
    }
    // Windows that cannot be seen lack the entry, as on a real Mac.
    if row.on_screen {
        items.push((key(&kCGWindowIsOnscreen), kCFBooleanTrue.0));
    }
    dictionary(items, who)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn CGPreflightScreenCaptureAccess() -> bool {
    world::with(|world| world.screen_recording)
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn IsSecureEventInputEnabled() -> u8 {
    u8::from(world::with(|world| world.keyboard_is_secure()))
}
