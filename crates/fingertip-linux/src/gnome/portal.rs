//! A session of remote control by the portal: a person agrees in a dialog, which is never answered here.
//!
//! From version 2 on the portal gives a token with which the next session is opened without a dialog. It is good for once:
//! it is given up before it is used, and the one that comes with the session is kept instead.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use fingertip_core::Rect;
use futures_util::StreamExt;
use zbus::message::Type;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value};
use zbus::{Connection, MatchRule, MessageStream};

use super::clipboard::Clipboard;
use super::mutter::area;
use super::session::{Options, PORTAL_PATH, Session, Stream, StreamName, Way, call};
use super::token::TokenFile;
use crate::display::error::{Failure, Outcome};

const SERVICE: &str = Way::Portal.service();
const REMOTE: &str = "org.freedesktop.portal.RemoteDesktop";
pub(super) const CAST: &str = "org.freedesktop.portal.ScreenCast";
const REQUEST: &str = "org.freedesktop.portal.Request";
const SESSION: &str = "org.freedesktop.portal.Session";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
/// A keyboard and a pointer.
const DEVICES: u32 = 1 | 2;
/// Screens, as opposed to windows.
const SCREENS: u32 = 1;
/// Until the person says otherwise.
const PERSISTS: u32 = 2;
/// From this version on consent can be kept.
pub(super) const KEEPS_CONSENT: u32 = 2;
/// How long what shows no dialog may take.
const PREPARED_WITHIN: Duration = Duration::from_secs(5);

/// What the portal can do; `None` where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offered {
    pub(super) version: u32,
    pub(super) has_clipboard: bool,
}

/// What came of asking.
#[derive(Debug)]
pub(super) enum Answer {
    Agreed(Session),
    /// The person closed the dialog, or agreed to being watched only.
    Refused(&'static str),
}

/// What the portal of this bus can do.
pub(super) async fn offered(bus: &Connection) -> Outcome<Offered> {
    let version = version(bus, REMOTE).await?;
    let has_clipboard = self::version(bus, "org.freedesktop.portal.Clipboard").await.is_ok();
    Ok(Offered { version, has_clipboard })
}

async fn version(bus: &Connection, interface: &str) -> Outcome<u32> {
    let reply = call(bus, SERVICE, PORTAL_PATH, PROPERTIES, "Get", &(interface, "version")).await?;
    let value: OwnedValue =
        reply.body().deserialize().map_err(|error| Failure::Refused(error.to_string()))?;
    u32::try_from(value).map_err(|error| Failure::Refused(error.to_string()))
}

/// Asks for a session, and waits until the person has answered.
pub(super) async fn open(bus: Connection, tokens: &TokenFile) -> Outcome<Answer> {
    let Offered { version, has_clipboard } = offered(&bus).await?;
    let requests = Requests::listen(&bus).await?;
    let mut options = Options::from_iter([("session_handle_token", Value::from(unique("session")))]);
    let created = requests.make(REMOTE, "CreateSession", options, |options| (options,)).await?;
    let path = created.text("session_handle").and_then(|path| OwnedObjectPath::try_from(path).ok());
    let path = path.ok_or_else(|| Failure::Refused("the portal gave no session".to_owned()))?;

    options = Options::from_iter([("types", Value::from(DEVICES))]);
    if version >= KEEPS_CONSENT {
        options.insert("persist_mode", Value::from(PERSISTS));
        if let Some(token) = tokens.take() {
            options.insert("restore_token", Value::from(token));
        }
    }
    requests.make(REMOTE, "SelectDevices", options, |options| (&path, options)).await?;
    let clipboard =
        if has_clipboard { Some(Clipboard::enable(&bus, Way::Portal, &path).await?) } else { None };
    options = Options::from_iter([("types", Value::from(SCREENS)), ("multiple", Value::from(true))]);
    requests.make(CAST, "SelectSources", options, |options| (&path, options)).await?;

    // A person takes as long as a person takes.
    let started =
        requests.ask(REMOTE, "Start", Options::default(), |options| (&path, "", options), None).await?;
    if started.code != 0 {
        return Ok(Answer::Refused(match started.code {
            1 => "the person at the screen closed the dialog without agreeing",
            _ => "the dialog was ended before the person at the screen agreed",
        }));
    }
    // It is good for the next session, whatever becomes of this one.
    if let Some(token) = started.text("restore_token") {
        tokens.keep(&token);
    }
    let devices = started.results.get("devices").and_then(|devices| u32::try_from(devices).ok());
    let streams = started.streams();
    let refused = match devices {
        Some(devices) if devices & DEVICES != DEVICES => {
            Some("the person at the screen shared it without 'Allow remote interaction'")
        }
        _ if streams.is_empty() => Some("the person at the screen shared no screen"),
        _ => None,
    };
    if let Some(why) = refused {
        tokens.forget();
        call(&bus, SERVICE, &path, SESSION, "Close", &()).await?;
        return Ok(Answer::Refused(why));
    }
    let is_given = started.results.get("clipboard_enabled").and_then(|given| bool::try_from(given).ok());
    Ok(Answer::Agreed(Session {
        bus,
        way: Way::Portal,
        path,
        streams,
        clipboard: clipboard.filter(|_| is_given == Some(true)),
        opened: Instant::now(),
        is_closed: AtomicBool::new(false),
    }))
}

/// What the portal answered to a request.
struct Response {
    code: u32,
    results: std::collections::HashMap<String, OwnedValue>,
}

impl Response {
    fn text(&self, name: &str) -> Option<String> {
        self.results.get(name)?.try_clone().ok()?.try_into().ok()
    }

    /// The screens that were shared.
    fn streams(&self) -> Vec<Stream> {
        let told = self.results.get("streams").and_then(|told| told.try_clone().ok());
        let told: Vec<(u32, std::collections::HashMap<String, OwnedValue>)> =
            told.and_then(|told| told.try_into().ok()).unwrap_or_default();
        let stream = |(node, properties): (u32, std::collections::HashMap<String, OwnedValue>)| {
            let area: Rect = area(OwnedValue::try_from(Value::from(properties)).ok()?)?;
            Some(Stream { name: StreamName::Node(node), node: Some(node), area })
        };
        told.into_iter().filter_map(stream).collect()
    }
}

/// Requests to the portal, whose answers come as signals.
struct Requests<'a> {
    bus: &'a Connection,
    sender: String,
}

impl<'a> Requests<'a> {
    async fn listen(bus: &'a Connection) -> Outcome<Self> {
        let name = bus.unique_name().map(|name| name.as_str().to_owned()).unwrap_or_default();
        Ok(Self { bus, sender: name.trim_start_matches(':').replace('.', "_") })
    }

    /// Makes a request that shows no dialog, and that must succeed.
    async fn make<'o, B: serde::Serialize + zbus::zvariant::DynamicType + Sync>(
        &self,
        interface: &str,
        member: &str,
        options: Options<'o>,
        body: impl FnOnce(Options<'o>) -> B,
    ) -> Outcome<Response> {
        let response = self.ask(interface, member, options, body, Some(PREPARED_WITHIN)).await?;
        match response.code {
            0 => Ok(response),
            code => Err(Failure::Refused(format!("the portal answered {code} to {member}"))),
        }
    }

    async fn ask<'o, B: serde::Serialize + zbus::zvariant::DynamicType + Sync>(
        &self,
        interface: &str,
        member: &str,
        mut options: Options<'o>,
        body: impl FnOnce(Options<'o>) -> B,
        within: Option<Duration>,
    ) -> Outcome<Response> {
        let token = unique("request");
        let path = format!("{PORTAL_PATH}/request/{}/{token}", self.sender);
        options.insert("handle_token", Value::from(token));
        // The answer may come before the call returns.
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .interface(REQUEST)
            .and_then(|rule| rule.member("Response"))
            .and_then(|rule| rule.path(path))
            .map_err(|error| Failure::Refused(error.to_string()))?
            .build();
        let lost = |error: zbus::Error| Failure::Lost(error.to_string());
        let mut answers = MessageStream::for_match_rule(rule, self.bus, Some(1)).await.map_err(lost)?;
        call(self.bus, SERVICE, PORTAL_PATH, interface, member, &body(options)).await?;
        let answer = match within {
            None => answers.next().await,
            Some(within) => tokio::time::timeout(within, answers.next())
                .await
                .map_err(|_| Failure::Lost(format!("the portal did not answer to {member}")))?,
        };
        let answer = answer.ok_or_else(|| Failure::Lost("the portal went away".to_owned()))?.map_err(lost)?;
        let (code, results) =
            answer.body().deserialize().map_err(|error| Failure::Refused(error.to_string()))?;
        Ok(Response { code, results })
    }
}

/// A name that no other request or session of this process has.
fn unique(kind: &str) -> String {
    static LAST: AtomicU64 = AtomicU64::new(0);
    format!("fingertip_{kind}_{}", LAST.fetch_add(1, Ordering::Relaxed))
}
