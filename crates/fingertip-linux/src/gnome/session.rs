//! A session of remote control, open: pointer, keys and the clipboard, by the portal or by the compositor's own interface.
//!
//! Both have the same calls, but for how they name the session and count what is pressed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use fingertip_core::target::Direction;
use fingertip_core::{Error, Point, Reason, Rect};
use rustc_hash::FxHashMap;
use zbus::Connection;
use zbus::message::Message;
use zbus::zvariant::{DynamicType, OwnedObjectPath, Value};

use super::clipboard::Clipboard;
use crate::display::error::{Failure, Outcome};

/// How long the compositor may take to take one event.
const TAKEN_WITHIN: Duration = Duration::from_secs(2);
/// A key that does nothing by itself.
const LEFT_SHIFT: u32 = 42;
/// The longest name of an error that is shown.
pub(super) const MOST_SHOWN: usize = 200;

/// Options of a call.
pub(super) type Options<'a> = FxHashMap<&'a str, Value<'a>>;

/// What a session is reached by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Portal,
    Mutter,
}

impl Way {
    /// The name on the session bus.
    pub(super) const fn service(self) -> &'static str {
        match self {
            Self::Portal => "org.freedesktop.portal.Desktop",
            Self::Mutter => "org.gnome.Mutter.RemoteDesktop",
        }
    }

    const fn interface(self) -> &'static str {
        match self {
            Self::Portal => "org.freedesktop.portal.RemoteDesktop",
            Self::Mutter => "org.gnome.Mutter.RemoteDesktop.Session",
        }
    }
}

/// A part of the screen that was given to us.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Stream {
    pub(super) name: StreamName,
    /// What PipeWire calls it, where that was told.
    pub(super) node: Option<u32>,
    pub(super) area: Rect,
}

/// How motion on it names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StreamName {
    Node(u32),
    Path(OwnedObjectPath),
}

/// An open session.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) bus: Connection,
    pub(super) way: Way,
    pub(super) path: OwnedObjectPath,
    pub(super) streams: Vec<Stream>,
    pub(super) clipboard: Option<Clipboard>,
    /// When it was opened.
    pub(super) opened: Instant,
    pub(super) is_closed: AtomicBool,
}

impl Session {
    pub(super) fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Relaxed)
    }

    /// Makes pointer and keyboard known to applications, by a motion and a key that do nothing: what is pressed before is
    /// lost.
    pub(super) async fn make_devices(&self) -> Outcome<()> {
        if let Some(stream) = self.streams.first() {
            self.point(stream.area.center()).await?;
        }
        self.key(LEFT_SHIFT, true).await?;
        self.key(LEFT_SHIFT, false).await
    }

    /// Puts the pointer on a place of the screen.
    pub(super) async fn point(&self, at: Point) -> Outcome<()> {
        let stream = self.streams.iter().find(|stream| stream.area.contains(at)).ok_or_else(not_shared)?;
        // The middle of the pixel.
        let x = at.x.floor() - f64::from(stream.area.left) + 0.5;
        let y = at.y.floor() - f64::from(stream.area.top) + 0.5;
        match &stream.name {
            StreamName::Node(node) => {
                self.send("NotifyPointerMotionAbsolute", &(&self.path, Options::default(), *node, x, y)).await
            }
            StreamName::Path(path) => self.send("NotifyPointerMotionAbsolute", &(path.as_str(), x, y)).await,
        }
    }

    /// Presses or releases a button.
    pub(super) async fn button(&self, button: i32, down: bool) -> Outcome<()> {
        match self.way {
            Way::Portal => {
                let body = (&self.path, Options::default(), button, u32::from(down));
                self.send("NotifyPointerButton", &body).await
            }
            Way::Mutter => self.send("NotifyPointerButton", &(button, down)).await,
        }
    }

    /// Turns the wheel by one notch.
    pub(super) async fn turn_wheel(&self, direction: Direction) -> Outcome<()> {
        let (axis, notches): (u32, i32) = match direction {
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
            Direction::Left => (1, -1),
            Direction::Right => (1, 1),
        };
        match self.way {
            Way::Portal => {
                let body = (&self.path, Options::default(), axis, notches);
                self.send("NotifyPointerAxisDiscrete", &body).await
            }
            Way::Mutter => self.send("NotifyPointerAxisDiscrete", &(axis, notches)).await,
        }
    }

    /// Presses or releases a key by its number.
    pub(super) async fn key(&self, code: u32, down: bool) -> Outcome<()> {
        self.keyboard("NotifyKeyboardKeycode", code, down).await
    }

    /// Presses or releases the key that writes a character in the layout of the user.
    pub(super) async fn symbol(&self, character: char, down: bool) -> Outcome<()> {
        self.keyboard("NotifyKeyboardKeysym", keysym(character), down).await
    }

    async fn keyboard(&self, member: &str, number: u32, down: bool) -> Outcome<()> {
        match self.way {
            Way::Portal => {
                let number = i32::try_from(number).map_err(|error| Failure::Refused(error.to_string()))?;
                self.send(member, &(&self.path, Options::default(), number, u32::from(down))).await
            }
            Way::Mutter => self.send(member, &(number, down)).await,
        }
    }

    async fn send<B: serde::Serialize + DynamicType + Sync>(&self, member: &str, body: &B) -> Outcome<()> {
        if self.is_closed() {
            return Err(Failure::Lost("the session of remote control was ended".to_owned()));
        }
        let path = match self.way {
            Way::Portal => PORTAL_PATH,
            Way::Mutter => self.path.as_str(),
        };
        call(&self.bus, self.way.service(), path, self.way.interface(), member, body).await.map(drop)
    }
}

/// Where the portal is.
pub(super) const PORTAL_PATH: &str = "/org/freedesktop/portal/desktop";

/// Calls a method on the session bus; what it says when it refuses is part of the failure.
pub(super) async fn call<B: serde::Serialize + DynamicType + Sync>(
    bus: &Connection,
    service: &str,
    path: &str,
    interface: &str,
    member: &str,
    body: &B,
) -> Outcome<Message> {
    let called = bus.call_method(Some(service), path, Some(interface), member, body);
    match tokio::time::timeout(TAKEN_WITHIN, called).await {
        Ok(Ok(reply)) => Ok(reply),
        Ok(Err(zbus::Error::MethodError(name, said, _))) => {
            let said = said.unwrap_or_default();
            let shown: String = format!("{name}: {said}").chars().take(MOST_SHOWN).collect();
            Err(Failure::Refused(shown))
        }
        Ok(Err(error)) => Err(Failure::Lost(error.to_string())),
        Err(_) => Err(Failure::Lost(format!("{service} did not answer"))),
    }
}

/// The number of the key that writes a character, as XKB has it.
fn keysym(character: char) -> u32 {
    match u32::from(character) {
        // Latin 1 has numbers of its own.
        code @ (0x20..=0x7e | 0xa0..=0xff) => code,
        code => 0x0100_0000 | code,
    }
}

pub(super) fn not_shared() -> Failure {
    Failure::Reported(
        Error::new(
            Reason::PermissionDenied,
            "That part of the screen was not shared with this program; nothing was done.",
        )
        .with_guidance("The person at the screen chooses which screens are shared, in the dialog that asks."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_have_the_numbers_of_xkb() {
        assert_eq!(['a', '~', 'é', '€', '世'].map(keysym), [0x61, 0x7e, 0xe9, 0x0100_20ac, 0x0100_4e16]);
    }
}
