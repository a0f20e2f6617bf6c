//! Asking the application in front whether it has read all its input so far (`_NET_WM_PING`).
//!
//! Applications read their events in order and look a key up when they read it. A key may be lent another
//! character only after that; a fixed pause would be too long for most and too short for a busy one. Qt answers
//! its window manager only, so that for windows which have not answered once there is nothing but a pause.

use std::time::{Duration, Instant};

use fingertip_core::{Error, Reason};
use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClientMessageEvent, ConnectionExt, EventMask, MapState, Window,
};

use crate::display::worker::CancelToken;
use crate::x11::display::Display;
use crate::x11::error::{Outcome, X11Error};

/// How often the answer is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(1);
/// After how many such looks it is asked whether the window is still there.
const ASK_AFTER: u32 = 20;
/// How long an application that has answered before may take before it is called frozen.
const ANSWERS_WITHIN: Duration = Duration::from_secs(5);
/// How long the first answer may take before it is taken that none ever comes.
const FIRST_ANSWER_WITHIN: Duration = Duration::from_millis(300);
/// How long an application that does not answer is given to read its input.
const WITHOUT_PING: Duration = Duration::from_millis(100);
/// The most windows between the one with the focus and the one that answers.
const DEPTH: usize = 16;

/// Speaks with the window that has the keyboard.
pub(super) struct Pinger<'a> {
    display: &'a Display,
    window: Window,
    answers: Answers,
    last: u32,
}

/// Whether a window confirms that it has read its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answers {
    NotAskedYet,
    Always,
    Never,
}

impl<'a> Pinger<'a> {
    /// The window with the keyboard; an error when none has it, since keys would go nowhere.
    pub(super) fn of_focused(display: &'a Display) -> Outcome<Self> {
        let (window, answers) = find(display)?;
        // Answers are sent to the root, to all that listen for changes of its children.
        listen(display, EventMask::SUBSTRUCTURE_NOTIFY)?;
        Ok(Self { display, window, answers, last: 0 })
    }

    /// Goes with the keyboard to another window.
    pub(super) fn follow(&mut self) -> Outcome<()> {
        (self.window, self.answers) = find(self.display)?;
        Ok(())
    }

    /// Whether the window has confirmed before that it has read its input.
    pub(super) fn answers(&self) -> bool {
        self.answers == Answers::Always
    }

    /// Waits until the application has read what it was sent; not for a window that closes.
    pub(super) fn wait(&mut self, cancel: &CancelToken) -> Outcome<()> {
        let limit = match self.answers {
            Answers::Never => return cancel.rest(WITHOUT_PING),
            Answers::NotAskedYet => FIRST_ANSWER_WITHIN,
            Answers::Always => ANSWERS_WITHIN,
        };
        self.last = self.last.wrapping_add(1);
        let data = [self.display.atoms._NET_WM_PING, self.last, self.window, 0, 0];
        let message = ClientMessageEvent::new(32, self.window, self.display.atoms.WM_PROTOCOLS, data);
        let sent = self.display.conn.send_event(false, self.window, EventMask::NO_EVENT, message)?.check();
        match sent.map_err(X11Error::from) {
            Err(X11Error::Refused(_)) => return Ok(()),
            sent => sent?,
        }
        let limit = Instant::now() + limit;
        let mut looks = 0;
        while !self.answered(data)? {
            looks += 1;
            if looks % ASK_AFTER == 0 && !self.is_there()? {
                return Ok(());
            }
            if Instant::now() <= limit {
                cancel.rest(LOOK_EVERY)?;
            } else if self.answers == Answers::Always {
                return Err(X11Error::Reported(frozen()));
            } else {
                self.display.remember_pings(self.window, false);
                self.answers = Answers::Never;
                return Ok(());
            }
        }
        self.display.remember_pings(self.window, true);
        self.answers = Answers::Always;
        Ok(())
    }

    fn is_there(&self) -> Outcome<bool> {
        match self.display.conn.get_window_attributes(self.window)?.reply().map_err(X11Error::from) {
            Ok(attributes) => Ok(attributes.map_state == MapState::VIEWABLE),
            Err(X11Error::Refused(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn answered(&self, data: [u32; 5]) -> Outcome<bool> {
        while let Some(event) = self.display.conn.poll_for_event()? {
            if let Event::ClientMessage(message) = event
                && message.type_ == self.display.atoms.WM_PROTOCOLS
                && message.data.as_data32()[..3] == data[..3]
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Drop for Pinger<'_> {
    /// Events are not read between calls, so none may come.
    fn drop(&mut self) {
        let ended = listen(self.display, EventMask::NO_EVENT);
        while ended.is_ok() && matches!(self.display.conn.poll_for_event(), Ok(Some(_))) {}
    }
}

/// The window with the keyboard that speaks for its application, and whether it answers.
fn find(display: &Display) -> Outcome<(Window, Answers)> {
    let focus = display.conn.get_input_focus()?.reply()?.focus;
    let mut window = focus;
    for _ in 0..DEPTH {
        if window <= 1 || window == display.root {
            break;
        }
        if let Some(protocols) = protocols(display, window)? {
            let answers = match display.answers_pings(window) {
                Some(true) => Answers::Always,
                Some(false) => Answers::Never,
                None if protocols.contains(&display.atoms._NET_WM_PING) => Answers::NotAskedYet,
                None => Answers::Never,
            };
            return Ok((window, answers));
        }
        window = display.conn.query_tree(window)?.reply()?.parent;
    }
    if focus > 1 && focus != display.root {
        // It speaks no protocol at all.
        return Ok((focus, Answers::Never));
    }
    Err(X11Error::Reported(
        Error::new(Reason::ActionFailed, "No window has the keyboard focus; nothing was typed.")
            .with_guidance("Click the field or bring its window to the front first."),
    ))
}

fn listen(display: &Display, events: EventMask) -> Outcome<()> {
    let attributes = ChangeWindowAttributesAux::new().event_mask(events);
    Ok(display.conn.change_window_attributes(display.root, &attributes)?.check()?)
}

fn protocols(display: &Display, window: Window) -> Outcome<Option<Vec<u32>>> {
    let kind = AtomEnum::ATOM;
    let reply = display.conn.get_property(false, window, display.atoms.WM_PROTOCOLS, kind, 0, 64)?.reply()?;
    Ok(reply.value32().map(Iterator::collect))
}

fn frozen() -> Error {
    Error::new(Reason::Timeout, "The application in front does not read its input.")
        .with_guidance("It may be busy or hung; wait and look at the screen before typing again.")
}
