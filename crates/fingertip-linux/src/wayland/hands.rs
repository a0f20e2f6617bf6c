//! A pointer and a keyboard, and who would receive what they do: what gestures and typing are made of, whichever protocol
//! the compositor takes them by.

use fingertip_core::target::{Direction, Key, Modifiers};
use fingertip_core::{Point, Rect};
use fingertip_desktop::ListedWindow;

use crate::display::error::Outcome;
use crate::display::worker::CancelToken;

/// A pointer and a keyboard of ours.
pub(super) trait Hands {
    /// What is on the screen, as the compositor tells it.
    type Layout: Receivers;

    /// Waits until applications have noticed the devices.
    fn be_noticed(&self, cancel: &CancelToken) -> Outcome<()>;

    /// What is on the screen now.
    fn layout(&mut self) -> Outcome<Self::Layout>;

    /// Waits until the compositor has done everything.
    fn sync(&mut self) -> Outcome<()>;

    /// Sends what is still waiting here.
    fn flush(&self) -> Outcome<()>;

    /// Puts the pointer on a place of the screen.
    fn point(&self, at: Point, screen: Rect);

    /// Presses or releases a button.
    fn button(&self, button: u32, is_down: bool);

    /// Turns the wheel by one notch.
    fn turn_wheel(&self, direction: Direction);

    /// Presses and releases a key while these modifiers are held.
    fn press(&mut self, key: Key, modifiers: Modifiers) -> Outcome<()>;

    /// Gets ready to write a text.
    fn begin_writing(&mut self) -> Outcome<()>;

    /// How many of these characters, at least one, are given together, before it is asked again who has the keyboard.
    fn piece(&self, text: &[char]) -> usize;

    /// Gives a piece of a text to the window that has the keyboard.
    fn write(&mut self, piece: &[char], cancel: &CancelToken) -> Outcome<()>;

    /// Puts back what writing took; whether it went well or not.
    fn end_writing(&mut self) -> Outcome<()>;
}

/// What is on the screen, and who receives what is done there.
pub(super) trait Receivers {
    /// The screen; all places are told from its corner.
    fn screen(&self) -> Rect;

    /// Whom a press at a place reaches.
    fn at(&self, at: Point) -> Reached<'_>;

    /// Whom a key reaches.
    fn keyboard(&self) -> Reached<'_>;
}

/// Whom a press or a key reaches.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reached<'a> {
    Window(&'a ListedWindow),
    /// No window: the background, or a place for windows without one.
    Nobody,
    /// Something that is no window may take it.
    Unknown(&'static str),
}

/// A button that is down; let go when this goes.
pub(super) struct Held<'a, H: Hands> {
    hands: &'a mut H,
    button: u32,
}

impl<'a, H: Hands> Held<'a, H> {
    pub(super) fn press(hands: &'a mut H, button: u32) -> Self {
        hands.button(button, true);
        Self { hands, button }
    }

    pub(super) fn hands(&mut self) -> &mut H {
        self.hands
    }
}

impl<H: Hands> Drop for Held<'_, H> {
    fn drop(&mut self) {
        self.hands.button(self.button, false);
        if self.hands.flush().is_err() {
            tracing::warn!("a button could not be released: the compositor is gone");
        }
    }
}
