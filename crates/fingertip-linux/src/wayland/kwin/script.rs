//! Our script in KWin, and the conversation with it.
//!
//! KWin tells programs nothing of its windows but what scripts in it tell, and runs any that a program of the session gives
//! it. A script cannot be called, but it can call: it asks for the next command, and the answer to that question comes
//! with the question after it. So one that is loaded answers within a millisecond. One that is not asked for a while is
//! taken out again, and where this program was ended before that, it takes itself out: nothing is left in KWin.
//!
//! The bus name `org.kde.KWin` must belong to the process that serves the Wayland socket, and only that one is answered.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use fingertip_core::sync::lock;
use fingertip_core::{Deadline, Error, Reason, Result};
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};
use zbus::message::{Message, Type};
use zbus::zvariant::OwnedValue;
use zbus::{Connection, MatchRule, MessageStream};

use super::report::{LARGEST, Layout, Numbers};
use crate::bus::session;
use crate::environment::Environment;

/// KWin on the session bus.
pub(super) const KWIN: &str = "org.kde.KWin";
const SCRIPTING: &str = "/Scripting";
const SCRIPTING_INTERFACE: &str = "org.kde.kwin.Scripting";
const SCRIPT_INTERFACE: &str = "org.kde.kwin.Script";
/// Where the script finds us.
const OUR_PATH: &str = "/fingertip/kwin";
const OUR_INTERFACE: &str = "fingertip.KWin";
const OUR_METHOD: &str = "Next";
/// What it runs.
const SOURCE: &str = include_str!("script.js");
/// How long KWin may take to load it, or to answer one question.
const ANSWERS_WITHIN: Duration = Duration::from_secs(3);
/// How long it stays without being asked.
const KEPT_FOR: Duration = Duration::from_secs(8);
/// Effects that take what is pressed.
const TAKING: [&str; 4] = ["overview", "windowview", "desktopgrid", "cube"];

/// The errors by which D-Bus says that something is not there.
const ABSENT: [&str; 5] = [
    "org.freedesktop.DBus.Error.ServiceUnknown",
    "org.freedesktop.DBus.Error.NameHasNoOwner",
    "org.freedesktop.DBus.Error.UnknownObject",
    "org.freedesktop.DBus.Error.UnknownInterface",
    "org.freedesktop.DBus.Error.UnknownMethod",
];

/// The way to the windows of a KWin.
pub(super) struct Script {
    session: Arc<Session>,
    live: tokio::sync::Mutex<Option<Live>>,
    numbers: Mutex<Numbers>,
}

/// Where KWin is.
#[derive(Debug)]
struct Session {
    environment: Environment,
    /// The process that serves the Wayland socket.
    compositor: Option<u32>,
    /// Where the script's file is put while KWin reads it.
    folder: PathBuf,
}

/// A script that is loaded, and who speaks with it.
#[derive(Clone)]
struct Live {
    bus: Connection,
    kwin: String,
    commands: mpsc::Sender<Command>,
    /// Over once it is taken out.
    over: Arc<Notify>,
}

/// A command for the script, and where its answer goes.
struct Command {
    text: String,
    answer: oneshot::Sender<String>,
}

impl Script {
    /// For the compositor of this process, whose socket is in this folder.
    pub(super) fn new(environment: &Environment, compositor: Option<u32>, folder: &Path) -> Self {
        let session = Session { environment: environment.clone(), compositor, folder: folder.to_owned() };
        Self { session: Arc::new(session), live: tokio::sync::Mutex::default(), numbers: Mutex::default() }
    }

    /// What is on the screen now.
    pub(super) async fn layout(&self, deadline: Deadline) -> Result<Layout> {
        let told = self.ask(&json!({ "action": "look" }), deadline).await?;
        Layout::read(&told, &mut lock(&self.numbers)).map_err(|error| odd(&error))
    }

    /// The same, and whether anything else than windows takes what is pressed.
    pub(super) async fn receivers(&self, deadline: Deadline) -> Result<Layout> {
        let mut layout = self.layout(deadline).await?;
        let live = self.live(deadline).await?;
        layout.obstacle = within(deadline, live.obstacle()).await??;
        Ok(layout)
    }

    /// Does something to a window; `false` when it is gone.
    pub(super) async fn act(&self, window: u32, mut command: Value, deadline: Deadline) -> Result<bool> {
        let Some(name) = lock(&self.numbers).name(window).map(str::to_owned) else { return Ok(false) };
        command["window"] = name.into();
        match self.ask(&command, deadline).await?.as_str() {
            "\"done\"" => Ok(true),
            "\"gone\"" => Ok(false),
            other => Err(odd(other)),
        }
    }

    /// Takes the script out again and waits for that.
    pub(super) async fn end(&self) {
        if let Some(live) = self.live.lock().await.take() {
            let Live { commands, over, .. } = live;
            drop(commands);
            if tokio::time::timeout(ANSWERS_WITHIN, over.notified()).await.is_err() {
                tracing::debug!("the script takes itself out of KWin");
            }
        }
    }

    /// Which of several keyboard layouts is used.
    pub(super) async fn keyboard_layout(&self, deadline: Deadline) -> Result<usize> {
        let (bus, kwin) = self.bus(deadline).await?;
        let interface = Some("org.kde.KeyboardLayouts");
        let asked = bus.call_method(Some(kwin.as_str()), "/Layouts", interface, "getLayout", &());
        let layout: u32 = answer(&within(deadline, asked).await?.map_err(failed)?)?;
        Ok(layout as usize)
    }

    /// The connection to the bus, and KWin's name there.
    pub(super) async fn bus(&self, deadline: Deadline) -> Result<(Connection, String)> {
        self.live(deadline).await.map(|live| (live.bus, live.kwin))
    }

    /// Gives the script a command and waits for its answer.
    async fn ask(&self, command: &Value, deadline: Deadline) -> Result<String> {
        let asking = async {
            // One that was taken out at this very moment was given nothing: a second one is asked.
            for _ in 0..2 {
                let live = self.live(deadline).await?;
                let (answer, answered) = oneshot::channel();
                let command = Command { text: command.to_string(), answer };
                if live.commands.send(command).await.is_err() {
                    continue;
                }
                match tokio::time::timeout(ANSWERS_WITHIN, answered).await {
                    Ok(Ok(answer)) => return Ok(answer),
                    Ok(Err(_)) if live.commands.is_closed() => {}
                    Ok(Err(_)) | Err(_) => break,
                }
            }
            Err(silent())
        };
        within(deadline, asking).await?
    }

    /// A script that is loaded; it is loaded where none is.
    async fn live(&self, deadline: Deadline) -> Result<Live> {
        let mut live = within(deadline, self.live.lock()).await?;
        if let Some(live) = live.as_ref().filter(|live| !live.commands.is_closed()) {
            return Ok(live.clone());
        }
        *live = None;
        // Half-way loaded it would stay in KWin, so it is loaded to the end, whoever waits for it.
        let session = Arc::clone(&self.session);
        let loading = tokio::spawn(async move { session.load().await });
        let loaded = within(deadline, loading).await?.map_err(failed)??;
        Ok(live.insert(loaded).clone())
    }
}

impl Session {
    /// Loads the script and speaks with it, for as long as somebody may ask.
    async fn load(&self) -> Result<Live> {
        let deadline = Deadline::after(ANSWERS_WITHIN);
        let bus = session(&self.environment, deadline).await?;
        let kwin = within(deadline, self.owner(&bus)).await??;
        let rule = MatchRule::builder().msg_type(Type::MethodCall).path(OUR_PATH).map_err(failed)?;
        let calls = MessageStream::for_match_rule(rule.build(), &bus, None).await;
        let mut calls = calls.map_err(failed)?;
        let file = Placed::write(&self.folder, &bus)?;
        let taken_out = Taken { bus: bus.clone(), name: file.name.clone() };
        let first = match within(deadline, started(&bus, &kwin, &mut calls, &file)).await {
            Ok(Ok(first)) => first,
            Ok(Err(error)) | Err(error) => {
                taken_out.now().await;
                return Err(error);
            }
        };
        drop(file);
        let (commands, queue) = mpsc::channel(1);
        let over = Arc::new(Notify::new());
        let live = Live { bus: bus.clone(), kwin: kwin.clone(), commands, over: Arc::clone(&over) };
        tokio::spawn(async move {
            let ended = converse(&bus, &kwin, &mut calls, first, queue).await;
            tracing::debug!(?ended, "the script is taken out of KWin");
            taken_out.now().await;
            over.notify_one();
        });
        Ok(live)
    }

    /// Who is KWin on the bus, if that is the compositor of this session.
    async fn owner(&self, bus: &Connection) -> Result<String> {
        const DBUS: &str = "org.freedesktop.DBus";
        let ask = async |member: &str, name: &str| {
            bus.call_method(Some(DBUS), "/org/freedesktop/DBus", Some(DBUS), member, &name).await
        };
        let kwin: String = answer(&ask("GetNameOwner", KWIN).await.map_err(|_| not_there())?)?;
        let pid: u32 = answer(&ask("GetConnectionUnixProcessID", &kwin).await.map_err(failed)?)?;
        // A wrapper that starts KWin anew when it fails keeps the socket.
        if self.compositor.is_none_or(|compositor| compositor == pid || parent(pid) == Some(compositor)) {
            Ok(kwin)
        } else {
            Err(not_there())
        }
    }
}

impl Live {
    /// What takes what is pressed instead of a window, if anything does.
    async fn obstacle(&self) -> Result<Option<&'static str>> {
        let (locked, showing, effects) = tokio::join!(
            self.bus.call_method(
                Some(self.kwin.as_str()),
                "/ScreenSaver",
                Some("org.freedesktop.ScreenSaver"),
                "GetActive",
                &()
            ),
            self.property("/KWin", "org.kde.KWin", "showingDesktop"),
            self.property("/Effects", "org.kde.kwin.Effects", "activeEffects"),
        );
        // Without a locker there is nobody to ask.
        if let Some(locked) = present(locked)?
            && answer::<bool>(&locked)?
        {
            return Ok(Some("the screen is locked"));
        }
        if let Some(showing) = showing?
            && bool::try_from(showing).map_err(failed)?
        {
            return Ok(Some("the windows are put aside to show the desktop"));
        }
        if let Some(effects) = effects? {
            let active = Vec::<String>::try_from(effects).map_err(failed)?;
            if active.iter().any(|effect| TAKING.contains(&effect.as_str())) {
                return Ok(Some("KWin shows an overview of the windows"));
            }
        }
        Ok(None)
    }

    async fn property(&self, path: &str, interface: &str, name: &str) -> Result<Option<OwnedValue>> {
        let properties = Some("org.freedesktop.DBus.Properties");
        let body = (interface, name);
        let asked = self.bus.call_method(Some(self.kwin.as_str()), path, properties, "Get", &body).await;
        present(asked)?.map(|reply| answer(&reply)).transpose()
    }
}

/// Gives KWin the script and waits for its first question.
async fn started(bus: &Connection, kwin: &str, calls: &mut MessageStream, file: &Placed) -> Result<Message> {
    let body = (&*file.path.to_string_lossy(), &file.name);
    let loaded = bus.call_method(Some(KWIN), SCRIPTING, Some(SCRIPTING_INTERFACE), "loadScript", &body).await;
    let number: i32 = answer(&loaded.map_err(failed)?)?;
    // KWin 6 gives scripts another place than KWin 5.
    let mut ran = Err(silent());
    for path in [format!("{SCRIPTING}/Script{number}"), format!("/{number}")] {
        let run = bus.call_method(Some(KWIN), path.as_str(), Some(SCRIPT_INTERFACE), "run", &()).await;
        ran = run.map(drop).map_err(failed);
        if ran.is_ok() {
            break;
        }
    }
    ran?;
    next_call(calls, kwin).await.ok_or_else(silent)
}

/// Speaks with the script until it is not asked for any more, or does not answer.
async fn converse(
    bus: &Connection,
    kwin: &str,
    calls: &mut MessageStream,
    first: Message,
    mut commands: mpsc::Receiver<Command>,
) -> std::result::Result<(), &'static str> {
    let mut call = first;
    loop {
        let Ok(Some(command)) = tokio::time::timeout(KEPT_FOR, commands.recv()).await else {
            // Without a command the script says no more.
            return bus.reply(&call.header(), &"").await.map_err(|_| "the bus is gone");
        };
        bus.reply(&call.header(), &command.text).await.map_err(|_| "the bus is gone")?;
        let next = tokio::time::timeout(ANSWERS_WITHIN, next_call(calls, kwin)).await;
        call = next.ok().flatten().ok_or("it does not answer")?;
        let told: String = answer(&call).map_err(|_| "it answers something else")?;
        if told.len() > LARGEST {
            return Err("it answers too much");
        }
        // Who asked may have given up.
        let _ = command.answer.send(told);
    }
}

/// The next question of the script; `None` when the bus is gone.
async fn next_call(calls: &mut MessageStream, kwin: &str) -> Option<Message> {
    while let Some(message) = calls.next().await {
        let Ok(message) = message else { continue };
        let header = message.header();
        let is_it = header.message_type() == Type::MethodCall
            && header.sender().is_some_and(|sender| sender.as_str() == kwin)
            && header.member().is_some_and(|member| member.as_str() == OUR_METHOD);
        if is_it {
            return Some(message);
        }
    }
    None
}

/// The file of the script, which is there only while KWin reads it.
struct Placed {
    path: PathBuf,
    name: String,
}

impl Placed {
    fn write(folder: &Path, bus: &Connection) -> Result<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("fingertip-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let ours = bus.unique_name().map(|name| name.as_str().to_owned()).unwrap_or_default();
        let source = SOURCE
            .replace("SERVICE_NAME", &ours)
            .replace("OBJECT_PATH", OUR_PATH)
            .replace("INTERFACE_NAME", OUR_INTERFACE)
            .replace("SCRIPT_NAME", &name);
        let path = folder.join(format!("{name}.js"));
        let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        let written = written.and_then(|mut file: File| file.write_all(source.as_bytes()));
        written.map_err(|error| {
            Error::new(Reason::ActionFailed, format!("The script for KWin cannot be written: {error}."))
                .with_guidance("Check that XDG_RUNTIME_DIR can be written to.")
        })?;
        Ok(Self { path, name })
    }
}

impl Drop for Placed {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.path) {
            tracing::debug!(%error, "the file of the script is still there");
        }
    }
}

/// A script that is to be taken out of KWin.
struct Taken {
    bus: Connection,
    name: String,
}

impl Taken {
    async fn now(&self) {
        let unloaded = self.bus.call_method(
            Some(KWIN),
            SCRIPTING,
            Some(SCRIPTING_INTERFACE),
            "unloadScript",
            &self.name,
        );
        match tokio::time::timeout(ANSWERS_WITHIN, unloaded).await {
            Ok(Ok(_)) => {}
            other => tracing::debug!(?other, "the script takes itself out of KWin"),
        }
    }
}

/// What a reply holds.
pub(super) fn answer<T>(reply: &Message) -> Result<T>
where
    T: serde::de::DeserializeOwned + zbus::zvariant::Type,
{
    reply.body().deserialize().map_err(|error| odd(&error.to_string()))
}

/// A reply, or nothing where nobody is there to give one.
fn present(reply: zbus::Result<Message>) -> Result<Option<Message>> {
    match reply {
        Err(zbus::Error::MethodError(name, ..)) if ABSENT.contains(&name.as_str()) => Ok(None),
        reply => reply.map(Some).map_err(failed),
    }
}

/// Waits no longer than until the deadline.
pub(super) async fn within<T>(deadline: Deadline, waited: impl Future<Output = T>) -> Result<T> {
    tokio::time::timeout_at(deadline.instant().into(), waited).await.map_err(|_| silent())
}

/// The process that started this one.
fn parent(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
}

pub(super) fn failed(error: impl fmt::Display) -> Error {
    Error::new(Reason::ActionFailed, format!("KWin refused that ({error})."))
        .with_guidance("Look again; `fingertip doctor --target desktop` tells what KWin gives.")
}

fn silent() -> Error {
    Error::new(Reason::Timeout, "KWin did not tell its windows in time.")
        .with_guidance("Try again; if it stays so, the desktop is frozen.")
}

fn odd(what: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("What KWin tells of its windows is not understood ({what})."))
        .with_guidance("It may be of a version that is not known yet; elements' own actions still work.")
}

fn not_there() -> Error {
    Error::new(Reason::Unsupported, "The KWin of this session is not on its session bus.").with_guidance(
        "Start the server within the session, with the DBUS_SESSION_BUS_ADDRESS that the desktop has.",
    )
}

impl fmt::Debug for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Script").field("session", &self.session).finish_non_exhaustive()
    }
}
