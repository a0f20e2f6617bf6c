//! Text on the clipboard, by the session of remote control.
//!
//! What is put there is handed out for as long as the session is open, by a task that waits for who asks for it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use fingertip_core::sync::lock;
use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::unix::pipe;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use zbus::message::{Message, Type};
use zbus::zvariant::{DynamicType, ObjectPath, OwnedFd, OwnedObjectPath, OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream};

use super::session::{Options, PORTAL_PATH, Way, call};
use crate::display::error::{Failure, Outcome};

/// The kinds of text, the best first.
const TEXT: [&str; 3] = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain"];
/// How long another program may take to hand over its text, or to take ours.
const HANDED_OVER_WITHIN: Duration = Duration::from_secs(2);
/// The longest text that is taken.
const LONGEST: u64 = 16 << 20;

/// The clipboard of a session.
#[derive(Debug)]
pub(super) struct Clipboard {
    bus: Connection,
    way: Way,
    session: OwnedObjectPath,
    held: Arc<Held>,
    serving: AbortHandle,
}

/// What is on it.
#[derive(Debug, Default)]
struct Held {
    /// What we put there, while nobody else put something there.
    ours: Mutex<Option<Arc<str>>>,
    /// The kinds of what another program put there; `None` where that was not told.
    kinds: Mutex<Option<Vec<String>>>,
    /// How often our text was handed out.
    handed_out: watch::Sender<u64>,
}

/// What a signal of the clipboard says.
enum News {
    Owner { kinds: Vec<String>, is_ours: bool },
    Wanted { serial: u32 },
}

impl Clipboard {
    /// Asks for the clipboard of a session that is not started yet.
    pub(super) async fn enable(bus: &Connection, way: Way, session: &OwnedObjectPath) -> Outcome<Self> {
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .interface(interface(way))
            .and_then(|rule| rule.path(place(way, session).to_owned()))
            .map_err(|error| Failure::Refused(error.to_string()))?
            .build();
        let listening = MessageStream::for_match_rule(rule, bus, Some(16)).await;
        let signals = listening.map_err(|error| Failure::Lost(error.to_string()))?;
        let held = Arc::new(Held::default());
        let line = Line { bus: bus.clone(), way, session: session.clone() };
        match way {
            Way::Portal => line.ask("RequestClipboard", &(session, Options::default())).await?,
            Way::Mutter => line.ask("EnableClipboard", &(Options::default(),)).await?,
        };
        let serving = tokio::spawn(serve(line, signals, Arc::clone(&held))).abort_handle();
        Ok(Self { bus: bus.clone(), way, session: session.clone(), held, serving })
    }

    /// The text on it; `None` when it holds none.
    pub(super) async fn read(&self) -> Outcome<Option<String>> {
        if let Some(ours) = lock(&self.held.ours).as_deref() {
            return Ok(Some(ours.to_owned()));
        }
        let kinds = lock(&self.held.kinds).clone();
        let kind = match &kinds {
            None => TEXT[0],
            Some(kinds) => match TEXT.into_iter().find(|kind| kinds.iter().any(|other| other == kind)) {
                Some(kind) => kind,
                None => return Ok(None),
            },
        };
        let line = self.line();
        let read = match self.way {
            Way::Portal => line.ask("SelectionRead", &(&self.session, kind)).await,
            Way::Mutter => line.ask("SelectionRead", &(kind,)).await,
        };
        let reply = match read {
            // Nothing is on it, or no text.
            Err(Failure::Refused(_)) if kinds.is_none() => return Ok(None),
            read => read?,
        };
        let fd: OwnedFd = reply.body().deserialize().map_err(|error| Failure::Refused(error.to_string()))?;
        let lost = |error: std::io::Error| Failure::Refused(format!("the clipboard: {error}"));
        let receiver = pipe::Receiver::from_owned_fd(fd.into()).map_err(lost)?;
        let mut bytes = Vec::new();
        let mut limited = receiver.take(LONGEST + 1);
        let reading = limited.read_to_end(&mut bytes);
        let read = tokio::time::timeout(HANDED_OVER_WITHIN, reading).await;
        read.map_err(|_| Failure::Refused("who owns the clipboard does not hand it over".to_owned()))?
            .map_err(lost)?;
        if bytes.len() as u64 > LONGEST {
            return Err(Failure::Refused(format!("the clipboard holds more than {LONGEST} bytes")));
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Whether it holds something that is no text, which could not be given back.
    pub(super) fn holds_no_text(&self) -> bool {
        let is_other = |kinds: &Vec<String>| {
            !kinds.is_empty() && !TEXT.into_iter().any(|kind| kinds.iter().any(|other| other == kind))
        };
        lock(&self.held.ours).is_none() && lock(&self.held.kinds).as_ref().is_some_and(is_other)
    }

    /// Puts a text on it; without one it is empty.
    pub(super) async fn write(&self, text: Option<&str>) -> Outcome<()> {
        *lock(&self.held.ours) = text.map(Arc::from);
        let kinds: Vec<&str> = if text.is_some() { TEXT.to_vec() } else { Vec::new() };
        let name = match self.way {
            Way::Portal => "mime_types",
            Way::Mutter => "mime-types",
        };
        let options = Options::from_iter([(name, Value::from(kinds))]);
        let line = self.line();
        match self.way {
            Way::Portal => line.ask("SetSelection", &(&self.session, options)).await,
            Way::Mutter => line.ask("SetSelection", &(options,)).await,
        }
        .map(drop)
    }

    /// Tells when our text was handed out.
    pub(super) fn handed_out(&self) -> watch::Receiver<u64> {
        self.held.handed_out.subscribe()
    }

    fn line(&self) -> Line {
        Line { bus: self.bus.clone(), way: self.way, session: self.session.clone() }
    }
}

impl Drop for Clipboard {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Where the clipboard of a session is asked.
struct Line {
    bus: Connection,
    way: Way,
    session: OwnedObjectPath,
}

impl Line {
    async fn ask<B: serde::Serialize + DynamicType + Sync>(
        &self,
        member: &str,
        body: &B,
    ) -> Outcome<Message> {
        let path = place(self.way, &self.session);
        call(&self.bus, self.way.service(), path, interface(self.way), member, body).await
    }

    /// Hands our text to who asked for it.
    async fn hand_out(&self, serial: u32, text: &str) -> Outcome<()> {
        let reply = match self.way {
            Way::Portal => self.ask("SelectionWrite", &(&self.session, serial)).await?,
            Way::Mutter => self.ask("SelectionWrite", &(serial,)).await?,
        };
        let fd: OwnedFd = reply.body().deserialize().map_err(|error| Failure::Refused(error.to_string()))?;
        let writing = async {
            let mut sender = pipe::Sender::from_owned_fd(fd.into())?;
            sender.write_all(text.as_bytes()).await
        };
        let is_written = matches!(tokio::time::timeout(HANDED_OVER_WITHIN, writing).await, Ok(Ok(())));
        match self.way {
            Way::Portal => self.ask("SelectionWriteDone", &(&self.session, serial, is_written)).await,
            Way::Mutter => self.ask("SelectionWriteDone", &(serial, is_written)).await,
        }
        .map(drop)
    }
}

/// Follows what becomes of the clipboard, and hands out our text.
async fn serve(line: Line, mut signals: MessageStream, held: Arc<Held>) {
    while let Some(Ok(message)) = signals.next().await {
        match news(line.way, &line.session, &message) {
            Some(News::Owner { kinds, is_ours }) => {
                if !is_ours {
                    *lock(&held.ours) = None;
                }
                *lock(&held.kinds) = Some(kinds);
            }
            Some(News::Wanted { serial }) => {
                let text = lock(&held.ours).clone().unwrap_or_default();
                match line.hand_out(serial, &text).await {
                    Ok(()) => held.handed_out.send_modify(|count| *count += 1),
                    Err(error) => tracing::debug!(?error, "the clipboard was not handed out"),
                }
            }
            None => {}
        }
    }
}

fn news(way: Way, session: &OwnedObjectPath, message: &Message) -> Option<News> {
    let header = message.header();
    let body = message.body();
    let owner = |told: std::collections::HashMap<String, OwnedValue>| {
        let flag = |name: &str| told.get(name).and_then(|value| bool::try_from(value).ok());
        let is_ours = flag("session-is-owner").or_else(|| flag("session_is_owner")).unwrap_or_default();
        let kinds = told.get("mime-types").or_else(|| told.get("mime_types"));
        let kinds = kinds.and_then(|kinds| kinds.try_clone().ok()).map(kinds_of).unwrap_or_default();
        News::Owner { kinds, is_ours }
    };
    match (header.member()?.as_str(), way) {
        ("SelectionOwnerChanged", Way::Mutter) => body.deserialize().ok().map(owner),
        ("SelectionOwnerChanged", Way::Portal) => {
            let (of, told): (ObjectPath<'_>, _) = body.deserialize().ok()?;
            (of.as_str() == session.as_str()).then(|| owner(told))
        }
        ("SelectionTransfer", Way::Mutter) => {
            let (_, serial): (&str, u32) = body.deserialize().ok()?;
            Some(News::Wanted { serial })
        }
        ("SelectionTransfer", Way::Portal) => {
            let (of, _, serial): (ObjectPath<'_>, &str, u32) = body.deserialize().ok()?;
            (of.as_str() == session.as_str()).then_some(News::Wanted { serial })
        }
        _ => None,
    }
}

/// A list of kinds, which Mutter puts into a structure.
fn kinds_of(value: OwnedValue) -> Vec<String> {
    let inner = match Value::from(value) {
        Value::Structure(fields) => fields.into_fields().into_iter().next(),
        value => Some(value),
    };
    inner.and_then(|value| Vec::<String>::try_from(value).ok()).unwrap_or_default()
}

const fn interface(way: Way) -> &'static str {
    match way {
        Way::Portal => "org.freedesktop.portal.Clipboard",
        Way::Mutter => "org.gnome.Mutter.RemoteDesktop.Session",
    }
}

fn place(way: Way, session: &OwnedObjectPath) -> &str {
    match way {
        Way::Portal => PORTAL_PATH,
        Way::Mutter => session.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read_in_a_structure_and_without() {
        let kinds = vec!["text/plain".to_owned(), "image/png".to_owned()];
        for value in [Value::from((kinds.clone(),)), Value::from(kinds.clone())] {
            assert_eq!(kinds_of(OwnedValue::try_from(value).unwrap()), kinds);
        }
        assert!(kinds_of(OwnedValue::from(7_u32)).is_empty());
    }
}
