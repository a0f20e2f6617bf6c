//! Acting on windows as a person does from the keyboard: GNOME lets no program do so.
//!
//! The keys are those of GNOME's own shortcuts, which go to the shell and to no application. Whether they did what they should
//! is looked at afterwards; where the user gave the shortcuts other meanings, that is an error.

use std::time::Duration;

use fingertip_core::target::{Key, Modifiers, WindowAction};
use fingertip_core::{Error, Reason};
use fingertip_desktop::ListedWindow;

use super::input::Hands;
use super::layout::{Layout, Reached};
use super::session::call;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::CancelToken;

/// How long a window may take to become what it was asked to.
const DONE_WITHIN: Duration = Duration::from_secs(2);
/// How long each window may take to come to the front on the way to the one that is wanted.
const NEXT_WITHIN: Duration = Duration::from_millis(700);
/// How often that is looked at.
const ASK_EVERY: Duration = Duration::from_millis(30);
/// The most windows that are gone through.
const MOST: usize = 32;

const SHELL: &str = "org.gnome.Shell";
const SHELL_PATH: &str = "/org/gnome/Shell";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

/// Brings a window to the front and gives it the keyboard. Of the windows that have been in front, the one that has not been
/// for the longest is brought there, until it is the one that is wanted: so each has its turn.
pub(super) fn activate(hands: &mut Hands, id: u32, cancel: &CancelToken) -> Outcome<()> {
    let mut layout = hands.viewer.layout()?;
    layout.window(id).ok_or_else(gone)?;
    let session = hands.session(cancel)?;
    if !layout.shows_windows() {
        let body = (SHELL, "OverviewActive", zbus::zvariant::Value::from(false));
        hands.does(call(&session.bus, SHELL, SHELL_PATH, PROPERTIES, "Set", &body))?;
        layout = until(hands, cancel, DONE_WITHIN, Layout::shows_windows)?;
    }
    for _ in 0..layout.windows.len().min(MOST) {
        if is_in_front(&layout, id) {
            return Ok(());
        }
        if let Reached::Unknown(_) = layout.keyboard()
            && !layout.leaves_keyboard()
        {
            break;
        }
        let before: Vec<u32> = active(&layout);
        let others = layout.windows.len().saturating_sub(1).max(1);
        hands.cycle_windows(&session, others)?;
        layout = until(hands, cancel, NEXT_WITHIN, |layout| {
            let now = active(layout);
            now != before && now.len() == 1
        })?;
        layout.window(id).ok_or_else(gone)?;
    }
    if is_in_front(&layout, id) { Ok(()) } else { Err(not_done("come to the front")) }
}

/// Asks a window to close.
pub(super) fn ask_to_close(hands: &mut Hands, id: u32, cancel: &CancelToken) -> Outcome<()> {
    activate(hands, id, cancel)?;
    let session = hands.session(cancel)?;
    // It must not go to another window that came up meanwhile.
    if !is_in_front(&hands.viewer.layout()?, id) {
        return Err(not_done("close"));
    }
    hands.stroke(&session, Key::Function(4), Modifiers::ALT)
}

/// Does it, and gives the window afterwards; `None` when it is gone.
pub(super) fn act(
    hands: &mut Hands,
    id: u32,
    action: WindowAction,
    cancel: &CancelToken,
) -> Outcome<Option<ListedWindow>> {
    match action {
        WindowAction::Activate => activate(hands, id, cancel)?,
        WindowAction::Close => return close(hands, id, cancel),
        _ => {
            return Err(Failure::Reported(
                Error::new(
                    Reason::Unsupported,
                    "GNOME lets no program move, resize, minimize or maximize windows; nothing was done.",
                )
                .with_guidance("Windows can be brought to the front and closed."),
            ));
        }
    }
    let layout = hands.viewer.layout()?;
    layout.window(id).cloned().map(Some).ok_or_else(gone)
}

fn close(hands: &mut Hands, id: u32, cancel: &CancelToken) -> Outcome<Option<ListedWindow>> {
    ask_to_close(hands, id, cancel)?;
    let after = until(hands, cancel, DONE_WITHIN, |layout| layout.window(id).is_none())?;
    match after.window(id) {
        None => Ok(None),
        Some(_) => Err(Failure::Reported(
            Error::new(
                Reason::ActionFailed,
                "The window was asked to close and did not. Nothing was killed.",
            )
            .with_guidance("It may ask whether to save: look at it, and answer its dialog."),
        )),
    }
}

fn active(layout: &Layout) -> Vec<u32> {
    layout.windows.iter().filter(|window| window.active).map(|window| window.id).collect()
}

fn is_in_front(layout: &Layout, id: u32) -> bool {
    matches!(layout.keyboard(), Reached::Window(window) if window.id == id)
}

/// The layout once something is so, or when the time for it is up.
fn until(
    hands: &mut Hands,
    cancel: &CancelToken,
    within: Duration,
    is_so: impl Fn(&Layout) -> bool,
) -> Outcome<Layout> {
    let limit = cancel.deadline().slice(within);
    loop {
        let layout = hands.viewer.layout()?;
        if is_so(&layout) || limit.passed() {
            return Ok(layout);
        }
        cancel.rest(ASK_EVERY)?;
    }
}

fn gone() -> Failure {
    Failure::Reported(
        Error::new(Reason::Stale, "The window is gone; nothing was done.")
            .with_guidance("list_windows tells which windows there are."),
    )
}

fn not_done(what: &str) -> Failure {
    Failure::Reported(
        Error::new(Reason::ActionFailed, format!("The window was asked to {what} and did not."))
            .with_guidance(
                "Its shortcut may have another meaning here, or a dialog is in the way. Look at the screen.",
            ),
    )
}
