//! Acting on windows through our script in KWin, and looking afterwards whether it is so.

use std::time::Duration;

use fingertip_core::target::WindowAction;
use fingertip_core::{Deadline, Error, Reason, Rect, Result};
use fingertip_desktop::ListedWindow;
use serde_json::{Value, json};

use super::super::windows::{closed, gone, not_done, opened_instead};
use super::report::Layout;
use super::script::{Script, within};

/// How long a window may take to become what it was asked to.
const DONE_WITHIN: Duration = Duration::from_secs(2);
/// How long an exact size is waited for where another one was given.
const EXACT_WITHIN: Duration = Duration::from_millis(600);
/// How often that is looked at.
const ASK_EVERY: Duration = Duration::from_millis(5);
/// How many looks in a row must show the same.
const SAME_FOR: u32 = 20;

/// Brings a window to the front and gives it the keyboard.
pub(super) async fn activate(script: &Script, id: u32, deadline: Deadline) -> Result<()> {
    tell(script, id, json!({ "action": "activate" }), deadline).await?;
    let is_so = |layout: &Layout| layout.window(id).is_none_or(|window| window.active);
    let layout = until(script, deadline, DONE_WITHIN, is_so).await?;
    match layout.window(id) {
        Some(window) if window.active => Ok(()),
        Some(_) => Err(not_done("come to the front")),
        None => Err(gone()),
    }
}

/// Asks a window to close.
pub(super) async fn ask_to_close(script: &Script, id: u32, deadline: Deadline) -> Result<()> {
    tell(script, id, json!({ "action": "close" }), deadline).await
}

/// Does it, and gives the window afterwards; `None` when it is gone.
pub(super) async fn act(
    script: &Script,
    id: u32,
    action: WindowAction,
    deadline: Deadline,
) -> Result<Option<ListedWindow>> {
    let before = script.layout(deadline).await?;
    let window = before.window(id).ok_or_else(gone)?;
    let after = match action {
        WindowAction::Activate => {
            activate(script, id, deadline).await?;
            script.layout(deadline).await?
        }
        WindowAction::Close => return close(script, id, &before, deadline).await,
        WindowAction::Minimize => {
            tell(script, id, json!({ "action": "minimize" }), deadline).await?;
            became(script, id, "minimize", |window| window.minimized, deadline).await?
        }
        WindowAction::Maximize => {
            tell(script, id, json!({ "action": "maximize" }), deadline).await?;
            // One that fills the screen already stays as it is.
            settled(script, id, deadline).await?
        }
        WindowAction::Restore => {
            tell(script, id, json!({ "action": "restore" }), deadline).await?;
            became(script, id, "come back", |window| !window.minimized, deadline).await?;
            settled(script, id, deadline).await?
        }
        WindowAction::Move { x, y } => {
            let (across, down) = before.corner;
            let place = json!({
                "action": "place", "x": x.saturating_add(across), "y": y.saturating_add(down), "width": null, "height": null,
            });
            tell(script, id, place, deadline).await?;
            let is_so = |frame: Rect| (frame.left, frame.top) == (x, y);
            changed(script, window, "move", is_so, deadline).await?
        }
        WindowAction::Resize { width, height } => {
            let place = json!({ "action": "place", "x": null, "y": null, "width": width, "height": height });
            tell(script, id, place, deadline).await?;
            let is_so = |frame: Rect| {
                (frame.width().unsigned_abs(), frame.height().unsigned_abs()) == (width, height)
            };
            changed(script, window, "resize", is_so, deadline).await?
        }
        _ => {
            return Err(Error::new(
                Reason::Unsupported,
                "This cannot be done to windows of KWin; nothing was done.",
            ));
        }
    };
    after.window(id).cloned().map(Some).ok_or_else(gone)
}

async fn close(
    script: &Script,
    id: u32,
    before: &Layout,
    deadline: Deadline,
) -> Result<Option<ListedWindow>> {
    ask_to_close(script, id, deadline).await?;
    let is_over = |layout: &Layout| {
        layout.window(id).is_none() || opened_instead(id, &before.windows, &layout.windows).is_some()
    };
    let after = until(script, deadline, DONE_WITHIN, is_over).await?;
    closed(id, &before.windows, &after.windows)
}

/// The windows once this one is so.
async fn became(
    script: &Script,
    id: u32,
    what: &str,
    is_so: impl Fn(&ListedWindow) -> bool,
    deadline: Deadline,
) -> Result<Layout> {
    let layout = until(script, deadline, DONE_WITHIN, |layout| layout.window(id).is_none_or(&is_so)).await?;
    match layout.window(id) {
        Some(window) if !is_so(window) => Err(not_done(what)),
        _ => Ok(layout),
    }
}

/// The windows once the frame of this one stays the same.
async fn settled(script: &Script, id: u32, deadline: Deadline) -> Result<Layout> {
    let mut last = None;
    let mut same = 0;
    let limit = deadline.slice(EXACT_WITHIN);
    loop {
        let layout = script.layout(deadline).await?;
        let frame = layout.window(id).map(|window| window.frame);
        same = if frame == last { same + 1 } else { 0 };
        last = frame;
        if frame.is_none() || same > SAME_FOR || limit.passed() {
            return Ok(layout);
        }
        pause(deadline).await?;
    }
}

/// The windows once this one has another frame, and the wanted one if it comes to that: windows have a smallest size.
async fn changed(
    script: &Script,
    before: &ListedWindow,
    what: &str,
    is_so: impl Fn(Rect) -> bool,
    deadline: Deadline,
) -> Result<Layout> {
    let frame = |layout: &Layout| layout.window(before.id).map(|window| window.frame);
    let layout = until(script, deadline, EXACT_WITHIN, |layout| frame(layout).is_none_or(&is_so)).await?;
    match frame(&layout) {
        Some(now) if now == before.frame && !is_so(now) => Err(not_done(what)),
        _ => Ok(layout),
    }
}

/// The windows once something is so, or when the time for it is up.
async fn until(
    script: &Script,
    deadline: Deadline,
    within: Duration,
    is_so: impl Fn(&Layout) -> bool,
) -> Result<Layout> {
    let limit = deadline.slice(within);
    loop {
        let layout = script.layout(deadline).await?;
        if is_so(&layout) || limit.passed() {
            return Ok(layout);
        }
        pause(deadline).await?;
    }
}

async fn pause(deadline: Deadline) -> Result<()> {
    within(deadline, tokio::time::sleep(ASK_EVERY)).await
}

/// Tells a window to do something; one that is not there any more is gone.
async fn tell(script: &Script, id: u32, command: Value, deadline: Deadline) -> Result<()> {
    if script.act(id, command, deadline).await? { Ok(()) } else { Err(gone()) }
}
