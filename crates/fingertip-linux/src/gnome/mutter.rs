//! A session of remote control by the compositor's own interface, which asks nobody: only where the owner chose it.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use fingertip_core::Rect;
use futures_util::StreamExt;
use zbus::message::Type;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream};

use super::clipboard::Clipboard;
use super::session::{Options, Session, Stream, StreamName, Way, call};
use crate::display::error::{Failure, Outcome};

const REMOTE: &str = "org.gnome.Mutter.RemoteDesktop";
const REMOTE_PATH: &str = "/org/gnome/Mutter/RemoteDesktop";
const REMOTE_SESSION: &str = "org.gnome.Mutter.RemoteDesktop.Session";
const CAST: &str = "org.gnome.Mutter.ScreenCast";
const CAST_PATH: &str = "/org/gnome/Mutter/ScreenCast";
const CAST_SESSION: &str = "org.gnome.Mutter.ScreenCast.Session";
const CAST_STREAM: &str = "org.gnome.Mutter.ScreenCast.Stream";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
/// How long the stream of an open session may take to be there.
const STREAMED_WITHIN: Duration = Duration::from_secs(1);

/// Opens a session on the first screen.
pub(super) async fn open(bus: Connection) -> Outcome<Session> {
    let path = created(&bus, REMOTE, REMOTE_PATH, REMOTE, "CreateSession", &()).await?;
    let id: String = property(&bus, REMOTE, &path, REMOTE_SESSION, "SessionId").await?;
    let options = Options::from_iter([("remote-desktop-session-id", Value::from(id))]);
    let cast = created(&bus, CAST, CAST_PATH, CAST, "CreateSession", &(options,)).await?;
    let body = ("", Options::default());
    let stream = created(&bus, CAST, &cast, CAST_SESSION, "RecordMonitor", &body).await?;
    let clipboard = Clipboard::enable(&bus, Way::Mutter, &path).await?;
    let mut added = added(&bus, &stream).await?;
    call(&bus, REMOTE, &path, REMOTE_SESSION, "Start", &()).await?;
    // Only pictures need it.
    let told = tokio::time::timeout(STREAMED_WITHIN, added.next()).await.ok().flatten();
    let node = told.and_then(|told| told.ok()?.body().deserialize::<u32>().ok());
    let parameters: OwnedValue = property(&bus, CAST, &stream, CAST_STREAM, "Parameters").await?;
    let area = area(parameters)
        .ok_or_else(|| Failure::Refused("it does not tell where its screen is".to_owned()))?;
    let streams = vec![Stream { name: StreamName::Path(stream), node, area }];
    Ok(Session {
        bus,
        way: Way::Mutter,
        path,
        streams,
        clipboard: Some(clipboard),
        opened: Instant::now(),
        is_closed: AtomicBool::new(false),
    })
}

/// The signal that tells what PipeWire calls a stream.
async fn added(bus: &Connection, stream: &OwnedObjectPath) -> Outcome<MessageStream> {
    let rule = MatchRule::builder()
        .msg_type(Type::Signal)
        .interface(CAST_STREAM)
        .and_then(|rule| rule.member("PipeWireStreamAdded"))
        .and_then(|rule| rule.path(stream.to_owned()))
        .map_err(|error| Failure::Refused(error.to_string()))?
        .build();
    let listening = MessageStream::for_match_rule(rule, bus, Some(1)).await;
    listening.map_err(|error| Failure::Lost(error.to_string()))
}

async fn created<B: serde::Serialize + zbus::zvariant::DynamicType + Sync>(
    bus: &Connection,
    service: &str,
    path: &str,
    interface: &str,
    member: &str,
    body: &B,
) -> Outcome<OwnedObjectPath> {
    let reply = call(bus, service, path, interface, member, body).await?;
    reply.body().deserialize().map_err(|error| Failure::Refused(error.to_string()))
}

async fn property<T: TryFrom<OwnedValue>>(
    bus: &Connection,
    service: &str,
    path: &str,
    interface: &str,
    name: &str,
) -> Outcome<T> {
    let reply = call(bus, service, path, PROPERTIES, "Get", &(interface, name)).await?;
    let value: OwnedValue =
        reply.body().deserialize().map_err(|error| Failure::Refused(error.to_string()))?;
    T::try_from(value).map_err(|_| Failure::Refused(format!("{name} is of another kind")))
}

/// Where a screen is: `position` and `size`, two numbers each.
pub(super) fn area(properties: OwnedValue) -> Option<Rect> {
    let properties = std::collections::HashMap::<String, OwnedValue>::try_from(properties).ok()?;
    let pair = |name: &str| <(i32, i32)>::try_from(properties.get(name)?.try_clone().ok()?).ok();
    let ((left, top), (width, height)) = (pair("position")?, pair("size")?);
    Some(Rect::new(left, top, left.saturating_add(width), top.saturating_add(height)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_screen_is_where_it_says() {
        let told = Options::from_iter([
            ("position", Value::from((-100, 0))),
            ("size", Value::from((1920, 1080))),
            ("output-name", Value::from("Meta-0")),
        ]);
        let told = OwnedValue::try_from(Value::from(told)).unwrap();
        assert_eq!(area(told), Some(Rect::new(-100, 0, 1820, 1080)));
        let nothing = OwnedValue::try_from(Value::from(Options::default())).unwrap();
        assert_eq!(area(nothing), None);
    }
}
