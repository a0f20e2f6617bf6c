//! Our pointer and keyboard in KWin (`org_kde_kwin_fake_input`), which it gives to programs that are allowed it.
//!
//! It takes the numbers of keys: what they make is decided by the layout that the user has. A text with characters that the
//! layout lacks is pasted, and what was on the clipboard is put back.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use fingertip_core::target::{Direction, Key, Modifiers};
use fingertip_core::{Error, Point, Reason, Rect};
use tokio::runtime::Handle;
use wayland_client::globals::GlobalListContents;
use wayland_client::protocol::wl_keyboard::{self, KeymapFormat, WlKeyboard};
use wayland_client::protocol::wl_registry::{self, WlRegistry};
use wayland_client::protocol::wl_seat::{self, Capability, WlSeat};
use wayland_client::{Connection, Dispatch, QueueHandle, WEnum, delegate_noop};
use wayland_protocols_plasma::fake_input::client::org_kde_kwin_fake_input::OrgKdeKwinFakeInput;

use super::super::SERVER;
use super::super::clipboard::{Clipboard, Kept};
use super::super::hands::Hands;
use super::super::keymap::{Stroke, held, line_or_tab, named, no_such_key};
use super::super::link::Link;
use super::keys::{self, Keys};
use super::report::Layout;
use super::script::Script;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{CancelToken, Connect};

/// What the devices come from.
pub(super) const FAKE_INPUT: &str = "org_kde_kwin_fake_input";
/// The version that has keys.
const WITH_KEYS: u32 = 4;
/// How long applications may take to notice the first pointer and keyboard of a session.
const NOTICED_WITHIN: Duration = Duration::from_millis(400);
/// How long KWin may take to tell its keymap.
const TOLD_WITHIN: Duration = Duration::from_secs(2);
/// How far one notch of the wheel goes, as applications count what a wheel without notches turned.
const NOTCH: f64 = 10.0;
/// How many keys are sent, and how many characters are pasted, before it is asked again who has the keyboard.
const BURST: usize = 64;
const LARGEST_PASTE: usize = 100_000;
/// How long an application may take to read what is pasted.
const PASTED_WITHIN: Duration = Duration::from_secs(2);
/// How long it is given to put it into its field after that.
const PUT_IN_WITHIN: Duration = Duration::from_millis(30);

/// A pointer and a keyboard.
pub(super) struct Devices {
    link: Link<Seat>,
    fake: OrgKdeKwinFakeInput,
    /// Kept: the keymap comes by it, now and when it changes.
    _keyboard: WlKeyboard,
    /// From when on everybody has noticed them.
    noticed: Instant,
}

/// What the events of the seat have told.
#[derive(Default)]
pub(super) struct Seat {
    has: Option<Capability>,
    keys: Option<Keys>,
}

impl Connect for Devices {
    type Address = PathBuf;
    const SERVER: &'static str = SERVER;

    fn connect(socket: &PathBuf) -> Outcome<Self> {
        let mut link = Link::open(socket, Seat::default())?;
        let seat: WlSeat = link.bind(1)?;
        link.sync()?;
        let usual = Capability::Pointer | Capability::Keyboard;
        let is_new = !link.state.has.is_some_and(|has| has.contains(usual));
        let fake: OrgKdeKwinFakeInput = link.bind(WITH_KEYS)?;
        fake.authenticate("Fingertip".to_owned(), "to operate applications for its user".to_owned());
        let limit = Instant::now() + TOLD_WITHIN;
        if !link.until(limit, |seat| seat.has.is_some_and(|has| has.contains(usual)))? {
            return Err(Failure::Refused("KWin made no pointer and keyboard".to_owned()));
        }
        let made = Instant::now();
        let keyboard = seat.get_keyboard(&link.handle(), ());
        if !link.until(limit, |seat| seat.keys.is_some())? {
            return Err(Failure::Refused("KWin told no keymap".to_owned()));
        }
        let noticed = if is_new { made + NOTICED_WITHIN } else { made };
        Ok(Self { link, fake, _keyboard: keyboard, noticed })
    }

    fn is_alive(&mut self) -> bool {
        self.link.sync().is_ok()
    }
}

/// The devices, for the length of one call, with those who tell where everything is.
pub(super) struct Guided<'a> {
    devices: &'a mut Devices,
    script: &'a Script,
    clipboard: &'a Clipboard,
    runtime: &'a Handle,
    cancel: &'a CancelToken,
    /// The corner of the screen, as KWin counts.
    corner: (i32, i32),
    /// Which of the layouts is used.
    layout: usize,
    /// What was on the clipboard.
    kept: Option<Kept>,
}

impl Hands for Guided<'_> {
    type Layout = Layout;

    fn be_noticed(&self, cancel: &CancelToken) -> Outcome<()> {
        cancel.rest_until(self.devices.noticed)
    }

    fn layout(&mut self) -> Outcome<Layout> {
        let layout = self.runtime.block_on(self.script.receivers(self.cancel.deadline()))?;
        self.corner = layout.corner;
        Ok(layout)
    }

    fn sync(&mut self) -> Outcome<()> {
        self.devices.link.sync()
    }

    fn flush(&self) -> Outcome<()> {
        self.devices.link.flush()
    }

    fn point(&self, at: Point, screen: Rect) {
        // Beyond the screen is its edge; half a pixel further is the middle of one.
        let inside = |value: f64, side: i32| value.floor().clamp(0.0, f64::from((side - 1).max(0))) + 0.5;
        let (across, down) = self.corner;
        let x = inside(at.x, screen.width()) + f64::from(across);
        let y = inside(at.y, screen.height()) + f64::from(down);
        self.devices.fake.pointer_motion_absolute(x, y);
    }

    fn button(&self, button: u32, is_down: bool) {
        self.devices.fake.button(button, u32::from(is_down));
    }

    fn turn_wheel(&self, direction: Direction) {
        let (axis, notches) = match direction {
            Direction::Up => (0, -1.0),
            Direction::Down => (0, 1.0),
            Direction::Left => (1, -1.0),
            Direction::Right => (1, 1.0),
        };
        self.devices.fake.axis(axis, NOTCH * notches);
    }

    fn press(&mut self, key: Key, modifiers: Modifiers) -> Outcome<()> {
        let stroke = match key {
            Key::Character(character) if line_or_tab(character).is_none() => {
                self.devices.sync()?;
                self.choose_layout()?;
                let alone = modifiers.difference(Modifiers::SHIFT).is_empty();
                let keys = self.keys();
                let stroke = match alone {
                    true => keys.stroke(self.layout, character),
                    false => keys.shortcut(self.layout, character),
                };
                stroke.ok_or_else(|| not_on_the_layout(character))?
            }
            key => named(key).ok_or_else(no_such_key)?,
        };
        self.devices.stroke(stroke, modifiers)
    }

    fn piece(&self, text: &[char]) -> usize {
        let line = text.iter().position(|character| line_or_tab(*character).is_some()).unwrap_or(text.len());
        let has_keys = |character: &char| self.stroke(*character).is_some();
        if text.iter().all(has_keys) {
            text.len().min(BURST)
        } else if line == 0 {
            1
        } else {
            line.min(LARGEST_PASTE)
        }
    }

    fn write(&mut self, piece: &[char], cancel: &CancelToken) -> Outcome<()> {
        let strokes: Option<Vec<Stroke>> = piece.iter().map(|character| self.stroke(*character)).collect();
        match strokes {
            Some(strokes) => {
                strokes.into_iter().try_for_each(|stroke| self.devices.stroke(stroke, Modifiers::empty()))
            }
            None => self.paste(piece, cancel),
        }
    }

    fn begin_writing(&mut self) -> Outcome<()> {
        // The user may have another layout by now.
        self.devices.sync()?;
        self.choose_layout()
    }

    fn end_writing(&mut self) -> Outcome<()> {
        match self.kept.take() {
            Some(kept) => Ok(self.runtime.block_on(self.clipboard.give_back(kept))?),
            None => Ok(()),
        }
    }
}

impl<'a> Guided<'a> {
    pub(super) fn new(
        devices: &'a mut Devices,
        script: &'a Script,
        clipboard: &'a Clipboard,
        runtime: &'a Handle,
        cancel: &'a CancelToken,
    ) -> Self {
        Self { devices, script, clipboard, runtime, cancel, corner: (0, 0), layout: 0, kept: None }
    }

    fn keys(&self) -> &Keys {
        // There are some since the devices were made.
        const NONE: &Keys = &Keys::none();
        self.devices.link.state.keys.as_ref().unwrap_or(NONE)
    }

    fn stroke(&self, character: char) -> Option<Stroke> {
        match line_or_tab(character) {
            Some(key) => named(key),
            None => self.keys().stroke(self.layout, character),
        }
    }

    /// Asks which of several layouts is used.
    fn choose_layout(&mut self) -> Outcome<()> {
        if self.keys().layouts() > 1 {
            self.layout = self.runtime.block_on(self.script.keyboard_layout(self.cancel.deadline()))?;
        }
        Ok(())
    }

    /// Puts a text on the clipboard and presses what pastes it; done once the application has read it.
    fn paste(&mut self, piece: &[char], cancel: &CancelToken) -> Outcome<()> {
        let text: String = piece.iter().collect();
        let deadline = cancel.deadline();
        let stroke = self.keys().shortcut(self.layout, 'v').ok_or_else(|| not_on_the_layout('v'))?;
        if self.kept.is_none() {
            self.kept = Some(self.runtime.block_on(self.clipboard.keep(deadline))?);
        }
        let lent = self.runtime.block_on(self.clipboard.lend(&text, deadline))?;
        self.devices.stroke(stroke, Modifiers::CONTROL)?;
        self.devices.sync()?;
        if !self.runtime.block_on(lent.is_read(deadline.slice(PASTED_WITHIN))) {
            return Err(Failure::Reported(not_pasted()));
        }
        cancel.rest(PUT_IN_WITHIN)
    }
}

impl Devices {
    fn sync(&mut self) -> Outcome<()> {
        self.link.sync()
    }

    /// Presses and releases a key while these modifiers are held.
    fn stroke(&mut self, stroke: Stroke, modifiers: Modifiers) -> Outcome<()> {
        let modifiers = if stroke.shift { modifiers | Modifiers::SHIFT } else { modifiers };
        let (keys, _) = held(modifiers);
        keys.iter().for_each(|key| self.fake.keyboard_key(*key, 1));
        self.fake.keyboard_key(stroke.code, 1);
        self.fake.keyboard_key(stroke.code, 0);
        keys.iter().rev().for_each(|key| self.fake.keyboard_key(*key, 0));
        // All of it goes in one piece: nothing stays down.
        self.link.flush()
    }
}

fn not_on_the_layout(character: char) -> Failure {
    Failure::Reported(
        Error::new(
            Reason::Unsupported,
            format!("The keyboard layout of the session has no key for '{character}'; it was not pressed."),
        )
        .with_guidance("Use input_text or set_text for text, or add a layout that has it to the session."),
    )
}

fn not_pasted() -> Error {
    Error::new(
        Reason::ActionFailed,
        "The keyboard layout lacks characters of this text, so that it was pasted, and nothing read it.",
    )
    .with_guidance("Use set_text on the field, or its own menu for pasting; terminals paste by ctrl+shift+v.")
}

impl Dispatch<WlRegistry, GlobalListContents> for Seat {
    fn event(
        _: &mut Self,
        _: &WlRegistry,
        _: wl_registry::Event,
        _: &GlobalListContents,
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
    }
}

impl Dispatch<WlSeat, ()> for Seat {
    fn event(
        seat: &mut Self,
        _: &WlSeat,
        event: wl_seat::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_seat::Event::Capabilities { capabilities: WEnum::Value(has) } = event {
            seat.has = Some(has);
        }
    }
}

impl Dispatch<WlKeyboard, ()> for Seat {
    fn event(
        seat: &mut Self,
        _: &WlKeyboard,
        event: wl_keyboard::Event,
        (): &(),
        _: &Connection,
        _: &QueueHandle<Self>,
    ) {
        if let wl_keyboard::Event::Keymap { format: WEnum::Value(KeymapFormat::XkbV1), fd, size } = event {
            let mut text = vec![0; (size as usize).min(keys::LARGEST)];
            if let Err(error) = File::from(fd).read_exact_at(&mut text, 0) {
                tracing::warn!(%error, "the keymap of the session cannot be read");
                text.clear();
            }
            seat.keys = Some(Keys::read(&String::from_utf8_lossy(&text)));
        }
    }
}

delegate_noop!(Seat: OrgKdeKwinFakeInput);
