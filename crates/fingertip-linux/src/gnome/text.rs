//! How text gets into the field that has the keyboard: the compositor types only what the user's layout has, and drops the
//! rest without a word. So the field is told to take it; where it cannot be told, it is pasted, and the clipboard gets back
//! what it held.

use std::sync::Arc;
use std::time::Duration;

use fingertip_core::target::{Key, Modifiers, Part};
use fingertip_core::{Error, Reason};
use fingertip_desktop::ListedWindow;

use super::input::Hands;
use super::session::Session;
use crate::bus::{Answer, Answered, interface};
use crate::client::Client;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::CancelToken;
use crate::handle::Handle;
use crate::raw_tree::structure;
use crate::roles;
use crate::toolkit::Toolkit;
use crate::tree::walk::MAX_OBJECTS;
use crate::tree::{Interfaces, Object};

/// How long a field may take to hold what it was told to take.
const TAKEN_WITHIN: Duration = Duration::from_millis(500);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// How long an application may take to ask for what it is to paste.
const PASTED_WITHIN: Duration = Duration::from_millis(1500);
/// How long it is given to read it.
const READ_WITHIN: Duration = Duration::from_millis(150);

/// Puts a text without line ends at the cursor of the window that has the keyboard.
pub(super) fn put(hands: &Hands, text: &str, window: &ListedWindow, cancel: &CancelToken) -> Outcome<()> {
    if hands.does(insert(hands, text, window, cancel))? {
        return Ok(());
    }
    let session = hands.session(cancel)?;
    paste(hands, &session, text, cancel)
}

/// Tells the field with the focus to take a text at its cursor; false where it cannot be told.
async fn insert(hands: &Hands, text: &str, window: &ListedWindow, cancel: &CancelToken) -> Outcome<bool> {
    let deadline = cancel.deadline();
    let Some(pid) = window.pid else { return Ok(false) };
    let Some(app) = hands.viewer.app(pid, deadline).await? else { return Ok(false) };
    let failed = |error: crate::bus::CallError| {
        Failure::Reported(error.into_error(&window.title, "putting the text into the field"))
    };
    let client = app.client(&hands.viewer.bus, deadline).await.map_err(failed)?;
    let tree = structure(&client, &app, Part::Visible, MAX_OBJECTS).await.map_err(failed)?;
    let Some(handle) = hands.shared.handle_of(window.id) else { return Ok(false) };
    let Some(top) = tree.find(&handle) else { return Ok(false) };
    let inside = tree.reachable(&[top]);
    let fields: Vec<&Object> = inside
        .iter()
        .map(|&place| &tree.objects[place])
        .filter(|object| object.states.is_focused() && takes_text(object))
        .collect();
    let [field] = fields[..] else { return Ok(false) };
    let taken = insert_into(&client, &field.handle, text).await.missing_ok().map_err(failed)?;
    match taken {
        Some(true) => Ok(true),
        // It was told, and what it holds now is not what it was told.
        Some(false) => Err(Failure::Reported(
            Error::new(Reason::ActionFailed, "The field did not take the text as it is.")
                .with_guidance("Look at what it holds; it may allow only some characters or so many."),
        )),
        None => Ok(false),
    }
}

/// Whether text can be put into an object without knowing what it holds already.
fn takes_text(object: &Object) -> bool {
    let both = Interfaces::EDITABLE_TEXT | Interfaces::TEXT;
    object.interfaces.contains(both) && object.role != roles::number::PASSWORD_TEXT
}

/// Replaces what is selected, or puts the text at the cursor, and sees that it is there.
async fn insert_into(client: &Client<'_>, field: &Handle, text: &str) -> Answer<bool> {
    let mut at: i32 = client.property(field, interface::TEXT, "CaretOffset").await?;
    let selections: i32 = client.call(field, interface::TEXT, "GetNSelections", &()).await?;
    if selections > 0 {
        let (start, end): (i32, i32) = client.call(field, interface::TEXT, "GetSelection", &0_i32).await?;
        if end > start {
            let _: bool = client.call(field, interface::EDITABLE_TEXT, "DeleteText", &(start, end)).await?;
            at = start;
        }
    }
    // Places in a text are counted in characters, but for Qt, which counts what it keeps them in; GTK takes the length of a
    // text in bytes.
    let (length, moved) = match client.toolkit {
        Toolkit::Qt => (text.encode_utf16().count(), text.encode_utf16().count()),
        _ => (text.len(), text.chars().count()),
    };
    let [length, moved] = [length, moved].map(|count| i32::try_from(count).unwrap_or(i32::MAX));
    let _: bool = client.call(field, interface::EDITABLE_TEXT, "InsertText", &(at, text, length)).await?;
    let end = at.saturating_add(moved);
    let limit = client.deadline.slice(TAKEN_WITHIN);
    while client.text(field, (at, end)).await? != text {
        if limit.passed() {
            return Ok(false);
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let _: bool = client.call(field, interface::TEXT, "SetCaretOffset", &end).await?;
    Ok(true)
}

/// Pastes a text, and gives the clipboard back what it held.
fn paste(hands: &Hands, session: &Arc<Session>, text: &str, cancel: &CancelToken) -> Outcome<()> {
    let clipboard = session.clipboard.as_ref().ok_or_else(cannot)?;
    if clipboard.holds_no_text() {
        return Err(Failure::Reported(
            Error::new(
                Reason::Refused,
                "The text can only be pasted here, and the clipboard holds something that could not be given back; \
                 nothing was typed.",
            )
            .with_guidance("Put a text on the clipboard with set_clipboard first, or use set_text."),
        ));
    }
    let before = hands.does(clipboard.read())?;
    let mut handed_out = clipboard.handed_out();
    hands.does(clipboard.write(Some(text)))?;
    let pasted = (|| {
        hands.stroke(session, Key::Character('v'), Modifiers::CONTROL)?;
        let limit = cancel.deadline().slice(PASTED_WITHIN);
        let asked =
            hands.does(async { tokio::time::timeout_at(limit.instant().into(), handed_out.changed()).await });
        match asked {
            Ok(Ok(())) => cancel.rest(READ_WITHIN),
            _ => Err(Failure::Reported(
                Error::new(
                    Reason::ActionFailed,
                    "The application did not paste the text; nothing was typed.",
                )
                .with_guidance("Click the field first, or use set_text."),
            )),
        }
    })();
    hands.does(clipboard.write(before.as_deref()))?;
    pasted
}

fn cannot() -> Failure {
    Failure::Reported(
        Error::new(
            Reason::Unsupported,
            "The element with the focus takes no text by itself, and this session of GNOME gives no clipboard to paste \
             from; nothing was typed.",
        )
        .with_guidance("Use set_text on a text field, or press_key for single keys."),
    )
}
