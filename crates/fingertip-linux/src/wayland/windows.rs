//! Acting on windows through sway, and looking afterwards whether it is so.

use std::time::Duration;

use fingertip_core::target::WindowAction;
use fingertip_core::{Error, Reason, Rect};
use fingertip_desktop::ListedWindow;

use super::sway::{Layout, Sway};
use crate::display::error::{Failure, Outcome};
use crate::display::worker::CancelToken;

/// How long a window may take to become what it was asked to.
const DONE_WITHIN: Duration = Duration::from_secs(2);
/// How long an exact size is waited for where another one was given.
const EXACT_WITHIN: Duration = Duration::from_millis(600);
/// How often that is looked at.
const ASK_EVERY: Duration = Duration::from_millis(5);

/// Brings a window to the front and gives it the keyboard.
pub(super) fn activate(sway: &mut Sway, id: u32, cancel: &CancelToken) -> Outcome<()> {
    tell(sway, id, "focus")?;
    let is_so = |layout: &Layout| layout.window(id).is_none_or(|window| window.active);
    let layout = until(sway, cancel, DONE_WITHIN, is_so)?;
    match layout.window(id) {
        Some(window) if window.active => Ok(()),
        Some(_) => Err(not_done("come to the front").into()),
        None => Err(gone().into()),
    }
}

/// Asks a window to close.
pub(super) fn ask_to_close(sway: &mut Sway, id: u32) -> Outcome<()> {
    // To a window of Wayland, `kill` is a question that it may answer with another.
    tell(sway, id, "kill")
}

/// Does it, and gives the window afterwards; `None` when it is gone.
pub(super) fn act(
    sway: &mut Sway,
    id: u32,
    action: WindowAction,
    cancel: &CancelToken,
) -> Outcome<Option<ListedWindow>> {
    let before = sway.layout()?;
    let window = before.window(id).ok_or_else(gone)?;
    let after = match action {
        WindowAction::Activate => {
            activate(sway, id, cancel)?;
            sway.layout()?
        }
        WindowAction::Close => return close(sway, id, &before, cancel),
        WindowAction::Move { x, y } => {
            tell(sway, id, &format!("move absolute position {x} {y}"))?;
            changed(sway, window, cancel, "move", |frame| (frame.left, frame.top) == (x, y))?
        }
        WindowAction::Resize { width, height } => {
            tell(sway, id, &format!("resize set width {width} px height {height} px"))?;
            let is_so = |frame: Rect| {
                (frame.width().unsigned_abs(), frame.height().unsigned_abs()) == (width, height)
            };
            changed(sway, window, cancel, "resize", is_so)?
        }
        _ => {
            return Err(Failure::Reported(
                Error::new(
                    Reason::Unsupported,
                    "sway neither minimizes nor maximizes windows; nothing was done.",
                )
                .with_guidance(
                    "Windows can be brought to the front, closed and, where they float, moved and resized.",
                ),
            ));
        }
    };
    after.window(id).cloned().map(Some).ok_or_else(|| gone().into())
}

fn close(sway: &mut Sway, id: u32, before: &Layout, cancel: &CancelToken) -> Outcome<Option<ListedWindow>> {
    ask_to_close(sway, id)?;
    let is_over = |layout: &Layout| {
        layout.window(id).is_none() || opened_instead(id, &before.windows, &layout.windows).is_some()
    };
    let after = until(sway, cancel, DONE_WITHIN, is_over)?;
    closed(id, &before.windows, &after.windows).map_err(Failure::Reported)
}

/// What became of a window that was asked to close.
pub(super) fn closed(
    id: u32,
    before: &[ListedWindow],
    after: &[ListedWindow],
) -> Result<Option<ListedWindow>, Error> {
    if !after.iter().any(|window| window.id == id) {
        return Ok(None);
    }
    Err(match opened_instead(id, before, after) {
        Some(dialog) => Error::new(
            Reason::ActionFailed,
            format!(
                "The window did not close: its application opened '{}' instead. Nothing was killed.",
                dialog.title
            ),
        )
        .with_guidance("Answer that dialog; it may ask whether to save."),
        None => not_done("close"),
    })
}

/// The window that the application of this one has opened since.
pub(super) fn opened_instead<'a>(
    id: u32,
    before: &[ListedWindow],
    after: &'a [ListedWindow],
) -> Option<&'a ListedWindow> {
    let pid = before.iter().find(|window| window.id == id)?.pid;
    let is_new = |window: &&ListedWindow| {
        window.pid == pid && !window.tooltip && !before.iter().any(|old| old.id == window.id)
    };
    after.iter().find(is_new)
}

/// The windows once this one has another frame, and the wanted one if it comes to that: windows have a smallest size.
fn changed(
    sway: &mut Sway,
    before: &ListedWindow,
    cancel: &CancelToken,
    what: &str,
    is_so: impl Fn(Rect) -> bool,
) -> Outcome<Layout> {
    let frame = |layout: &Layout| layout.window(before.id).map(|window| window.frame);
    let layout = until(sway, cancel, EXACT_WITHIN, |layout| frame(layout).is_none_or(&is_so))?;
    match frame(&layout) {
        Some(now) if now == before.frame && !is_so(now) => Err(not_done(what).into()),
        _ => Ok(layout),
    }
}

/// The windows once something is so, or when the time for it is up.
fn until(
    sway: &mut Sway,
    cancel: &CancelToken,
    within: Duration,
    is_so: impl Fn(&Layout) -> bool,
) -> Outcome<Layout> {
    let limit = cancel.deadline().slice(within);
    loop {
        let layout = sway.layout()?;
        if is_so(&layout) || limit.passed() {
            return Ok(layout);
        }
        cancel.rest(ASK_EVERY)?;
    }
}

/// Tells a window to do something; one that is not there any more is gone.
fn tell(sway: &mut Sway, id: u32, command: &str) -> Outcome<()> {
    match sway.tell(id, command) {
        Err(Failure::Refused(_)) if sway.layout()?.window(id).is_none() => Err(gone().into()),
        Err(Failure::Refused(why)) => Err(Failure::Reported(
            Error::new(Reason::ActionFailed, format!("sway refused that ({why})."))
                .with_guidance("Only windows that float can be moved and resized."),
        )),
        told => told,
    }
}

/// The error of a window that is not there any more.
pub(super) fn gone() -> Error {
    Error::new(Reason::Stale, "The window is gone; nothing was done.")
        .with_guidance("list_windows tells which windows there are.")
}

/// The error of a window that did not become what it was asked to.
pub(super) fn not_done(what: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("The window was asked to {what} and did not.")).with_guidance(
        "The compositor or the application may refuse that; a dialog may be in the way. Look at it.",
    )
}
