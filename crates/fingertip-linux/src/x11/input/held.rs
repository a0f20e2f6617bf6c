//! What is held down: buttons and keys, let go at the latest when this goes.

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, KEY_PRESS_EVENT, KEY_RELEASE_EVENT, MOTION_NOTIFY_EVENT,
};
use x11rb::protocol::xtest::ConnectionExt as _;

use super::sync;
use crate::x11::display::Display;
use crate::x11::error::Outcome;

/// Everything pressed and not released so far, newest last.
pub(super) struct Held<'a> {
    display: &'a Display,
    pressed: Vec<(u8, u8)>,
}

impl<'a> Held<'a> {
    pub(super) fn nothing(display: &'a Display) -> Self {
        Self { display, pressed: Vec::new() }
    }

    pub(super) fn press_button(&mut self, button: u8) -> Outcome<()> {
        self.press(BUTTON_PRESS_EVENT, BUTTON_RELEASE_EVENT, button)
    }

    pub(super) fn press_key(&mut self, code: u8) -> Outcome<()> {
        self.press(KEY_PRESS_EVENT, KEY_RELEASE_EVENT, code)
    }

    /// Remembered before it is sent: a release too many does nothing, one too few is a key that hangs.
    fn press(&mut self, event: u8, release: u8, detail: u8) -> Outcome<()> {
        self.pressed.push((release, detail));
        self.fake(event, detail)
    }

    /// Whether anything is down.
    pub(super) fn is_anything(&self) -> bool {
        !self.pressed.is_empty()
    }

    /// Lets go of what was pressed last.
    pub(super) fn release_last(&mut self) -> Outcome<()> {
        match self.pressed.pop() {
            Some((event, detail)) => self.fake(event, detail),
            None => Ok(()),
        }
    }

    /// Lets go of everything, the newest first, as fingers do.
    pub(super) fn release_all(&mut self) -> Outcome<()> {
        while !self.pressed.is_empty() {
            self.release_last()?;
        }
        sync(self.display)
    }

    /// Puts the pointer there.
    pub(super) fn point(&self, x: i16, y: i16) -> Outcome<()> {
        let conn = &self.display.conn;
        conn.xtest_fake_input(MOTION_NOTIFY_EVENT, 0, x11rb::CURRENT_TIME, self.display.root, x, y, 0)?;
        Ok(())
    }

    /// Sends what is still waiting here.
    pub(super) fn flush(&self) -> Outcome<()> {
        Ok(self.display.conn.flush()?)
    }

    fn fake(&self, event: u8, detail: u8) -> Outcome<()> {
        self.display.conn.xtest_fake_input(event, detail, x11rb::CURRENT_TIME, x11rb::NONE, 0, 0, 0)?;
        Ok(())
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        if self.pressed.is_empty() {
            return;
        }
        // Nothing more can be done on a connection that is lost; the call itself already failed.
        if self.release_all().is_err() {
            tracing::warn!("buttons or keys could not be released: the X server is gone");
        }
    }
}
